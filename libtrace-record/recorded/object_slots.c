#define _GNU_SOURCE
#include "object_slots.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
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

/* Memory of one of them must be freed by another. */
static int is_of_allocator(const char* name) {
  static const char* const kNames[] = {"malloc", "calloc",         "realloc",       "reallocarray",
                                       "free",   "posix_memalign", "aligned_alloc", "memalign"};
  for (unsigned i = 0; i < sizeof kNames / sizeof *kNames; ++i) {
    if (strcmp(kNames[i], name) == 0) return 1;
  }
  return 0;
}

static void bind(const struct dl_phdr_info* object, const struct run_slots* slots, void* c_library) {
  for (int table = 0; table < 2; ++table) {
    for (size_t i = 0; i < slots->counts[table]; ++i) {
      const ElfW(Rela)* const relocation = &slots->relocations[table][i];
      const ElfW(Sym)* const symbol = &slots->symbols[ELF64_R_SYM(relocation->r_info)];
      const char* const name = slots->texts + symbol->st_name;
      unsigned is_plain = 0;
      if (!run_is_of_slot(relocation, &is_plain)) continue;
      if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || is_of_allocator(name)) continue;
      void* const function = dlsym(c_library, name);
      if (function != NULL) *(void**)(object->dlpi_addr + relocation->r_offset) = function;
    }
  }
}

static int bind_if_own(struct dl_phdr_info* object, size_t size, void* c_library) {
  (void)size;
  Dl_info own;
  struct run_slots slots = {{NULL, NULL}, {0, 0}, NULL, NULL};
  if (dladdr((void*)(uintptr_t)run_bind_own_calls, &own) == 0) return 1;
  if (strcmp(own.dli_fname, object->dlpi_name) != 0) return 0;
  if (run_find_slots(object, &slots) && run_unlock_slots(object)) {
    bind(object, &slots, c_library);
    run_lock_slots(object);
  }
  return 1;
}

void run_bind_own_calls(void) {
  void* const c_library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (c_library == NULL) return;
  dl_iterate_phdr(bind_if_own, c_library);
  dlclose(c_library);
  dlerror(); /* clears errors about functions that were not found: the program must not see them */
}
