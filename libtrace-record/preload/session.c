#define _GNU_SOURCE
#include "session.h"

#include <errno.h>
#include <evt/emit_events.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "../hooks/hooks.h"
#include "../recorded/aside.h"
#include "../recorded/entry.h"
#include "../recorded/object_slots.h"
#include "../recorded/real.h"
#include "../recorded/recording.h"
#include "../recorded/restriction_events.h"
#include "../recorded/thread_stream.h"
#include "connections.h"
#include "descriptors.h"
#include "jumps.h"
#include "own_reads.h"
#include "sampling.h"
#include "spool.h"
#include "symbols.h"
#include "variables.h"
#include "waits.h"

static char folder[PATH_MAX];
static unsigned groups; /* bits of enum run_group */
static int follows_children;
static int is_scheduling_recorded;
static char process_space[32]; /* evt run's; empty: unknown */
static uint64_t budget[6];     /* what RUN_BUDGET_VARIABLE has */
static long waited_for;        /* the process whose stops its parent records; 0: none */

static const char* const kGroups[RUN_GROUPS] = {"files", "sockets", "waiting", "threads", "processes", "memory"};
static const char* const kResources[RUN_RESOURCES] = {
    "",      "file", "pipe",      "socket",    "terminal", "device", "other descriptor", "descriptors",
    "sleep", "lock", "condition", "semaphore", "barrier",  "thread", "process",          "memory"};

static const struct {
  enum run_group group;
  const char* name;
} kCalls[RUN_CALLS] = {
#define CALL(group, name, bytes) {RUN_##group, #name},
#include "../recorded/calls.def"
};

static unsigned groups_in(const char* names) {
  unsigned bits = 0;
  while (names != NULL && *names != '\0') {
    const size_t length = strcspn(names, ",");
    for (unsigned group = 0; group < RUN_GROUPS; ++group) {
      if (strlen(kGroups[group]) == length && strncmp(kGroups[group], names, length) == 0) bits |= 1u << group;
    }
    names += length;
    if (*names == ',') ++names;
  }
  return bits;
}

static const evt_type* declare(const char* name, const char* what, uint16_t role, const evt_field* fields,
                               uint32_t field_count) {
  evt_event_type type = {0};
  type.name = name;
  type.description = what;
  type.role = role;
  type.fields = fields;
  type.field_count = field_count;
  return evt_declare(run_session.writer, &type, NULL);
}

/* An event about a thread, by the system's thread id: the same in all processes until the next boot. */
static const evt_type* declare_thread_event(const char* name, const char* what, uint16_t role, int has_name) {
  evt_field fields[] = {EVT_FIELD_U64("thread", EVT_ROLE_THREAD), EVT_FIELD_TEXT("name", EVT_ROLE_NAME)};
  fields[0].scope = EVT_SCOPE_BOOT;
  return declare(name, what, role, fields, has_name ? 2 : 1);
}

/* An ordinary call in half of the bytes. */
static const evt_type* declare_buffered_call(void) {
  const evt_field fields[] = {
      EVT_FIELD_INTERNED("function", EVT_ROLE_FUNCTION), EVT_FIELD_U32("object", EVT_ROLE_OBJECT),
      EVT_FIELD_INTERNED("resource", EVT_ROLE_RESOURCE), EVT_FIELD_U32("amount", EVT_ROLE_AMOUNT),
      EVT_FIELD_TICK_DELTA("duration", EVT_ROLE_DURATION)};
  return declare("run.buffered_call", "a function returns that has read or written the buffer of a file alone",
                 EVT_ROLE_CALL, fields, sizeof fields / sizeof *fields);
}

static const evt_type* declare_wait_begin(void) {
  evt_field fields[] = {EVT_FIELD_INTERNED("function", EVT_ROLE_FUNCTION), EVT_FIELD_U64("object", EVT_ROLE_OBJECT),
                        EVT_FIELD_INTERNED("resource", EVT_ROLE_RESOURCE), EVT_FIELD_U64("holder", EVT_ROLE_HOLDER)};
  fields[3].scope = EVT_SCOPE_BOOT;
  return declare("run.wait_begin", "a function is called that waits for a thread", EVT_ROLE_CALL_BEGIN, fields, 4);
}

static const evt_type* declare_socket_name(void) {
  evt_field fields[] = {EVT_FIELD_U64("object", EVT_ROLE_OBJECT), EVT_FIELD_TEXT("name", EVT_ROLE_NAME),
                        EVT_FIELD_U64("end", EVT_ROLE_FLOW)};
  fields[2].scope = EVT_SCOPE_BOOT;
  return declare("run.socket_name", "a socket is an end of a connection; the ends differ in the lowest bit of `end`",
                 EVT_ROLE_OBJECT_NAME, fields, 3);
}

