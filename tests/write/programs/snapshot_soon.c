/* Asks for a snapshot in a signal handler, which interrupts it while it records:
 *
 *   snapshot_soon TRACE SNAPSHOT */
#include <evt/emit.h>
#include <signal.h>
#include <stdio.h>

static evt_writer* writer;
static volatile sig_atomic_t asked = -1;

static void ask(int signal) {
  (void)signal;
  asked = evt_snapshot_soon(writer);
}

int main(int argc, char** argv) {
  const evt_field fields[] = {EVT_FIELD_U32("n")};
  const evt_event_type type = {.name = "tick", .field_count = 1, .fields = fields};
  evt_options options = {0};
  evt_error error;
  if (argc != 3) return 2;
  options.snapshot = argv[2];
  writer = evt_open(argv[1], &options, &error);
  if (writer == NULL) {
    printf("%s\n", error.message);
    return 1;
  }
  const evt_type* const tick = evt_declare(writer, &type, NULL);
  signal(SIGUSR1, ask);
  for (uint32_t n = 0; n < 3; ++n) {
    evt_row row = evt_begin(evt_this_thread(writer), tick);
    if (n == 2) raise(SIGUSR1);
    evt_u32(&row, n);
    evt_commit(&row);
  }
  printf("asked %d\n", (int)asked);
  const int closed = evt_close(writer, &error);
  printf("closed %d%s\n", closed, error.message);
  return 0;
}
