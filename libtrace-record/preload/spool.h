/* This process's side of evt run's memory for samples. Called by signal handlers, too. */
#ifndef EVT_RECORD_SPOOL_H_
#define EVT_RECORD_SPOOL_H_

#include "../recorded/sample_spool.h"

/* The file, mapped; NULL: it cannot be, or is another version's. */
struct run_spool* run_map_spool(const char* path);

/* A slot to be filled; NULL: none is free. */
struct run_slot* run_take_slot(struct run_spool* spool, enum run_slot_kind kind, uint64_t ns);
/* Its first `size` bytes are there. */
void run_give_slot(struct run_slot* slot, uint32_t size);

/* Sends which code this process has where. 0: there was no room. */
int run_send_code(struct run_spool* spool, uint64_t ns);

#endif /* EVT_RECORD_SPOOL_H_ */
