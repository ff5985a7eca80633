/* The machine's programs as text:
 *
 *   fun fib 1          a function of one argument
 *     load 0           an instruction
 *   small:             a place to jump to, in this function
 *     call fib         functions may be called before they are written
 *   # a remark
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

enum operand { NOTHING, NUMBER, LABEL, FUNCTION };

static const struct {
  const char* name;
  enum opcode op;
  enum operand operand;
} kInstructions[] = {
    {"push", OP_PUSH, NUMBER},      {"load", OP_LOAD, NUMBER},
    {"add", OP_ADD, NOTHING},       {"sub", OP_SUB, NOTHING},
    {"less", OP_LESS, NOTHING},     {"jump", OP_JUMP, LABEL},
    {"call", OP_CALL, FUNCTION},    {"jump_if_not", OP_JUMP_IF_NOT, LABEL},
    {"return", OP_RETURN, NOTHING}, {"pair", OP_PAIR, NOTHING},
    {"first", OP_FIRST, NOTHING},   {"second", OP_SECOND, NOTHING},
    {"print", OP_PRINT, NOTHING},   {"drop", OP_DROP, NOTHING},
};

struct label {
  char name[32];
  size_t function;
  int64_t at;
};

/* Names are met before the second pass knows where they are. */
struct assembler {
  struct program* program;
  struct label labels[256];
  size_t label_count;
  uint32_t line; /* that is read */
};

static int64_t find_function(const struct program* program, const char* name) {
  for (size_t i = 0; i < program->function_count; ++i) {
    if (strcmp(program->functions[i].name, name) == 0) return (int64_t)i;
  }
  return -1;
}

static int64_t find_label(const struct assembler* a, const char* name, size_t function) {
  for (size_t i = 0; i < a->label_count; ++i) {
    if (a->labels[i].function == function && strcmp(a->labels[i].name, name) == 0) return a->labels[i].at;
  }
  return -1;
}

static int add_function(struct program* program, const char* name, const char* arguments) {
  if (program->function_count == sizeof program->functions / sizeof program->functions[0]) return 0;
  struct function* const function = &program->functions[program->function_count++];
  snprintf(function->name, sizeof function->name, "%s", name);
  function->arguments = atoi(arguments);
  function->begin = (int64_t)program->code_size;
  return function->arguments >= 0;
}

static int add_label(struct assembler* a, const char* word) {
  if (a->label_count == sizeof a->labels / sizeof a->labels[0] || a->program->function_count == 0) return 0;
  struct label* const label = &a->labels[a->label_count++];
  snprintf(label->name, sizeof label->name, "%.*s", (int)strlen(word) - 1, word);
  label->function = a->program->function_count - 1;
  label->at = (int64_t)a->program->code_size;
  return 1;
}

static int add_instruction(struct assembler* a, size_t function, const char* word, const char* operand, int resolve) {
  struct program* const program = a->program;
  for (size_t i = 0; i < sizeof kInstructions / sizeof kInstructions[0]; ++i) {
    if (strcmp(kInstructions[i].name, word) != 0) continue;
    if ((kInstructions[i].operand == NOTHING) != (operand[0] == 0)) return 0;
    if (program->code_size == sizeof program->code / sizeof program->code[0]) return 0;
    int64_t value = 0;
    if (kInstructions[i].operand == NUMBER) value = strtoll(operand, NULL, 10);
    if (resolve && kInstructions[i].operand == LABEL) value = find_label(a, operand, function);
    if (resolve && kInstructions[i].operand == FUNCTION) value = find_function(program, operand);
    const int known = kInstructions[i].operand < LABEL || value >= 0;
    const struct instruction made = {kInstructions[i].op, value, a->line};
    program->code[program->code_size++] = made;
    return known;
  }
  return 0;
}

/* One pass over the lines; the first learns the names, the second makes the instructions. */
static int pass(struct assembler* a, const char* text, int resolve) {
  int number = 0;
  size_t function = 0; /* behind the one that is written */
  a->program->code_size = 0;
  while (*text != 0) {
    char line[128];
    char words[3][32] = {{0}};
    const size_t length = strcspn(text, "\n");
    snprintf(line, sizeof line, "%.*s", (int)(length < 127 ? length : 127), text);
    text += length + (text[length] == '\n');
    a->line = (uint32_t)++number;
    line[strcspn(line, "#")] = 0;
    const int count = sscanf(line, "%31s %31s %31s", words[0], words[1], words[2]);
    if (count <= 0) continue;
    int good;
    if (strcmp(words[0], "fun") == 0) {
      good = count == 3 && (resolve || add_function(a->program, words[1], words[2]));
      ++function;
    } else if (words[0][strlen(words[0]) - 1] == ':') {
      good = count == 1 && (resolve || add_label(a, words[0]));
    } else {
      good = count <= 2 && function > 0 && add_instruction(a, function - 1, words[0], words[1], resolve);
    }
    if (!good) return number;
  }
  return find_function(a->program, "main") >= 0 ? 0 : number + 1;
}

int assemble(struct program* program, const char* text) {
  static struct assembler a;
  memset(&a, 0, sizeof a);
  memset(program, 0, sizeof *program);
  a.program = program;
  const int wrong = pass(&a, text, 0);
  return wrong != 0 ? wrong : pass(&a, text, 1);
}