static const evt_type* declare_release(void) {
  const evt_field object = EVT_FIELD_U64("object", EVT_ROLE_OBJECT);
  return declare("run.release", "a thread releases or signals what another waits for", EVT_ROLE_LOCK_RELEASE, &object,
                 1);
}

/* With only what is known of a hooked call, because there are many. */
static void declare_import_events(void) {
  const evt_field fields[] = {EVT_FIELD_INTERNED("function", EVT_ROLE_FUNCTION),
                              EVT_FIELD_INTERNED("library", EVT_ROLE_RESOURCE)};
  run_session.import_begin =
      declare("run.import_begin", "an imported function is called", EVT_ROLE_CALL_BEGIN, fields, 2);
  run_session.import_end = declare("run.import_end", "it returns, or was left", EVT_ROLE_CALL_END, fields, 1);
}

static void declare_events(void) {
  evt_writer* const writer = run_session.writer;
  run_session.call_begin = evt_declare_standard(writer, EVT_EVENT_CALL_BEGIN, NULL);
  run_session.call_end = evt_declare_standard(writer, EVT_EVENT_CALL_END, NULL);
  run_session.wait_begin = declare_wait_begin();
  run_session.buffered_call = declare_buffered_call();
  run_session.object_open = evt_declare_standard(writer, EVT_EVENT_OBJECT_OPEN, NULL);
  run_session.object_name = evt_declare_standard(writer, EVT_EVENT_OBJECT_NAME, NULL);
  run_session.socket_name = declare_socket_name();
  run_session.object_close = evt_declare_standard(writer, EVT_EVENT_OBJECT_CLOSE, NULL);
  run_session.thread_create =
      declare_thread_event("run.thread_create", "a thread exists from now on", EVT_ROLE_THREAD_CREATE, 0);
  run_session.thread_name =
      declare_thread_event("run.thread_name", "a thread is called so from now on", EVT_ROLE_THREAD_NAME, 1);
  /* A thread runs on for some time after its last wrapper, as its switches show. */
  static const evt_type none = {0, NULL};
  run_session.release = (groups >> RUN_WAITING & 1) != 0 ? declare_release() : &none;
  run_session.thread_exit =
      is_scheduling_recorded ? &none
                             : declare_thread_event("run.thread_exit", "a thread is no more", EVT_ROLE_THREAD_EXIT, 0);
  if (!run_session.has_system_numbers) {
    run_session.thread_create = run_session.thread_name = run_session.thread_exit = &none;
  }
  if (run_has_hooks()) declare_import_events();
  for (int call = 0; call < RUN_CALLS; ++call) {
    const char* const name = kCalls[call].name;
    const int is_wanted = (groups >> kCalls[call].group & 1) != 0;
    run_session.names[call] = name;
    run_session.functions[call] = is_wanted ? evt_intern(writer, name, strlen(name)) : 0;
  }
  for (int resource = 1; resource < RUN_RESOURCES; ++resource) {
    run_session.resources[resource] = evt_intern(writer, kResources[resource], strlen(kResources[resource]));
  }
}

/* Nothing of it may show in the program's output. */
static void ignore_notice(void* context, const evt_notice* notice) {
  (void)context;
  (void)notice;
}

/* In a separate namespace, as in a container that the program makes, processes and threads have other ids than for evt
 * run, which may be those of others. */
static int is_in_other_space(void) {
  char own[sizeof process_space];
  run_process_space(own, sizeof own);
  return *own != '\0' && *process_space != '\0' && strcmp(own, process_space) != 0;
}

/* Nearly all of it is read where sessions begin. */
static void state_own_reads(void) {
  char bytes[24];
  snprintf(bytes, sizeof bytes, "%llu", (unsigned long long)run_take_own_reads());
  evt_fact(run_session.writer, EVT_FACT_SCOPE_SESSION, 0, RUN_OWN_READS, bytes, NULL);
}

