/* What programs that are compiled with a newer C library expect of it, over that of 2.28. Hidden, so that no library
 * that such a program loads gets them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* stat() and the like were inline functions over these. A structure of either name is the same on 64 bits. */
enum { STAT_VERSION = 1 };
int __xstat(int version, const char* path, void* out);
int __lxstat(int version, const char* path, void* out);
int __fxstat(int version, int fd, void* out);
int __fxstatat(int version, int folder, const char* path, void* out, int flags);

#define STAT_OF(name, parameters, call)       \
  HIDDEN int name parameters;                 \
  HIDDEN int name parameters { return call; } \
  HIDDEN int name##64 parameters __attribute__((alias(#name)));
STAT_OF(stat, (const char* path, void* out), __xstat(STAT_VERSION, path, out))
STAT_OF(lstat, (const char* path, void* out), __lxstat(STAT_VERSION, path, out))
STAT_OF(fstat, (int fd, void* out), __fxstat(STAT_VERSION, fd, out))
STAT_OF(fstatat, (int folder, const char* path, void* out, int flags),
        __fxstatat(STAT_VERSION, folder, path, out, flags))

/* What the C++ library asks before it does without atomic instructions: it never may. */
HIDDEN char __libc_single_threaded = 0;

/* What the C++ library seeds generators with. */
HIDDEN uint32_t arc4random(void) {
  uint32_t number = 0;
  if (getentropy(&number, sizeof number) != 0) abort();
  return number;
}

/* The unwinder's way to a function's frame description. */
struct search {
  ElfW(Addr) address;
  struct dl_find_object* found;
};

static int look(struct dl_phdr_info* info, size_t size, void* of) {
  struct search* const search = of;
  const ElfW(Phdr)* frames = NULL;
  int is_here = 0;
  (void)size;
  for (ElfW(Half) i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* const part = &info->dlpi_phdr[i];
    const ElfW(Addr) begin = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_GNU_EH_FRAME) frames = part;
    if (part->p_type != PT_LOAD || search->address < begin || search->address >= begin + part->p_memsz) continue;
    is_here = 1;
    search->found->dlfo_map_start = (void*)begin;
    search->found->dlfo_map_end = (void*)(begin + part->p_memsz);
  }
  if (!is_here || frames == NULL) return is_here;
  search->found->dlfo_eh_frame = (void*)(info->dlpi_addr + frames->p_vaddr);
  return 1;
}

HIDDEN int _dl_find_object(void* address, struct dl_find_object* found) {
  struct search search = {(ElfW(Addr))address, found};
  found->dlfo_flags = 0;
  found->dlfo_link_map = NULL;
  found->dlfo_eh_frame = NULL;
  dl_iterate_phdr(look, &search);
  return found->dlfo_eh_frame == NULL ? -1 : 0;
}
