#define _GNU_SOURCE
#include "count_table.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../recorded/entry.h"
#include "count_file.h"
#include "handler.h"
#include "hooked_thread.h"
#include "import_table.h"

enum { kKeptEnded = 64 };
/* Addresses of the chunks, so that a child can replace them by its own. */
enum { kChunks = 1 << 16 };

static char folder[PATH_MAX];
static int is_timed;
static int is_off; /* nothing is kept: the memory is private to this process */

static char path[PATH_MAX + 64]; /* empty: there is no file */
static uint32_t chunk_count;
static void* chunks[kChunks];
static uint32_t unused_chunks; /* mapped, after those in use */
static struct run_count_header* header;
static struct run_chunk* names;
static struct run_chunk* cells;
static unsigned char is_named[RUN_IMPORTS];
static struct run_cell* of_ended[RUN_IMPORTS];

static uint64_t monotonic(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct run_count_moment moment(void) {
  struct run_count_moment best = {0, 0};
  uint64_t narrowest = UINT64_MAX;
  for (int attempt = 0; attempt < 3; ++attempt) {
    const uint64_t before = run_has_tsc ? __builtin_ia32_rdtsc() : 0;
    const uint64_t ns = monotonic();
    const uint64_t width = run_has_tsc ? __builtin_ia32_rdtsc() - before : 0;
    if (width >= narrowest) continue;
    narrowest = width;
    best.ticks = run_has_tsc ? before + width / 2 : ns;
    best.monotonic_ns = ns;
  }
  return best;
}

/* One that no process before had under this number. */
static void make_file(void) {
  for (int i = 0; i < 10000; ++i) {
    snprintf(path, sizeof path, "%s/%ld.%d.calls", folder, (long)getpid(), i);
    const int made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (made >= 0) {
      close(made);
      return;
    }
    if (errno != EEXIST) break;
  }
  path[0] = '\0';
}

/* Allocates blocks of the file before mapping it: a full disk must not end the program. The file is open only for this
 * time: the program may use its number. */
static char* map_chunks(off_t at, off_t size) {
  struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  getrlimit(RLIMIT_FSIZE, &limit); /* beyond it there is a signal */
  const int has_room = limit.rlim_cur >= (rlim_t)(at + size);
  const int file = has_room && path[0] != '\0' ? open(path, O_RDWR | O_CLOEXEC) : -1;
  const int is_in_file = file >= 0 && posix_fallocate(file, at, size) == 0;
  char* memory = MAP_FAILED;
  if (is_in_file || size == RUN_CHUNK) {
    const int flags = is_in_file ? MAP_SHARED | MAP_POPULATE : MAP_PRIVATE | MAP_ANONYMOUS;
    memory = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, flags, is_in_file ? file : -1, is_in_file ? at : 0);
  }
  if (file >= 0) close(file);
  if (size == RUN_CHUNK && !is_in_file && path[0] != '\0' && header != NULL) header->is_short = 1;
  return memory != MAP_FAILED ? memory : NULL;
}

/* The system limits the number of mappings: so each one has as many chunks as there were before, up to some MiB; or
 * one, if there is no room for more. */
static void* add_chunk(void) {
  enum { kMostAtOnce = 64 };
  if (chunk_count == kChunks) return NULL;
  if (unused_chunks == 0) {
    const off_t at = (off_t)chunk_count * RUN_CHUNK;
    uint32_t count = chunk_count > kMostAtOnce ? kMostAtOnce : chunk_count > 0 ? chunk_count : 1;
    if (count > kChunks - chunk_count) count = kChunks - chunk_count;
    char* memory = map_chunks(at, (off_t)count * RUN_CHUNK);
    if (memory == NULL && count > 1) memory = map_chunks(at, (off_t)(count = 1) * RUN_CHUNK);
    if (memory == NULL) return NULL;
    for (; unused_chunks < count; ++unused_chunks)
      chunks[chunk_count + unused_chunks] = memory + unused_chunks * RUN_CHUNK;
  }
  --unused_chunks;
  return chunks[chunk_count++];
}

/* Takes `size` bytes, a multiple of 8, from the last chunk of a kind or from a new one. */
static void* take(struct run_chunk** last, uint32_t kind, size_t size) {
  struct run_chunk* chunk = *last;
  if (chunk == NULL || chunk->used + size > RUN_CHUNK) {
    chunk = add_chunk();
    if (chunk == NULL) return NULL;
    chunk->used = sizeof *chunk;
    chunk->kind = kind;
    *last = chunk;
  }
  void* const room = (char*)chunk + chunk->used;
  chunk->used += (uint32_t)size;
  return room;
}

static int start_file(void) {
  if (header != NULL) return 1;
  if (!is_off) make_file();
  header = add_chunk();
  if (header == NULL) return 0;
  struct timespec utc;
  clock_gettime(CLOCK_REALTIME, &utc);
  header->version = RUN_COUNT_VERSION;
  header->is_timed = (uint32_t)is_timed;
  header->process = (uint64_t)getpid();
  header->start_utc_ns = (int64_t)utc.tv_sec * 1000000000 + utc.tv_nsec;
  header->first = header->last = moment();
  header->threads = 1;
  snprintf(header->program, sizeof header->program, "%s", program_invocation_short_name);
  memcpy(header->magic, RUN_COUNT_MAGIC, sizeof header->magic);
  return 1;
}