static void open_session(void* nothing) {
  (void)nothing;
  /* One process may have several, before an exec and after it: the ring of the earlier one is saved into the file.
   */
  char escaped[2 * PATH_MAX];
  char path[sizeof escaped + 64];
  run_escape_folder(folder, escaped, sizeof escaped);
  evt_options options = {0};
  options.rotate_bytes = budget[0];
  options.rotate_ns = budget[1];
  options.keep_bytes = budget[2];
  options.keep_ns = budget[3];
  options.flight_bytes = budget[4];
  options.flight_ns = budget[5];
  const int has_budget = (budget[0] | budget[1] | budget[2] | budget[3] | budget[4] | budget[5]) != 0;
  snprintf(path, sizeof path, has_budget ? "%s/%ld.%%n.evt" : "%s/%ld.evt", escaped, (long)getpid());
  options.on_notice = ignore_notice;
  options.append = !has_budget; /* else each has files of its own */
  options.short_lived = 1;
  ++run_session.number;
  run_recorded_threads = 0;
  run_session.writer = evt_open(path, &options, NULL);
  if (run_session.writer == NULL) return; /* the folder is gone, or the disk is full: evt run sees no session */
  if (getpid() == waited_for) evt_switch_types(run_session.writer, "process.stopped", 0);
  run_session.has_system_numbers = !is_in_other_space();
  declare_events();
  run_forget_variables();
  state_own_reads();
  run_hooks_session_opened();
  run_begin_thread(0);
}

/* Handlers of signals may call wrappers, or end the program, while a lock of the writer is held: so it is done aside.
 */
static void open_aside(void) { run_aside(open_session, NULL); }

void run_session_of_child(void) {
  if (run_is_shut) return; /* the parent's restriction holds for it, too */
  const int was_recorded = run_session.writer != NULL;
  run_session.writer = NULL;
  run_session.process = getpid();
  run_take_own_reads(); /* its parent's */
  run_thread.stream = NULL;
  run_entry_of_child();
  run_aside_of_child();
  run_forget_descriptors();
  run_forget_starts();
  if (was_recorded && follows_children) open_aside();
  run_forget_sent_code();
  run_start_sampling_in_child(follows_children);
}

/* evt run has appended its own option. */
static void restore_sanitizer_options(void) {
  const char* const now = getenv("ASAN_OPTIONS");
  const size_t length = now != NULL ? strlen(now) : 0;
  const size_t own = strlen(RUN_SANITIZER_OPTION);
  if (length < own || strcmp(now + length - own, RUN_SANITIZER_OPTION) != 0) return;
  if (length == own) {
    unsetenv("ASAN_OPTIONS");
    return;
  }
  char* const before = strndup(now, length - own - 1); /* and the colon */
  if (before != NULL) setenv("ASAN_OPTIONS", before, 1);
  free(before);
}

/* Restores the environment from before evt run: programs that this one starts are not recorded. */
static void hide_from_children(void) {
  const char* const before = getenv(RUN_BEFORE_VARIABLE);
  if (before != NULL) {
    setenv("LD_PRELOAD", before, 1);
  } else {
    unsetenv("LD_PRELOAD");
  }
  restore_sanitizer_options();
  unsetenv(RUN_FOLDER_VARIABLE);
  unsetenv(RUN_CALLS_VARIABLE);
  unsetenv(RUN_ALONE_VARIABLE);
  unsetenv(RUN_SCHED_VARIABLE);
  unsetenv(RUN_HOOKS_VARIABLE);
  unsetenv(RUN_GLOBS_VARIABLE);
  unsetenv(RUN_BUDGET_VARIABLE);
  if (getenv(RUN_NOW_VARIABLE) != NULL) unsetenv("LD_BIND_NOW");
  unsetenv(RUN_NOW_VARIABLE);
  unsetenv(RUN_STOPS_VARIABLE);
  unsetenv(RUN_SPACE_VARIABLE);
  unsetenv(RUN_SAMPLES_VARIABLE);
  unsetenv(RUN_BEFORE_VARIABLE);
  unsetenv(RUN_RATE_VARIABLE);
}

/* Present in a program that is built with a sanitizer: it would take the writer's memory and threads for the
 * program's. */
extern void __asan_init(void) __attribute__((weak));
extern void __lsan_init(void) __attribute__((weak));
extern void __msan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));

static int has_sanitizer(void) {
  return __asan_init != NULL || __lsan_init != NULL || __msan_init != NULL || __tsan_init != NULL;
}

