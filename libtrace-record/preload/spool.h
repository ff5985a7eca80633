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

/* Copies the top of the slot's stack into it, as far as there is one; returns its size. */
uint32_t run_copy_stack(struct run_spool* spool, struct run_slot* slot);
/* The calling thread's stack ends at `to`, and has at least `size` bytes: for systems that refuse process_vm_readv. */
void run_note_stack(const void* to, size_t size);
/* Copies a name, or as much of it as there is room for. */
void run_copy_text(char to[RUN_SLOT_NAME], const char* from);

/* Sends which code this process has where, unless evt run knows it. */
void run_send_new_code(struct run_spool* spool, uint64_t ns);
/* Some was unmapped, and others may have its place later; or this is the child of a fork. */
void run_forget_sent_code(void);

#endif /* EVT_RECORD_SPOOL_H_ */
