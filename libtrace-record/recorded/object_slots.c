#define _GNU_SOURCE
#include "object_slots.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int run_find_slots(const struct dl_phdr_info* object, struct run_slots* slots) {
  const ElfW(Dyn)* entry = NULL;
  for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
    if (object->dlpi_phdr[i].p_type == PT_DYNAMIC) {
      entry = (const ElfW(Dyn)*)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    }
  }
  for (; entry != NULL && entry->d_tag != DT_NULL; ++entry) {
    /* The loader has made addresses of most, not of all. */
    const uintptr_t value = entry->d_un.d_ptr;
    const uintptr_t address = value < object->dlpi_addr ? object->dlpi_addr + value : value;
    switch (entry->d_tag) {
      case DT_JMPREL:
        slots->relocations[0] = (const ElfW(Rela)*)address;
        break;
      case DT_PLTRELSZ:
        slots->counts[0] = value / sizeof(ElfW(Rela));
        break;
      case DT_RELA:
        slots->relocations[1] = (const ElfW(Rela)*)address;
        break;
      case DT_RELASZ:
        slots->counts[1] = value / sizeof(ElfW(Rela));
        break;
      case DT_SYMTAB:
        slots->symbols = (const ElfW(Sym)*)address;
        break;
      case DT_STRTAB:
        slots->texts = (const char*)address;
        break;
      default:
        break;
    }
  }
  for (int table = 0; table < 2; ++table) {
    if (slots->relocations[table] == NULL) slots->counts[table] = 0;
  }
  return slots->symbols != NULL && slots->texts != NULL;
}

static int protect(const struct dl_phdr_info* object, int rights) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)* const part = &object->dlpi_phdr[i];
    if (part->p_type != PT_GNU_RELRO) continue;
    const uintptr_t from = (object->dlpi_addr + part->p_vaddr) & -page;
    const uintptr_t size = (object->dlpi_addr + part->p_vaddr + part->p_memsz - from) & -page;
    if (size != 0 && mprotect((void*)from, size, rights) != 0) return 0;
  }
  return 1;
}

int run_unlock_slots(const struct dl_phdr_info* object) { return protect(object, PROT_READ | PROT_WRITE); }
void run_lock_slots(const struct dl_phdr_info* object) { protect(object, PROT_READ); }
