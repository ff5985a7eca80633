/* Bytes that this library itself reads: rings of killed programs, for instance. */
#ifndef EVT_RECORD_OWN_READS_H_
#define EVT_RECORD_OWN_READS_H_

#include <stdint.h>

/* A fact of each session: the bytes, since the one before. */
#define RUN_OWN_READS "evt.run.read_by_recording"

/* Number of bytes since the last call. */
uint64_t run_take_own_reads(void);

#endif /* EVT_RECORD_OWN_READS_H_ */
