#define _GNU_SOURCE
#include "symbols.h"

#include <elf.h>
#include <errno.h>
#include <evt/emit_events.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../recorded/aside.h"
#include "../recorded/entry.h"
#include "../recorded/thread_stream.h"

enum {
  kTexts = 32768,
  kKnown = 512,
  kMostKnown = kKnown / 2,
  kPage = 4096,
  kMostName = 512,
  kMostLine = PATH_MAX + 128
};
/* That a session looks at: a tenth of a second, by which the program waits longer. */
static const uint64_t kMostSymbols = 1 << 24;

/* By their hashes; 0: none. */
static uintptr_t known[kKnown];
static const char* known_names[kKnown]; /* theirs, in `known_texts`; NULL: none */
static char known_texts[kTexts];
static size_t texts_size;
static unsigned count_known;
static uint64_t count_symbols;

static int is_first(uintptr_t address) {
  for (size_t place = (size_t)(address >> 3) * 0x9E3779B1u;; ++place) {
    uintptr_t* const at = &known[place % kKnown];
    uintptr_t there = __atomic_load_n(at, __ATOMIC_RELAXED);
    if (there == address) return 0;
    if (there != 0) continue;
    if (__atomic_load_n(&count_known, __ATOMIC_RELAXED) >= kMostKnown) return 0;
    if (__atomic_compare_exchange_n(at, &there, address, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      __atomic_add_fetch(&count_known, 1, __ATOMIC_RELAXED);
      return 1;
    }
    if (there == address) return 0;
  }
}

/* Where an address is that is known; below 0: it is not. */
static int place_of(uintptr_t address) {
  for (size_t place = (size_t)(address >> 3) * 0x9E3779B1u;; ++place) {
    const uintptr_t there = __atomic_load_n(&known[place % kKnown], __ATOMIC_RELAXED);
    if (there == address) return (int)(place % kKnown);
    if (there == 0) return -1;
  }
}

const char* run_name_of_variable(const void* address) {
  const int place = address != NULL ? place_of((uintptr_t)address) : -1;
  const char* const name = place >= 0 ? __atomic_load_n(&known_names[place], __ATOMIC_ACQUIRE) : NULL;
  return name != NULL ? name : "";
}

static void keep_name(uintptr_t address, const char* name) {
  const size_t size = strlen(name) + 1;
  const size_t at = __atomic_fetch_add(&texts_size, size, __ATOMIC_RELAXED);
  const int place = place_of(address);
  if (place < 0 || at > sizeof known_texts - size) return;
  memcpy(known_texts + at, name, size);
  __atomic_store_n(&known_names[place], known_texts + at, __ATOMIC_RELEASE);
}

void run_forget_variables(void) {
  memset(known, 0, sizeof known);
  memset(known_names, 0, sizeof known_names);
  texts_size = 0;
  count_known = 0;
  count_symbols = 0;
}

/* A file as it is loaded: its first page is at `base`. */
struct module {
  uintptr_t base; /* 0: there is none */
  char path[PATH_MAX];
};

/* The last file that was loaded from its start on below the address. Not by the loader, whose lock another thread may
 * hold that waits for this one. */
static void find_module(uintptr_t address, struct module* found) {
  char text[kMostLine];
  size_t size = 0;
  found->base = 0;
  const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  for (ssize_t more = 1; fd >= 0 && more > 0;) {
    more = read(fd, text + size, sizeof text - size - 1);
    if (more > 0) size += (size_t)more;
    text[size] = '\0';
    char* line = text;
    for (char* end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
      unsigned long start, offset;
      char access[5];
      int path = 0;
      *end = '\0';
      const int is_file = sscanf(line, "%lx-%*x %4s %lx %*x:%*x %*u %n", &start, access, &offset, &path) == 3;
      if (is_file && start > address) more = 0;
      if (!is_file || more == 0 || offset != 0 || access[0] != 'r' || line[path] != '/') continue;
      found->base = start;
      snprintf(found->path, sizeof found->path, "%s", line + path);
    }
    size -= (size_t)(line - text);
    memmove(text, line, size);
    if (size == sizeof text - 1) more = 0; /* no line is that long */
  }
  if (fd >= 0) close(fd);
}

/* What is at an offset of a file, if the file has so much; NULL: it has not. */
struct file {
  const char* data;
  size_t size;
};
static const void* part_of(const struct file* file, uint64_t at, uint64_t size) {
  return at <= file->size && size <= file->size - at ? file->data + at : NULL;
}

/* Where the module has its first byte by the file's count of addresses; whether the address is inside of it. */
static int is_inside(const struct file* file, uintptr_t base, uintptr_t address, uintptr_t* shift) {
  const ElfW(Ehdr)* const front = part_of(file, 0, sizeof *front);
  const ElfW(Phdr)* const segments = part_of(file, front->e_phoff, (uint64_t)front->e_phnum * sizeof *segments);
  int is_there = 0;
  *shift = base;
  for (unsigned i = 0; segments != NULL && i < front->e_phnum; ++i) {
    if (segments[i].p_type == PT_LOAD && segments[i].p_offset == 0) *shift = base - segments[i].p_vaddr;
  }
  for (unsigned i = 0; segments != NULL && i < front->e_phnum; ++i) {
    const uintptr_t at = address - *shift;
    if (segments[i].p_type == PT_LOAD && at - segments[i].p_vaddr < segments[i].p_memsz) is_there = 1;
  }
  return is_there;
}

/* The name of the variable at this address in a table of symbols; `in`: how far it is from its start. */
static const char* symbol_in(const struct file* file, const ElfW(Shdr) * table, const ElfW(Shdr) * names, uintptr_t at,
                             uintptr_t* in) {
  const ElfW(Sym)* const symbols = part_of(file, table->sh_offset, table->sh_size);
  const char* const texts = part_of(file, names->sh_offset, names->sh_size);
  if (symbols == NULL || texts == NULL || names->sh_size == 0 || texts[names->sh_size - 1] != '\0') return NULL;
  const uint64_t count = table->sh_size / sizeof *symbols;
  if (__atomic_add_fetch(&count_symbols, count, __ATOMIC_RELAXED) > kMostSymbols) return NULL;
  for (uint64_t i = 0; i < count; ++i) {
    *in = at - symbols[i].st_value;
    const int is_it = (symbols[i].st_info & 15) == STT_OBJECT && *in < symbols[i].st_size;
    if (is_it && symbols[i].st_name < names->sh_size) return texts + symbols[i].st_name;
  }
  return NULL;
}

/* The linker's table if the file has one, else what the file exports. */
static const char* symbol_of(const struct file* file, uintptr_t at, uintptr_t* in) {
  const ElfW(Ehdr)* const front = part_of(file, 0, sizeof *front);
  const ElfW(Shdr)* const sections = part_of(file, front->e_shoff, (uint64_t)front->e_shnum * sizeof *sections);
  const unsigned kinds[] = {SHT_SYMTAB, SHT_DYNSYM};
  for (unsigned n = 0; sections != NULL && n < 2; ++n) {
    for (unsigned i = 0; i < front->e_shnum; ++i) {
      if (sections[i].sh_type != kinds[n] || sections[i].sh_link >= front->e_shnum) continue;
      const char* const name = symbol_in(file, &sections[i], &sections[sections[i].sh_link], at, in);
      if (name != NULL) return name;
    }
  }
  return NULL;
}

/* As C++ has it: app::log of _ZN3app3logE and _ZL3log; others stay as they are. */
static void write_plain(const char* symbol, char* out, size_t size) {
  const int is_nested = strncmp(symbol, "_ZN", 3) == 0;
  const char* at = symbol + (is_nested ? 3 : 2);
  size_t written = 0;
  int is_plain = strncmp(symbol, "_Z", 2) == 0;
  do {
    if (is_plain && *at == 'L') ++at;
    char* end = NULL;
    const unsigned long length = is_plain && *at >= '1' && *at <= '9' ? strtoul(at, &end, 10) : 0;
    is_plain = length > 0 && length <= strlen(end) && written + length + 3 < size;
    if (!is_plain) break;
    const int is_nameless = length == 12 && strncmp(end, "_GLOBAL__N_1", 12) == 0;
    if (!is_nameless) {
      written += (size_t)snprintf(out + written, size - written, "%s%.*s", written > 0 ? "::" : "", (int)length, end);
    }
    at = end + length;
  } while (is_nested && *at != 'E');
  if (!is_plain || written == 0 || strcmp(at, is_nested ? "E" : "") != 0) snprintf(out, size, "%s", symbol);
}

static void find_name(const struct file* file, uintptr_t base, uintptr_t address, char* out, size_t size) {
  uintptr_t shift, in = 0;
  if (!is_inside(file, base, address, &shift)) return;
  const char* const symbol = symbol_of(file, address - shift, &in);
  if (symbol == NULL) return;
  int written = snprintf(out, size, "%s.%ld:", program_invocation_short_name, (long)getpid());
  if (written < 0 || (size_t)written >= size) return;
  write_plain(symbol, out + written, size - (size_t)written);
  written = (int)strlen(out);
  if (in > 0) snprintf(out + written, size - (size_t)written, "+%lu", (unsigned long)in);
}

/* Whether the file is still the one that was loaded. */
static int is_same(const struct file* file, uintptr_t base) {
  return memcmp(file->data, ELFMAG, SELFMAG) == 0 && memcmp(file->data, (const void*)base, kPage) == 0;
}

static void name_aside(void* given) {
  const uintptr_t address = (uintptr_t)given;
  struct module module;
  char name[kMostName] = "";
  find_module(address, &module);
  const int fd = module.base != 0 ? open(module.path, O_RDONLY | O_CLOEXEC) : -1;
  struct stat facts;
  if (fd < 0) return;
  if (fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size >= kPage) {
    struct file file = {NULL, (size_t)facts.st_size};
    void* const mapped = mmap(NULL, file.size, PROT_READ, MAP_PRIVATE, fd, 0);
    file.data = mapped;
    if (mapped != MAP_FAILED && is_same(&file, module.base)) {
      find_name(&file, module.base, address, name, sizeof name);
    }
    if (mapped != MAP_FAILED) munmap(mapped, file.size);
  }
  close(fd);
  if (*name == '\0') return;
  evt_emit_object_name(run_thread.stream, run_session.object_name, address, name);
  keep_name(address, name);
}

void run_name_variable(const void* address) {
  if (!is_first((uintptr_t)address) || !run_enter()) return;
  run_aside(name_aside, (void*)(uintptr_t)address);
  run_leave();
}
