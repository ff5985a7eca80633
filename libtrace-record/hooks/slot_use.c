#define _GNU_SOURCE
#include "slot_use.h"

#include <stdint.h>
#include <string.h>

/* Of an address in the table's range; NULL: it is none of the slots. */
static struct run_slot_use* find(struct run_slot_use* slots, size_t count, uintptr_t address) {
  size_t low = 0;
  for (size_t high = count; low < high;) {
    const size_t middle = low + (high - low) / 2;
    if ((uintptr_t)slots[middle].slot < address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < count && (uintptr_t)slots[low].slot == address ? &slots[low] : NULL;
}

/* Whatever instruction it is: a byte that addresses by the instruction's end, and a distance to a slot. Behind the
 * distance may be a number of 1, 2 or 4 bytes. call and jmp are ff 15 and ff 25. */
static void look_at(const uint8_t* code, struct run_slot_use* slots, size_t count) {
  static const unsigned char kBehind[] = {0, 1, 2, 4};
  int32_t distance = 0;
  memcpy(&distance, code + 1, sizeof distance);
  const uintptr_t target = (uintptr_t)(code + 5) + (uintptr_t)(intptr_t)distance;
  const uintptr_t first = (uintptr_t)slots[0].slot;
  if (target + 4 - first > (uintptr_t)slots[count - 1].slot + 4 - first) return;
  for (unsigned i = 0; i < sizeof kBehind; ++i) {
    struct run_slot_use* const use = find(slots, count, target + kBehind[i]);
    if (use == NULL) continue;
    const int is_call = kBehind[i] == 0 && code[-1] == 0xff && (*code == 0x15 || *code == 0x25);
    if (is_call) use->is_called = 1;
    if (!is_call) use->is_read = 1;
  }
}

void run_find_slot_uses(const struct dl_phdr_info* object, struct run_slot_use* slots, size_t count) {
  for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)* const part = &object->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0 || part->p_filesz < 6) continue;
    if ((part->p_flags & PF_R) == 0) {
      for (size_t k = 0; k < count; ++k) slots[k].is_read = 1;
      continue;
    }
    const uint8_t* const from = (const uint8_t*)(object->dlpi_addr + part->p_vaddr);
    const uint8_t* const last = from + part->p_filesz - 5;
    for (const uint8_t* code = from + 1; code <= last; ++code) {
      if ((*code & 0xc7) == 0x05) look_at(code, slots, count);
    }
  }
}