__attribute__((constructor)) static void begin_session(void) {
  run_bind_own_calls();
  run_find_reals();
  run_pass_formats();
  run_pass_syscalls();
  const char* const where = getenv(RUN_FOLDER_VARIABLE);
  if (where == NULL || *where != '/' || strlen(where) >= sizeof folder) return;
  if (has_sanitizer()) return;
  if (getauxval(AT_SECURE) != 0) return; /* it has more rights than its user, who must not say where it writes */
  strcpy(folder, where);
  run_prepare_connections(folder);
  run_session.process = getpid();
  groups = groups_in(getenv(RUN_CALLS_VARIABLE));
  follows_children = getenv(RUN_ALONE_VARIABLE) == NULL;
  is_scheduling_recorded = getenv(RUN_SCHED_VARIABLE) != NULL;
  const char* const bounds = getenv(RUN_BUDGET_VARIABLE);
  if (bounds != NULL) {
    sscanf(bounds, "%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64, &budget[0], &budget[1],
           &budget[2], &budget[3], &budget[4], &budget[5]);
  }
  const char* const process = getenv(RUN_STOPS_VARIABLE);
  waited_for = process != NULL ? strtol(process, NULL, 10) : 0;
  const char* const space = getenv(RUN_SPACE_VARIABLE);
  snprintf(process_space, sizeof process_space, "%s", space != NULL ? space : "");
  /* Before the environment is changed, in which they are. */
  char globs[4096];
  const char* const hooks = getenv(RUN_HOOKS_VARIABLE);
  const char* const wanted = getenv(RUN_GLOBS_VARIABLE);
  snprintf(globs, sizeof globs, "%s", wanted != NULL ? wanted : "");
  run_hooks_prepare(hooks);
  if (!run_hooks_count()) open_aside();
  const char* const samples = getenv(RUN_SAMPLES_VARIABLE);
  struct run_spool* const spool = samples != NULL && !is_in_other_space() ? run_map_spool(samples) : NULL;
  run_note_stack((const void*)getauxval(AT_EXECFN), (size_t)64 << 20); /* below are no mappings but its own */
  run_start_waits(spool);
  run_start_sampling(spool);
  if (!follows_children) hide_from_children();
  run_hooks_start(globs, folder, follows_children);
}

static void close_session(void* nothing) {
  (void)nothing;
  run_end_thread();
  evt_close(run_session.writer, NULL);
}

void run_pause_session(void) { run_aside(close_session, NULL); }

void run_resume_session(void) {
  run_forget_descriptors();
  open_aside();
}

/* `threads`: number of threads left out; below 0: there is no such field. */
static void emit_mark(const char* name, const char* what, int64_t threads) {
  evt_writer* const writer = run_session.writer;
  if (writer == NULL) return;
  const evt_field field = EVT_FIELD_U32(RUN_UNRESTRICTED_THREADS);
  evt_stream* const stream = run_stream() != NULL ? run_stream() : evt_stream_open(writer, "");
  evt_row row = evt_begin(stream, declare(name, what, EVT_ROLE_MARK, &field, threads >= 0 ? 1 : 0));
  if (row.p == NULL) return;
  if (threads >= 0) evt_u32(&row, (uint32_t)threads);
  evt_commit(&row);
}

/* In the child of a fork that was not seen its streams are empty; in another process that runs in this one's memory
 * they are this one's. */
static int is_of_other_process(void) {
  return getpid() != run_session.process && run_thread.stream != NULL && evt_stream_id(run_thread.stream) != 0;
}

static void end_recording(void* nothing) {
  (void)nothing;
  run_pause_sampling();
  emit_mark(RUN_RESTRICTED, "the program restricts its system calls: it is not recorded from here on", -1);
  run_shut();
  ++run_session.number;
  /* First, as threads that wait for room in its ring are let go by it. */
  if (run_session.writer != NULL) evt_close(run_session.writer, NULL);
  run_await_others();
  run_hooks_stop();
}

int run_end_recording(void) {
  if (run_is_shut || is_of_other_process()) return 0;
  run_aside(end_recording, NULL);
  return 1;
}

static void record_again(void* nothing) {
  (void)nothing;
  run_open();
  run_resume_sampling();
  run_hooks_go_on();
  if (run_session.writer == NULL) return;
  const unsigned threads = run_recorded_threads;
  run_resume_session();
  emit_mark(RUN_UNRESTRICTED, "the system refused the restriction: recording goes on, but for other threads of then",
            threads > 1 ? threads - 1 : 0);
}

void run_record_again(void) { run_aside(record_again, NULL); }

static void end_hooks(void* nothing) {
  (void)nothing;
  run_hooks_end();
}

__attribute__((destructor)) static void end_session(void) {
  if (!run_enter()) return;
  run_aside(end_hooks, NULL);
  run_end_sampling();
  if (run_session.writer != NULL && !run_is_in_vfork_child()) run_pause_session();
  run_leave();
}
