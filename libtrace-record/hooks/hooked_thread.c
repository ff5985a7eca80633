#define _GNU_SOURCE
#include "hooked_thread.h"

#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../recorded/entry.h"
#include "../recorded/lock.h"
#include "import_table.h"

static run_lock lock;
static struct run_thread_memory* ended; /* the one that ended first */
static struct run_thread_memory** ended_last = &ended;
static unsigned ended_count;
static struct run_thread_memory* last_made;

static __thread struct run_thread_memory* own __attribute__((tls_model("initial-exec")));

void run_lock_hooks(struct run_held* held) {
  run_hold(held);
  ++run_hooked.inside;
  run_take(&lock);
}

void run_unlock_hooks(const struct run_held* held) {
  run_give(&lock);
  --run_hooked.inside;
  run_let_go(held);
}

/* One after another, each starting on a new page: it can be discarded. */
enum { kPage = 4096 };
#define PAGES(size) (((int)(size) + kPage - 1) / kPage * kPage)
enum {
  kCallsAt = PAGES(sizeof(struct run_thread_memory)),
  kLeftAt = kCallsAt + PAGES((1 + RUN_DEPTH + RUN_ELSEWHERE) * sizeof(struct run_open_call)),
  kCellsAt = kLeftAt + PAGES(RUN_LEFT * sizeof(struct run_open_call*)),
  kCellsSize = PAGES(RUN_IMPORTS * sizeof(struct run_cell*)),
};

/* The system limits the number of mappings, and the stacks of programs with many threads come near to it: so threads
 * share mappings, twice as many each time. */
static struct {
  char* unused;
  unsigned count; /* threads that it has room for */
  unsigned next;
} block = {NULL, 0, 1};

static char* take_of_block(size_t size) {
  enum { kMost = 64 };
  if (block.count == 0) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* memory = mmap(NULL, block.next * size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED) block.next = 1; /* a limit of the program's */
    if (memory == MAP_FAILED) memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    block.unused = memory;
    block.count = block.next;
    if (block.next < kMost) block.next *= 2;
  }
  char* const taken = block.unused;
  block.unused += size;
  --block.count;
  return taken;
}

/* Either all threads of a process have cells, or none. */
static struct run_thread_memory* make_memory(int has_cells) {
  char* const bytes = take_of_block((size_t)kCellsAt + (has_cells ? kCellsSize : 0));
  if (bytes == NULL) return NULL;
  struct run_thread_memory* const memory = (struct run_thread_memory*)bytes;
  memory->calls = (struct run_open_call*)(bytes + kCallsAt);
  memory->left = (struct run_open_call**)(bytes + kLeftAt);
  if (has_cells) memory->cells = (struct run_cell**)(bytes + kCellsAt);
  memory->made = last_made;
  last_made = memory;
  return memory;
}

/* Reuses the memory of an ended thread, or makes more. */
static struct run_thread_memory* take_memory(int has_cells, unsigned kept_ended) {
  struct run_thread_memory* const memory = ended;
  if (ended_count <= kept_ended) return make_memory(has_cells);
  ended = memory->next;
  if (ended == NULL) ended_last = &ended;
  --ended_count;
  return memory;
}

/* The first thread's grows down from where the system put the program's name. */
static void find_stack(void) {
  run_hooked.stack_size = 0;
  if (getpid() == syscall(SYS_gettid)) {
    struct rlimit limit = {0, 0};
    getrlimit(RLIMIT_STACK, &limit);
    const uintptr_t top = getauxval(AT_EXECFN);
    const rlim_t most = (rlim_t)1 << 30;
    const uintptr_t size = limit.rlim_cur < most ? limit.rlim_cur : most;
    if (top <= size) return;
    run_hooked.stack_low = top - size;
    run_hooked.stack_size = size;
    return;
  }
  pthread_attr_t attributes;
  void* low = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
    run_hooked.stack_low = (uintptr_t)low;
    run_hooked.stack_size = size;
  }
  pthread_attr_destroy(&attributes);
}

static pthread_key_t end_key;
static pthread_once_t end_key_once = PTHREAD_ONCE_INIT;
static int has_end_key;
static __thread unsigned last_rounds __attribute__((tls_model("initial-exec")));

static void end(void);

/* Other destructors of the thread's values may call hooked functions: it ends in the last round but one of them. */
static void end_in_last_round(void* thread) {
  enum { kRounds = 3 };
  if (++last_rounds < kRounds && pthread_setspecific(end_key, thread) == 0) return;
  end();
}

static void make_end_key(void) { has_end_key = pthread_key_create(&end_key, end_in_last_round) == 0; }

int run_begin_hooked_thread(int is_start, int has_cells, unsigned kept_ended) {
  if (run_hooked.top != NULL) return 1;
  struct run_held held;
  /* It may allocate. */
  ++run_hooked.inside;
  if (is_start) {
    pthread_once(&end_key_once, make_end_key);
    if (has_end_key) pthread_setspecific(end_key, &run_hooked);
    find_stack();
  }
  --run_hooked.inside;
  run_lock_hooks(&held);
  own = take_memory(has_cells, kept_ended);
  if (own != NULL) {
    struct run_open_call* const first = own->calls + 1;
    run_hooked.elsewhere = first + RUN_DEPTH;
    run_hooked.first = run_hooked.unused = first;
    run_hooked.free = NULL;
    run_hooked.left = own->left;
    run_hooked.cells = own->cells;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    run_hooked.top = own->calls; /* as deep as if there were none */
  }
  run_unlock_hooks(&held);
  return own != NULL;
}

static void end(void) {
  struct run_thread_memory* const memory = own;
  if (memory == NULL || !run_enter()) return;
  struct run_held held;
  run_lock_hooks(&held);
  ++run_hooked.inside; /* for good */
  run_hooked.cells = NULL;
  for (struct run_open_call* call = run_hooked.first; call < run_hooked.unused; ++call) call->depth = 0;
  madvise(memory->left, RUN_LEFT * sizeof *memory->left, MADV_DONTNEED);
  own = NULL;
  memory->next = NULL;
  *ended_last = memory;
  ended_last = &memory->next;
  ++ended_count;
  run_unlock_hooks(&held);
  run_leave();
}

struct run_thread_memory* run_memory_of_thread(void) {
  return own;
}

static void forget_cells_of(const struct run_thread_memory* memory) {
  if (memory->cells != NULL) madvise(memory->cells, kCellsSize, MADV_DONTNEED);
}

void run_forget_cells(void) {
  struct run_held held;
  run_lock_hooks(&held);
  for (const struct run_thread_memory* memory = last_made; memory != NULL; memory = memory->made)
    forget_cells_of(memory);
  run_unlock_hooks(&held);
}

void run_forget_begun_calls(void) {
  if (own == NULL) return;
  for (struct run_open_call* call = run_hooked.first; call < run_hooked.unused; ++call) {
    call->is_recorded = 0;
    call->cell = NULL;
  }
  for (int i = 0; i < RUN_ELSEWHERE; ++i) {
    run_hooked.elsewhere[i].is_recorded = 0;
    run_hooked.elsewhere[i].cell = NULL;
  }
}

void run_hooked_thread_of_child(void) {
  lock = 0;
  run_forget_begun_calls();
  if (own != NULL) forget_cells_of(own);
}
