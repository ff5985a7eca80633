/* Machines for which jumps.S has code. On others every wrapper is a C function: vfork() is not noted, and calls with
 * variable arguments are always recorded. */
#ifndef EVT_RECORD_JUMPS_H_
#define EVT_RECORD_JUMPS_H_

#if defined(__x86_64__) || defined(__aarch64__)
#define RUN_HAS_JUMPS 1
#else
#define RUN_HAS_JUMPS 0
#endif

#if !defined(__ASSEMBLER__)
/* Called by the constructor: from now on another library's functions of these names are called. */
void run_pass_formats(void);
/* Called by the constructor: the function behind syscall() is known. */
void run_pass_syscalls(void);
#endif

#endif /* EVT_RECORD_JUMPS_H_ */
