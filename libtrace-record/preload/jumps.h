/* Machines for which jumps.S has code. On others every wrapper is a function of C: vfork() is not noted, and what has a
 * list of arguments is always recorded. */
#ifndef EVT_RECORD_JUMPS_H_
#define EVT_RECORD_JUMPS_H_

#if defined(__x86_64__) || defined(__aarch64__)
#define RUN_HAS_JUMPS 1
#else
#define RUN_HAS_JUMPS 0
#endif

#if !defined(__ASSEMBLER__)
/* Of the constructor: another library's functions of these names are called from now on. */
void run_pass_formats(void);
/* The same: the function behind syscall() is known. */
void run_pass_syscalls(void);
#endif

#endif /* EVT_RECORD_JUMPS_H_ */
