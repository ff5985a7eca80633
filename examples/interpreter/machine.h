/* A small stack machine with functions and pairs: what the other files of this folder share. */
#ifndef MACHINE_H_
#define MACHINE_H_

#include <evt/emit.h>
#include <stddef.h>
#include <stdint.h>

enum opcode {
  OP_PUSH,        /* n: the number n */
  OP_LOAD,        /* n: argument n of the function */
  OP_ADD,         /* a b -> a + b */
  OP_SUB,         /* a b -> a - b */
  OP_LESS,        /* a b -> 1 if a < b, else 0 */
  OP_JUMP,        /* to an instruction */
  OP_JUMP_IF_NOT, /* a -> ; to an instruction if a is 0 */
  OP_CALL,        /* a function, whose arguments are on the stack */
  OP_RETURN,      /* a -> back to the caller, with a */
  OP_PAIR,        /* a b -> a pair of them */
  OP_FIRST,       /* pair -> its first */
  OP_SECOND,      /* pair -> its second */
  OP_DROP,        /* a -> ; */
  OP_PRINT,       /* a -> ; a number is printed */
};

struct instruction {
  enum opcode op;
  int64_t operand;
  uint32_t line; /* of the text */
};

struct function {
  char name[32];
  int64_t arguments;
  int64_t begin; /* its first instruction */
};

struct program {
  struct instruction code[1024];
  struct function functions[64];
  size_t code_size;
  size_t function_count;
};

/* Fills a program from its text; 0, or the number of the line that makes no sense. */
int assemble(struct program* program, const char* text);

/* The events of a machine: all of them share the types, each has a stream. A function's name is interned once. */
struct event_types {
  const evt_type* call;
  const evt_type* ret;
  const evt_type* collect_begin;
  const evt_type* collect_end;
  const evt_type* frame;
  const evt_type* frames;
  const evt_type* sample;
  evt_writer* writer;
  uint32_t names[64];
  uint32_t file;
};
struct event_types declare_events(evt_writer* writer, const struct program* program, const char* path);
void tell_call(evt_stream* stream, const struct event_types* types, size_t function, uint32_t depth);
void tell_return(evt_stream* stream, const struct event_types* types, size_t function, uint32_t depth);
void tell_collect_begin(evt_stream* stream, const struct event_types* types);
void tell_collect_end(evt_stream* stream, const struct event_types* types, uint32_t live, uint32_t freed);

/* Where a function is: at which line of the text. */
struct place {
  size_t function;
  uint32_t line;
};
/* Records the stack of the program, the innermost place first. */
void tell_sample(evt_stream* stream, const struct event_types* types, const struct place* places, size_t count);

/* Runs the function `main` to its end; NULL, or what went wrong. */
const char* run(const struct program* program, evt_stream* stream, const struct event_types* types);

#endif
