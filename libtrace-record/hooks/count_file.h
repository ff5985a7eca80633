/* The table of counted calls of one process, a file in the folder of sessions that the process maps: its content
 * survives, however the process ends. Chunks of one size, the first of which has the header; numbers in this machine's
 * format. C, and C++ to read it. */
#ifndef EVT_RECORD_COUNT_FILE_H_
#define EVT_RECORD_COUNT_FILE_H_

#include <stdint.h>

#define RUN_COUNT_MAGIC "evtcalls"

/* Calls by their time in ticks: exactly below 8, then four for each power of two; the last has all above. */
enum { RUN_BUCKETS = 168 };

enum { RUN_MEAN_OF = 1024 };

enum { RUN_CHUNK = 65536, RUN_COUNT_THREADS = 1024, RUN_COUNT_VERSION = 3 };

/* Counts of one import in one thread. A timed call represents calls that are not: its weight is their number, itself
 * included. */
struct run_cell {
  uint64_t calls;    /* begun, and `untimed` more, which come next */
  int32_t untimed;   /* below 0: the call that has begun is to be timed */
  uint32_t weight;   /* the next timed call's */
  uint64_t awaited;  /* total weight of timed calls that have begun; `lengths` has the weights of those that returned */
  uint64_t timed;    /* calls that have returned, each counted as 1; the next members are theirs */
  uint64_t ticks;    /* times their weights */
  uint64_t shortest; /* UINT64_MAX: none returned */
  uint64_t longest;
  uint64_t mean; /* recent mean, approximate: RUN_MEAN_OF times its ticks */
  uint64_t random;
  uint32_t thread; /* index in the header; 0: ended threads */
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
  struct run_count_moment last;       /* noted last */
  struct run_count_moment restricted; /* the program restricted its system calls, and is not counted from then on; 0 */
  char program[64];
  uint32_t threads;  /* in use so far, including 0 */
  uint32_t is_short; /* the file could not grow: later counts are not in it */
  struct run_count_thread thread[RUN_COUNT_THREADS];
};

enum run_chunk_kind { RUN_CHUNK_FREE, RUN_CHUNK_NAMES, RUN_CHUNK_CELLS };

/* Precedes the others. */
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
