/* A program that asks for memory as often as its argument has it, in two threads: what it asks for by itself, once, is
 * the same for all. Prints whether the allocator has what was asked for. */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int times;

static void* ask(void* nothing) {
  for (int i = 0; i < times; ++i) {
    char* block = malloc(100);
    block = realloc(block, 1000);
    strcpy(block, "text");
    free(block);
    free(calloc(10, 20));
    free(strdup("a copy")); /* by the C library: malloc of 7 */
    void* aligned = NULL;
    if (posix_memalign(&aligned, 64, 640) != 0 || (uintptr_t)aligned % 64 != 0) _exit(1);
    free(aligned);
    void* const pages = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || munmap(pages, 8192) != 0) _exit(2);
  }
  return nothing;
}

int main(int count, char** words) {
  times = count > 1 ? atoi(words[1]) : 0;
  free(malloc(1 << 20)); /* by mmap: seen as one call */
  volatile size_t too_much = SIZE_MAX / 2;
  if (malloc(too_much) != NULL || calloc(too_much, 4) != NULL) return 3;
  ask(NULL);
  pthread_t other;
  if (pthread_create(&other, NULL, ask, NULL) != 0 || pthread_join(other, NULL) != 0) return 4;
  const pid_t child = fork();
  if (child == 0) {
    ask(NULL);
    _exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) return 5;
  const size_t before = mallinfo2().uordblks;
  void* const kept = malloc(12345);
  printf("%d\n", (int)(mallinfo2().uordblks - before) >= 12345);
  free(kept);
  return 0;
}
