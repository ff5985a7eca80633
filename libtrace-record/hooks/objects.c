#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../recorded/object_slots.h"
#include "import_table.h"
#include "selection.h"
#include "stubs.h"

enum { kObjects = 4096 };

struct object {
  const char* name; /* the last part of its path */
  const char* path;
  uintptr_t from;
  uintptr_t to;
};

static struct object objects[kObjects];
static unsigned object_count;
static unsigned left_out;
static run_instead instead_of;

static const struct object* object_at(uintptr_t address) {
  for (unsigned i = 0; i < object_count; ++i) {
    if (address - objects[i].from < objects[i].to - objects[i].from) return &objects[i];
  }
  return NULL;
}

/* True for addresses of this library. */
static int is_own(uintptr_t address) {
  extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));
  const struct object* const own = object_at((uintptr_t)&__ehdr_start);
  return own != NULL && own == object_at(address);
}

static const char* last_part(const char* path) {
  const char* const slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

static int note_object(struct dl_phdr_info* info, size_t size, void* nothing) {
  (void)size;
  (void)nothing;
  if (object_count == kObjects) return 1;
  struct object* const object = &objects[object_count++];
  object->path = info->dlpi_name;
  object->name = *info->dlpi_name != '\0' ? last_part(info->dlpi_name) : program_invocation_short_name;
  object->from = UINTPTR_MAX;
  object->to = 0;
  for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* const part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD) continue;
    const uintptr_t from = info->dlpi_addr + part->p_vaddr;
    if (from < object->from) object->from = from;
    if (from + part->p_memsz > object->to) object->to = from + part->p_memsz;
  }
  return 0;
}

/* Calls by the C library and the loader are not seen, and calls by this library are not the program's. */
static int is_left_alone(const struct object* object) {
  return is_own(object->from) || strncmp(object->name, "libc.so", 7) == 0 || strncmp(object->name, "ld-", 3) == 0 ||
         strncmp(object->name, "ld64", 4) == 0 || strncmp(object->name, "linux-vdso", 10) == 0;
}

/* A slot that is to be hooked. */
struct candidate {
  void** slot;
  struct run_import import;
  run_function instead; /* in place of a stub; NULL: a stub */
  unsigned is_plain;    /* in a table that is used only for calls */
};

struct list {
  struct candidate* all;
  size_t count;
};

/* A wrapper of this library without which a thread or child would have no session, its descriptors would be closed, or
 * it would continue after the program restricts its system calls. */
static int is_needed(const char* function) {
  static const char* const kNeeded[] = {"fork",    "forkpty", "daemon", "pthread_create", "pthread_setname_np",
                                        "unshare", "setns",   "close",  "close_range",    "closefrom",
                                        "dup2",    "dup3",    "prctl"};
  for (unsigned i = 0; i < sizeof kNeeded / sizeof *kNeeded; ++i) {
    if (strcmp(kNeeded[i], function) == 0) return 1;
  }
  return 0;
}

/* True if the slot's function belongs to another object; also finds its name there. */
static int look_at_slot(const struct object* caller, const char* name, struct candidate* found) {
  const uintptr_t now = (uintptr_t)*found->slot;
  if (now == 0 || run_is_stub((const void*)now)) return 0;
  const struct object* library = object_at(now);
  if (library == NULL || library == caller) return 0;
  struct run_import* const import = &found->import;
  import->name = name;
  import->caller = caller->name;
  import->function = (run_function)now;
  if (is_own(now)) {
    /* A wrapper of this library: hook what it wraps, unless sessions need the wrapper. */
    const run_function real = run_real_of(name, (run_function)now);
    if (real == NULL) return 0;
    library = object_at((uintptr_t)real);
    if (library == NULL) return 0;
    if (!is_needed(name)) import->function = real;
  }
  import->library = library->name;
  found->instead = instead_of(name, import->function);
  return found->instead != NULL || run_is_selected(library->name, name);
}

static int is_function(unsigned type) { return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE; }

static void find_candidates(const struct dl_phdr_info* info, const struct object* caller, const struct run_slots* slots,
                            struct list* list) {
  for (int table = 0; table < 2; ++table) {
    for (size_t i = 0; i < slots->counts[table]; ++i) {
      const ElfW(Rela)* const relocation = &slots->relocations[table][i];
      unsigned is_plain = 0;
      if (!run_is_of_slot(relocation, &is_plain)) continue;
      const ElfW(Sym)* const symbol = &slots->symbols[ELF64_R_SYM(relocation->r_info)];
      const char* const name = slots->texts + symbol->st_name;
      if (!is_function(ELF64_ST_TYPE(symbol->st_info)) || run_is_never_hooked(name)) continue;
      struct candidate* const found = &list->all[list->count];
      found->slot = (void**)(info->dlpi_addr + relocation->r_offset);
      found->is_plain = is_plain;
      if (look_at_slot(caller, name, found)) ++list->count;
    }
  }
}

/* How code uses a slot of its global offset table. A slot that is read as data, to be compared or passed on, is the
 * identity of a function, and stays. */
struct slot_use {
  void** slot;
  unsigned char is_called; /* by an instruction */
  unsigned char is_read;
};

