/* The system's names of objects that were not opened by a name. */
#ifndef EVT_RECORD_OBJECT_NAMES_H_
#define EVT_RECORD_OBJECT_NAMES_H_

#include <evt/emit.h>

#include "../recorded/recording.h"
#include "connections.h"

struct run_unnamed {
  evt_stream* stream;
  uint64_t number;
  int fd;
  enum run_resource kind;
  const struct run_peer* to; /* for a socket that is being connected; NULL: it has a peer, or is not a socket */
  uint64_t end;              /* which end of which connection; 0: its addresses show that */
};

/* Records the name of a struct run_unnamed. Takes several KiB of stack: to be called aside. */
void run_find_name(void* unnamed);

#endif /* EVT_RECORD_OBJECT_NAMES_H_ */
