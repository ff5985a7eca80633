/* The slots of a loaded object, through which it calls its imports. */
#ifndef EVT_RECORD_OBJECT_SLOTS_H_
#define EVT_RECORD_OBJECT_SLOTS_H_

#include <link.h>
#include <stddef.h>

/* Contents of its dynamic section. */
struct run_slots {
  const ElfW(Rela) * relocations[2];
  size_t counts[2];
  const ElfW(Sym) * symbols;
  const char* texts;
};

/* 0: it imports nothing. */
int run_find_slots(const struct dl_phdr_info* object, struct run_slots* slots);

/* True for a relocation that sets a slot. `is_plain`: in a table that is used only for calls. */
static inline int run_is_of_slot(const ElfW(Rela) * relocation, unsigned* is_plain) {
#if defined(__x86_64__)
  enum { kCalled = R_X86_64_JUMP_SLOT, kOther = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
  enum { kCalled = R_AARCH64_JUMP_SLOT, kOther = R_AARCH64_GLOB_DAT };
#else
  enum { kCalled = -1, kOther = -1 };
#endif
  const long type = (long)ELF64_R_TYPE(relocation->r_info);
  *is_plain = type == kCalled;
  return type == kCalled || type == kOther;
}

/* Slots that the loader has made read-only can be written in between; 0: the system refuses. */
int run_unlock_slots(const struct dl_phdr_info* object);
void run_lock_slots(const struct dl_phdr_info* object);

/* From now on this library calls the C library directly, whatever the program and other libraries define under the same
 * names: a library that counts calls, or changes the time, sees only the program's calls. The allocator is the
 * program's. Called by the constructor. */
void run_bind_own_calls(void);

#endif /* EVT_RECORD_OBJECT_SLOTS_H_ */
