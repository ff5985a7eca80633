/* Environment variables through which evt run passes settings to the programs that it starts. */
#ifndef EVT_RECORD_VARIABLES_H_
#define EVT_RECORD_VARIABLES_H_

#include <stdio.h>
#include <sys/stat.h>

#define RUN_FOLDER_VARIABLE "EVTRACE_RUN"      /* folder of the sessions */
#define RUN_CALLS_VARIABLE "EVTRACE_RUN_CALLS" /* groups, with commas between */
#define RUN_HOOKS_VARIABLE "EVTRACE_RUN_HOOKS" /* trace, time, sample, count; is not set: imports are not hooked */
#define RUN_GLOBS_VARIABLE "EVTRACE_RUN_GLOBS" /* for imports, separated by commas */
#define RUN_NOW_VARIABLE "EVTRACE_RUN_NOW"     /* is set: LD_BIND_NOW was not */
#define RUN_SCHED_VARIABLE "EVTRACE_RUN_SCHED" /* is set: evt run records when threads end */
#define RUN_STOPS_VARIABLE "EVTRACE_RUN_STOPS" /* the process whose stops evt run records */
#define RUN_ALONE_VARIABLE "EVTRACE_RUN_ALONE" /* is set: children are not followed */
#define RUN_SPACE_VARIABLE "EVTRACE_RUN_SPACE" /* the namespace of process ids: run_process_space() */
/* rotate_bytes,rotate_ns,keep_bytes,keep_ns,flight_bytes,flight_ns; is not set: no bounds */
#define RUN_BUDGET_VARIABLE "EVTRACE_RUN_BUDGET"
#define RUN_SAMPLES_VARIABLE "EVTRACE_RUN_SAMPLES" /* file for samples by a signal; is not set: there are none */
#define RUN_BEFORE_VARIABLE "EVTRACE_RUN_BEFORE"   /* the original LD_PRELOAD; is not set if that was not */
/* Appended to ASAN_OPTIONS: a program that is built with that sanitizer does not start after another library, unless
 * told to. */
#define RUN_SANITIZER_OPTION "verify_asan_link_order=0"
#define RUN_RATE_VARIABLE "EVTRACE_COUNTER_HZ" /* the writer's own: <evt/evt.h> */

/* A folder's name as the writer's paths have it, in which a %% is a per cent sign; empty where it does not fit. */
static inline void run_escape_folder(const char* name, char* out, size_t size) {
  size_t at = 0;
  for (; *name != '\0' && at + 2 < size; ++name) {
    if (*name == '%') out[at++] = '%';
    out[at++] = *name;
  }
  out[*name == '\0' ? at : 0] = '\0';
}

/* A word that is common to processes in one namespace of process ids; empty if the system has none. */
static inline void run_process_space(char* out, size_t size) {
  struct stat space;
  *out = '\0';
  if (stat("/proc/self/ns/pid", &space) != 0) return;
  snprintf(out, size, "%llu", (unsigned long long)space.st_ino);
}

#endif /* EVT_RECORD_VARIABLES_H_ */
