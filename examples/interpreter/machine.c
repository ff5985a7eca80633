/* Runs a program, and collects the pairs that nothing leads to any more. */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_SIZE = 4096, FRAMES = 512, HEAP_SIZE = 4096, INSTRUCTIONS_OF_A_SAMPLE = 1000 };

/* A number, or where a pair is. */
struct value {
  int is_pair;
  int64_t n;
};

struct pair {
  struct value first;
  struct value second;
  int used;
  int marked;
};

struct frame {
  int64_t function;
  int64_t back;     /* instruction of the caller */
  size_t arguments; /* where they are on the stack */
};

struct machine {
  const struct program* program;
  struct value stack[STACK_SIZE];
  size_t height;
  struct frame frames[FRAMES];
  size_t depth;
  struct pair heap[HEAP_SIZE];
  size_t next_free; /* where to look for a pair first */
  const char* error;
  evt_stream* stream;
  const struct event_types* types;
};

static void mark(struct machine* m, struct value v) {
  /* Lists are long in their second part: only the first is marked by a call. */
  while (v.is_pair && !m->heap[v.n].marked) {
    struct pair* const pair = &m->heap[v.n];
    pair->marked = 1;
    mark(m, pair->first);
    v = pair->second;
  }
}

static void collect(struct machine* m) {
  uint32_t live = 0;
  uint32_t freed = 0;
  tell_collect_begin(m->stream, m->types);
  for (size_t i = 0; i < m->height; ++i) mark(m, m->stack[i]);
  for (size_t i = 0; i < HEAP_SIZE; ++i) {
    struct pair* const pair = &m->heap[i];
    live += (uint32_t)pair->marked;
    freed += (uint32_t)(pair->used && !pair->marked);
    pair->used = pair->marked;
    pair->marked = 0;
  }
  m->next_free = 0;
  tell_collect_end(m->stream, m->types, live, freed);
}

/* Where an unused pair is; HEAP_SIZE if there is none. */
static size_t find_unused(struct machine* m) {
  while (m->next_free < HEAP_SIZE && m->heap[m->next_free].used) ++m->next_free;
  return m->next_free;
}

static struct value fail(struct machine* m, const char* why) {
  const struct value none = {0, 0};
  if (m->error == NULL) m->error = why;
  return none;
}

static void push(struct machine* m, int is_pair, int64_t n) {
  const struct value value = {is_pair, n};
  if (m->height == STACK_SIZE) {
    fail(m, "the stack is full");
  } else {
    m->stack[m->height++] = value;
  }
}

static struct value pop(struct machine* m) {
  return m->height == 0 ? fail(m, "the stack is empty") : m->stack[--m->height];
}

static int64_t pop_number(struct machine* m) {
  const struct value value = pop(m);
  if (value.is_pair) fail(m, "a pair is no number");
  return value.n;
}

static void make_pair(struct machine* m) {
  size_t at = find_unused(m);
  if (at == HEAP_SIZE) {
    collect(m); /* its two values are still on the stack */
    at = find_unused(m);
  }
  const struct value second = pop(m);
  const struct value first = pop(m);
  if (at == HEAP_SIZE) {
    fail(m, "there is no memory for a pair");
    return;
  }
  const struct pair made = {first, second, 1, 0};
  m->heap[at] = made;
  push(m, 1, (int64_t)at);
}

static void take_part(struct machine* m, int second) {
  const struct value value = pop(m);
  if (!value.is_pair) {
    fail(m, "a number has no parts");
    return;
  }
  const struct pair* const pair = &m->heap[value.n];
  const struct value part = second ? pair->second : pair->first;
  push(m, part.is_pair, part.n);
}

static int64_t call(struct machine* m, int64_t function, int64_t back) {
  const struct function* const called = &m->program->functions[function];
  if (m->depth == FRAMES || m->height < (size_t)called->arguments) {
    fail(m, m->depth == FRAMES ? "too many calls" : "a call lacks arguments");
    return 0;
  }
  const struct frame frame = {function, back, m->height - (size_t)called->arguments};
  m->frames[m->depth++] = frame;
  tell_call(m->stream, m->types, (size_t)function, (uint32_t)m->depth);
  return called->begin;
}

static int64_t leave(struct machine* m) {
  const struct value result = pop(m);
  const struct frame* const frame = &m->frames[m->depth - 1];
  tell_return(m->stream, m->types, (size_t)frame->function, (uint32_t)m->depth);
  m->height = frame->arguments;
  push(m, result.is_pair, result.n);
  --m->depth;
  return frame->back;
}

static void load(struct machine* m, int64_t argument) {
  const struct frame* const frame = &m->frames[m->depth - 1];
  if (argument < 0 || argument >= m->program->functions[frame->function].arguments) {
    fail(m, "there is no such argument");
    return;
  }
  const struct value value = m->stack[frame->arguments + (size_t)argument];
  push(m, value.is_pair, value.n);
}

/* Does one instruction; the place of the next one. */
static int64_t step(struct machine* m, int64_t at) {
  const struct instruction in = m->program->code[at];
  int64_t a;
  switch (in.op) {
    case OP_PUSH:
      push(m, 0, in.operand);
      break;
    case OP_LOAD:
      load(m, in.operand);
      break;
    case OP_ADD:
      a = pop_number(m);
      push(m, 0, (int64_t)((uint64_t)pop_number(m) + (uint64_t)a));
      break;
    case OP_SUB:
      a = pop_number(m);
      push(m, 0, (int64_t)((uint64_t)pop_number(m) - (uint64_t)a));
      break;
    case OP_LESS:
      a = pop_number(m);
      push(m, 0, pop_number(m) < a);
      break;
    case OP_JUMP:
      return in.operand;
    case OP_JUMP_IF_NOT:
      return pop_number(m) == 0 ? in.operand : at + 1;
    case OP_CALL:
      return call(m, in.operand, at + 1);
    case OP_RETURN:
      return leave(m);
    case OP_PAIR:
      make_pair(m);
      break;
    case OP_FIRST:
    case OP_SECOND:
      take_part(m, in.op == OP_SECOND);
      break;
    case OP_DROP:
      pop(m);
      break;
    case OP_PRINT:
      printf("%lld\n", (long long)pop_number(m));
      break;
  }
  return at + 1;
}

static void sample(const struct machine* m, int64_t at) {
  struct place places[FRAMES];
  for (size_t i = 0; i < m->depth; ++i) {
    const struct frame* const frame = &m->frames[m->depth - 1 - i];
    const struct place place = {(size_t)frame->function, m->program->code[at].line};
    places[i] = place;
    at = frame->back - 1; /* the call */
  }
  tell_sample(m->stream, m->types, places, m->depth);
}

const char* run(const struct program* program, evt_stream* stream, const struct event_types* types) {
  struct machine* const m = calloc(1, sizeof *m);
  if (m == NULL) return "there is no memory";
  m->program = program;
  m->stream = stream;
  m->types = types;
  int64_t at = 0;
  for (size_t i = 0; i < program->function_count; ++i) {
    if (strcmp(program->functions[i].name, "main") == 0) at = call(m, (int64_t)i, 0);
  }
  for (uint64_t count = 1; m->depth > 0 && m->error == NULL; ++count) {
    if ((size_t)at >= program->code_size) {
      fail(m, "a function does not return");
    } else {
      if (count % INSTRUCTIONS_OF_A_SAMPLE == 0) sample(m, at);
      at = step(m, at);
    }
  }
  const char* const error = m->error;
  free(m);
  return error;
}