static void name_import(uint32_t number) {
  const struct run_import* const import = &run_imports[number];
  const char* const texts[3] = {import->name, import->library, import->caller};
  struct run_count_name name = {number, {0, 0, 0}, 0};
  size_t size = sizeof name;
  for (int i = 0; i < 3; ++i) {
    const size_t length = strlen(texts[i]);
    name.sizes[i] = (uint16_t)(length < 4096 ? length : 4096);
    size += name.sizes[i];
  }
  char* to = take(&names, RUN_CHUNK_NAMES, (size + 7) & ~(size_t)7);
  if (to == NULL) return;
  memcpy(to, &name, sizeof name);
  to += sizeof name;
  for (int i = 0; i < 3; ++i) {
    memcpy(to, texts[i], name.sizes[i]);
    to += name.sizes[i];
  }
  is_named[number] = 1;
}

static struct run_cell* make_cell(uint32_t thread, uint32_t import) {
  if (!is_named[import]) name_import(import);
  struct run_cell* const cell = take(&cells, RUN_CHUNK_CELLS, sizeof *cell);
  if (cell == NULL) return NULL;
  enum { kUnknown = 8192 }; /* until some thousand calls are timed */
  cell->mean = (uint64_t)kUnknown * RUN_MEAN_OF;
  cell->weight = 1;
  cell->shortest = UINT64_MAX;
  cell->thread = thread;
  cell->import = import;
  return cell;
}

static void describe_thread(uint32_t number) {
  header->thread[number].number = (uint64_t)syscall(SYS_gettid);
  prctl(PR_GET_NAME, header->thread[number].name);
}

struct run_cell* run_slow_cell(uint32_t import);
struct run_cell* run_slow_cell(uint32_t import) {
  struct run_thread_memory* const memory = run_memory_of_thread();
  if (memory == NULL || !run_enter()) return NULL;
  struct run_held held;
  run_lock_hooks(&held);
  if (memory->cells[import] == NULL && start_file()) {
    if (memory->number == 0 && header->threads < RUN_COUNT_THREADS) {
      memory->number = header->threads++;
      describe_thread(memory->number);
    }
    header->last = moment();
    memory->cells[import] = make_cell(memory->number, import);
  }
  struct run_cell* const cell = memory->cells[import];
  run_unlock_hooks(&held);
  run_leave();
  return cell;
}

/* Adds the counts of an ended thread to those of others. */
static void fold(struct run_cell* from) {
  struct run_cell** const to = &of_ended[from->import];
  if (*to == NULL) *to = make_cell(0, from->import);
  if (*to != NULL) {
    (*to)->calls += from->calls - (uint64_t)(from->untimed > 0 ? from->untimed : 0);
    (*to)->awaited += from->awaited;
    (*to)->timed += from->timed;
    (*to)->ticks += from->ticks;
    if (from->shortest < (*to)->shortest) (*to)->shortest = from->shortest;
    if (from->longest > (*to)->longest) (*to)->longest = from->longest;
    for (int i = 0; i < RUN_BUCKETS; ++i) (*to)->lengths[i] += from->lengths[i];
  }
  from->calls = from->awaited = from->timed = from->ticks = from->longest = 0;
  from->untimed = 0;
  from->shortest = UINT64_MAX;
  memset(from->lengths, 0, sizeof from->lengths);
}

int run_counts_begin_thread(int is_start) {
  if (!run_begin_hooked_thread(is_start, 1, kKeptEnded)) return 0;
  struct run_thread_memory* const memory = run_memory_of_thread();
  if (memory->number == 0) return 1;
  struct run_held held;
  run_lock_hooks(&held);
  for (uint32_t i = 0; i < run_import_count; ++i) {
    if (memory->cells[i] != NULL) fold(memory->cells[i]);
  }
  describe_thread(memory->number);
  run_unlock_hooks(&held);
  return 1;
}

void run_counts_name_thread(const char* name) {
  const struct run_thread_memory* const memory = run_memory_of_thread();
  if (memory == NULL || memory->number == 0 || header == NULL) return;
  struct run_count_thread* const thread = &header->thread[memory->number];
  const size_t length = strnlen(name, sizeof thread->name - 1); /* not by snprintf(), which takes two KiB of stack */
  memcpy(thread->name, name, length);
  thread->name[length] = '\0';
}

void run_counts_of_child(int is_kept) {
  for (uint32_t i = 0; i < chunk_count + unused_chunks; ++i) munmap(chunks[i], RUN_CHUNK);
  path[0] = '\0';
  chunk_count = unused_chunks = 0;
  header = NULL;
  names = cells = NULL;
  memset(is_named, 0, run_import_count * sizeof is_named[0]);
  memset(of_ended, 0, run_import_count * sizeof of_ended[0]);
  is_off |= !is_kept;
  struct run_thread_memory* const memory = run_memory_of_thread();
  if (memory != NULL) memory->number = 0;
}

void run_counts_note_time(void) {
  if (header != NULL) header->last = moment();
}

void run_counts_stop(void) {
  run_counts_note_time();
  if (header != NULL) header->restricted = header->last;
  run_forget_cells();
}

void run_counts_go_on(void) {
  if (header != NULL) header->restricted = (struct run_count_moment){0, 0};
}

void run_counts_start(const char* where, int wants_time) {
  snprintf(folder, sizeof folder, "%s", where);
  is_timed = wants_time;
}
