/* The table of counted calls of one process, a file in the folder of sessions that the process has in its memory: what
 * is in it is not lost, however the process ends. Chunks of one size, of which the first has the header; numbers of
 * this machine. C, and C++ to read it. */
#ifndef EVT_RECORD_COUNT_FILE_H_
#define EVT_RECORD_COUNT_FILE_H_

#include <stdint.h>

#define RUN_COUNT_MAGIC "evtcalls"

/* Calls by their time in ticks: exactly below 8, then four for each power of two; the last has all above. */
enum { RUN_BUCKETS = 168 };

enum { RUN_CHUNK = 65536, RUN_COUNT_THREADS = 1024, RUN_COUNT_VERSION = 1 };

/* Of one import in one thread. */
struct run_cell {
  uint64_t calls; /* begun; those that returned are in `lengths`, if they are timed */
  uint64_t ticks;
  uint64_t shortest; /* UINT64_MAX: none returned */
  uint64_t longest;
  uint32_t thread; /* in the header; 0: of those that have ended */
  uint32_t import;
  uint64_t lengths[RUN_BUCKETS];
};

struct run_count_thread {
  uint64_t number; /* the system's */
  char name[16];
};

/* Both clocks at one moment. */
struct run_count_moment {
  uint64_t ticks;
  uint64_t monotonic_ns;
};

struct run_count_header {
  char magic[8];
  uint32_t version;
  uint32_t is_timed;
  uint64_t process;
  int64_t start_utc_ns;
  struct run_count_moment first;
  struct run_count_moment last; /* that was noted */
  char program[64];
  uint32_t threads;  /* that have been used, 0 included */
  uint32_t is_short; /* no more of the file could be had: what was counted then is not in it */
  struct run_count_thread thread[RUN_COUNT_THREADS];
};

enum run_chunk_kind { RUN_CHUNK_FREE, RUN_CHUNK_NAMES, RUN_CHUNK_CELLS };

/* In front of the others. */
struct run_chunk {
  uint32_t kind;
  uint32_t used; /* bytes, this included */
};

/* In chunks of names; three texts follow: the function, the library, the caller; then up to 7 bytes, so that the next
 * is at a multiple of 8. */
struct run_count_name {
  uint32_t import;
  uint16_t sizes[3];
  uint16_t unused;
};

#endif /* EVT_RECORD_COUNT_FILE_H_ */
