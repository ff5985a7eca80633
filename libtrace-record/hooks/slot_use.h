/* How code uses slots of its global offset table. One that is read as data, to be compared or handed on, is the
 * identity of a function, and stays. */
#ifndef EVT_RECORD_SLOT_USE_H_
#define EVT_RECORD_SLOT_USE_H_

#include <link.h>
#include <stddef.h>

struct run_slot_use {
  void** slot;
  unsigned char is_called; /* by an instruction */
  unsigned char is_read;
};

/* Looks at all code of an object. `slots`: in the order of their addresses. */
void run_find_slot_uses(const struct dl_phdr_info* object, struct run_slot_use* slots, size_t count);

#endif /* EVT_RECORD_SLOT_USE_H_ */
