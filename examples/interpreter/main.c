/* interpreter PROGRAM [TRACE]: runs a program of the small machine of this folder, and records what it does. */
#include <stdio.h>
#include <string.h>

#include "machine.h"

static char text[64 << 10];

static int read_program(const char* path) {
  FILE* const file = fopen(path, "r");
  if (file == NULL) return 0;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  return fclose(file) == 0;
}

int main(int argc, char** argv) {
  static struct program program;
  const char* const usage = "usage: interpreter PROGRAM [TRACE]\n";
  if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(usage, stdout), 0;
  if (argc < 2 || argc > 3 || argv[1][0] == '-') return fputs(usage, stderr), 2;
  if (!read_program(argv[1])) return fprintf(stderr, "interpreter: cannot read %s\n", argv[1]), 3;
  const int wrong = assemble(&program, text);
  if (wrong != 0) return fprintf(stderr, "interpreter: %s: line %d makes no sense\n", argv[1], wrong), 2;

  /* Without a trace of its own, it is traced where EVTRACE asks for it; and if it does not, all below costs nothing. */
  evt_error error;
  evt_writer* const writer = argc > 2 ? evt_open(argv[2], NULL, &error) : evt_open_from_env(NULL, &error);
  if (error.code != EVT_OK) fprintf(stderr, "interpreter: %s\n", error.message);
  const struct event_types types = declare_events(writer, &program, argv[1]);
  evt_stream* const stream = evt_stream_open(writer, "interpreter");
  const char* const failure = run(&program, stream, &types);
  if (failure != NULL) fprintf(stderr, "interpreter: %s\n", failure);
  evt_close(writer, &error);
  return failure == NULL ? 0 : 1;
}
