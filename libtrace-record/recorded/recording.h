/* What this process records, and the types and texts of its events. Set before a thread has a stream. */
#ifndef EVT_RECORD_RECORDING_H_
#define EVT_RECORD_RECORDING_H_

#include <evt/emit.h>

enum run_call {
#define CALL(group, name, bytes) RUN_##name,
#include "calls.def"
  RUN_CALLS,
};

enum run_group { RUN_FILES, RUN_SOCKETS, RUN_WAITING, RUN_THREADS, RUN_PROCESSES, RUN_MEMORY, RUN_GROUPS };

enum run_resource {
  RUN_NO_RESOURCE,
  RUN_FILE,
  RUN_PIPE,
  RUN_SOCKET,
  RUN_TERMINAL,
  RUN_DEVICE,
  RUN_OTHER, /* not a file: epoll, timers, events */
  RUN_DESCRIPTORS,
  RUN_SLEEP, /* by which analyses know that a stop of the process did not delay the call */
  RUN_LOCK,
  RUN_CONDITION,
  RUN_SEMAPHORE,
  RUN_BARRIER,
  RUN_THREAD,
  RUN_PROCESS,
  RUN_ALLOCATION,
  RUN_RESOURCES,
};

struct run_session {
  evt_writer* writer;     /* NULL: nothing is recorded */
  unsigned number;        /* counts the process's sessions: threads with a stream in this one record */
  long process;           /* the process that it belongs to */
  int has_system_numbers; /* threads and processes have those by which others know them */
  const evt_type* call_begin;
  const evt_type* call_end;
  const evt_type* wait_begin;    /* the begin of a call whose wait another thread ends */
  const evt_type* release;       /* another thread waits for what is released */
  const evt_type* buffered_call; /* did not call the system: recorded as one event */
  const evt_type* import_begin;  /* for hooked functions */
  const evt_type* import_end;
  const evt_type* object_open;
  const evt_type* object_name;
  const evt_type* socket_name; /* the name of a socket whose peer is known */
  const evt_type* object_close;
  const evt_type* thread_create;
  const evt_type* thread_name;
  const evt_type* thread_exit;
  const char* names[RUN_CALLS];
  uint32_t functions[RUN_CALLS]; /* interned; 0: not recorded, as its group is off */
  uint32_t resources[RUN_RESOURCES];
};

extern struct run_session run_session;

#endif /* EVT_RECORD_RECORDING_H_ */
