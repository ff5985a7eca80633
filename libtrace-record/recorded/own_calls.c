#define _GNU_SOURCE
#include "own_calls.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "object_slots.h"

/* What one of them gives, another must take. */
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
  dlerror(); /* of what was not found: the program shall not see it */
}