/* The slot at an address in the table's range; NULL: not a slot. */
static struct slot_use* find_slot(struct slot_use* slots, size_t count, uintptr_t address) {
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

/* Looks for any instruction with a byte that addresses relative to the instruction's end, followed by a distance to a
 * slot. A number of 1, 2 or 4 bytes may follow. call and jmp are ff 15 and ff 25. */
static void look_at(const uint8_t* code, struct slot_use* slots, size_t count) {
  static const unsigned char kBehind[] = {0, 1, 2, 4};
  int32_t distance = 0;
  memcpy(&distance, code + 1, sizeof distance);
  const uintptr_t target = (uintptr_t)(code + 5) + (uintptr_t)(intptr_t)distance;
  const uintptr_t first = (uintptr_t)slots[0].slot;
  if (target + 4 - first > (uintptr_t)slots[count - 1].slot + 4 - first) return;
  for (unsigned i = 0; i < sizeof kBehind; ++i) {
    struct slot_use* const use = find_slot(slots, count, target + kBehind[i]);
    if (use == NULL) continue;
    const int is_call = kBehind[i] == 0 && code[-1] == 0xff && (*code == 0x15 || *code == 0x25);
    if (is_call) use->is_called = 1;
    if (!is_call) use->is_read = 1;
  }
}

/* Looks at all code of an object. `slots`: in the order of their addresses. */
static void find_slot_uses(const struct dl_phdr_info* object, struct slot_use* slots, size_t count) {
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

static int by_slot(const void* a, const void* b) {
  const struct slot_use* const x = a;
  const struct slot_use* const y = b;
  return x->slot < y->slot ? -1 : x->slot > y->slot;
}

/* Those that code reads as data are left. */
static void drop_read_slots(const struct dl_phdr_info* info, struct list* list) {
  size_t count = 0;
  for (size_t i = 0; i < list->count; ++i) count += list->all[i].is_plain ? 0 : 1;
  if (count == 0) return;
  const size_t size = count * sizeof(struct slot_use);
  struct slot_use* const uses = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (uses == MAP_FAILED) {
    list->count = 0;
    return;
  }
  size_t at = 0;
  for (size_t i = 0; i < list->count; ++i) {
    if (!list->all[i].is_plain) uses[at++].slot = list->all[i].slot;
  }
  qsort(uses, count, sizeof *uses, by_slot);
  find_slot_uses(info, uses, count);
  size_t kept = 0;
  for (size_t i = 0; i < list->count; ++i) {
    const struct slot_use wanted = {list->all[i].slot, 0, 0};
    const struct slot_use* const use =
        list->all[i].is_plain ? NULL : bsearch(&wanted, uses, count, sizeof *uses, by_slot);
    if (use != NULL && (!use->is_called || use->is_read)) continue;
    list->all[kept++] = list->all[i];
  }
  list->count = kept;
  munmap(uses, size);
}

static void write_slots(const struct dl_phdr_info* info, const struct list* list, const struct run_stubs* stubs) {
  if (!run_unlock_slots(info)) return;
  size_t stub = 0;
  for (size_t i = 0; i < list->count; ++i) {
    const run_function instead = list->all[i].instead;
    const uintptr_t stub_address = instead == NULL ? (uintptr_t)run_stub(stubs, stub++) : 0;
    __atomic_store_n((uintptr_t*)list->all[i].slot, instead != NULL ? (uintptr_t)instead : stub_address,
                     __ATOMIC_RELEASE);
  }
  run_lock_slots(info);
}

static void hook(const struct dl_phdr_info* info, const struct list* list) {
  size_t count = 0;
  for (size_t i = 0; i < list->count; ++i) count += list->all[i].instead == NULL ? 1 : 0;
  if (run_import_count + count > RUN_IMPORTS) {
    left_out |= RUN_TOO_MANY_IMPORTS;
    return;
  }
  const uint32_t from = run_import_count;
  for (size_t i = 0; i < list->count; ++i) {
    if (list->all[i].instead != NULL) continue;
    run_imports[run_import_count] = list->all[i].import;
    run_name_import(&run_imports[run_import_count++]);
  }
  const struct run_stubs stubs = run_make_stubs(from, count);
  if (stubs.code == NULL || !run_finish_stubs(&stubs)) {
    left_out |= RUN_NO_CODE_MEMORY;
    return;
  }
  write_slots(info, list, &stubs);
}

static int hook_object(struct dl_phdr_info* info, size_t size, void* nothing) {
  (void)size;
  (void)nothing;
  const struct object* caller = NULL;
  for (unsigned i = 0; i < object_count; ++i) {
    if (objects[i].path == info->dlpi_name) caller = &objects[i];
  }
  struct run_slots slots = {{NULL, NULL}, {0, 0}, NULL, NULL};
  if (caller == NULL || is_left_alone(caller) || !run_find_slots(info, &slots)) return 0;
  size_t most = 0;
  for (int table = 0; table < 2; ++table) {
    unsigned is_plain = 0;
    for (size_t i = 0; i < slots.counts[table]; ++i) {
      most += run_is_of_slot(&slots.relocations[table][i], &is_plain) ? 1 : 0;
    }
  }
  if (most == 0) return 0;
  struct list list = {NULL, 0};
  const size_t room = (most + 1) * sizeof(struct candidate);
  list.all = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (list.all == MAP_FAILED) return 0;
  find_candidates(info, caller, &slots, &list);
  drop_read_slots(info, &list);
  if (list.count > 0) hook(info, &list);
  munmap(list.all, room);
  return 0;
}

unsigned run_hook_imports(run_instead wanted) {
  instead_of = wanted;
  object_count = 0;
  left_out = 0;
  dl_iterate_phdr(note_object, NULL);
  dl_iterate_phdr(hook_object, NULL);
  return left_out;
}
