#include "stubs.h"

#include <string.h>
#include <sys/mman.h>

#include "count_file.h"
#include "handler.h"
#include "import_table.h"

enum { kPage = 4096, kAreas = 4096 };

/* Each area begins with the address of the trampoline. */
enum { kFront = 64, kShort = 16, kLong = 64 };

static struct run_stubs areas[kAreas];
static unsigned area_count;
static enum run_hook_mode mode;

void run_choose_stubs(enum run_hook_mode wanted) { mode = wanted; }

static int has_cells(void) { return mode == RUN_HOOKS_COUNT || mode == RUN_HOOKS_SAMPLE; }
static size_t size_of_stub(void) { return has_cells() ? kLong : kShort; }

struct writer {
  uint8_t* at;
};

static void put(struct writer* code, const char* bytes, size_t size) {
  memcpy(code->at, bytes, size);
  code->at += size;
}
#define PUT(code, bytes) put(code, bytes, sizeof(bytes) - 1)

static void put_u8(struct writer* code, uint8_t value) { *code->at++ = value; }

static void put_u32(struct writer* code, uint32_t value) {
  memcpy(code->at, &value, sizeof value);
  code->at += sizeof value;
}

/* Stores the distance to `target` from the instruction's end, which is the end of this displacement. */
static void put_distance(struct writer* code, const void* target) {
  put_u32(code, (uint32_t)((uintptr_t)target - ((uintptr_t)code->at + 4)));
}

/* mov $import, %r11d; jmp *trampoline */
static void put_entry(struct writer* code, uint32_t import, const void* trampoline) {
  PUT(code, "\x41\xbb");
  put_u32(code, import);
  PUT(code, "\xff\x25");
  put_distance(code, trampoline);
}

/* Counts in the cell of the thread, if it has one, or passes a call that is not timed:
 *   mov %fs:cells, %r11; test %r11, %r11; jz 1f; mov import * 8(%r11), %r11; test %r11, %r11; jz 1f
 *   incq calls(%r11), or: decl untimed(%r11); js 1f
 *   jmp *function; 1: ... */
static void put_count(struct writer* code, uint32_t import, const void* trampoline, uint8_t* stub) {
  enum { kFunctionAt = kLong - 8 };
  const run_function function = run_imports[import].function;
  memcpy(stub + kFunctionAt, &function, sizeof function);
  PUT(code, "\x64\x4c\x8b\x1c\x25");
  put_u32(code, (uint32_t)((uintptr_t)&run_hooked.cells - (uintptr_t)__builtin_thread_pointer()));
  const int is_sampled = mode == RUN_HOOKS_SAMPLE;
  PUT(code, "\x4d\x85\xdb\x74");
  put_u8(code, is_sampled ? 0x18 : 0x16);
  PUT(code, "\x4d\x8b\x9b");
  put_u32(code, import * (uint32_t)sizeof(struct run_cell*));
  PUT(code, "\x4d\x85\xdb\x74");
  put_u8(code, is_sampled ? 0x0c : 0x0a);
  if (is_sampled) {
    PUT(code, "\x41\xff\x4b");
    put_u8(code, offsetof(struct run_cell, untimed));
    PUT(code, "\x78\x06");
  } else {
    PUT(code, "\x49\xff\x43");
    put_u8(code, offsetof(struct run_cell, calls));
  }
  PUT(code, "\xff\x25");
  put_distance(code, stub + kFunctionAt);
  put_entry(code, import, trampoline);
}

struct run_stubs run_make_stubs(uint32_t from, size_t count) {
  struct run_stubs stubs = {NULL, (kFront + count * size_of_stub() + kPage - 1) / kPage * kPage};
  if (area_count == kAreas) return stubs;
  void* const memory = mmap(NULL, stubs.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return stubs;
  stubs.code = memory;
  void (*const trampoline)(void) = mode == RUN_HOOKS_TRACE   ? run_enter_trace
                                   : mode == RUN_HOOKS_COUNT ? run_enter_count
                                                             : run_enter_time;
  memcpy(stubs.code, &trampoline, sizeof trampoline);
  for (size_t i = 0; i < count; ++i) {
    uint8_t* const stub = run_stub(&stubs, i);
    struct writer code = {stub};
    const uint32_t import = from + (uint32_t)i;
    PUT(&code, "\xf3\x0f\x1e\xfa"); /* endbr64 */
    if (has_cells()) {
      put_count(&code, import, stubs.code, stub);
    } else {
      put_entry(&code, import, stubs.code);
    }
  }
  return stubs;
}

int run_finish_stubs(const struct run_stubs* stubs) {
  if (mprotect(stubs->code, stubs->size, PROT_READ | PROT_EXEC) != 0) {
    munmap(stubs->code, stubs->size);
    return 0;
  }
  areas[area_count++] = *stubs;
  return 1;
}

void* run_stub(const struct run_stubs* stubs, size_t index) { return stubs->code + kFront + index * size_of_stub(); }

int run_is_stub(const void* address) {
  for (unsigned i = 0; i < area_count; ++i) {
    if ((uintptr_t)address - (uintptr_t)areas[i].code < areas[i].size) return 1;
  }
  return 0;
}
