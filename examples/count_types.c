/* What a program in C does to read a trace: how many events of each type there are. */
#include <evt/reader.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  if (argc < 2) return fprintf(stderr, "count_types: expected TRACE...\n"), 2;
  evtr_error error;
  evtr_trace* const trace = evtr_open((const char* const*)(argv + 1), (size_t)argc - 1, NULL, &error);
  if (trace == NULL) return fprintf(stderr, "count_types: %s\n", error.message), 3;

  evtr_events* const events = evtr_events_open(trace, NULL, &error);
  evtr_session session;
  for (size_t i = 0; evtr_session_at(trace, i, &session); ++i) {
    printf("%s: %" PRIu64 " events\n", session.program.data, session.events);
  }
  uint64_t* counts = NULL; /* of the types of a session */
  evtr_batch batch = {0};
  int goes_on = events != NULL && evtr_next_batch(events, &batch);
  while (goes_on) {
    const uint32_t number = batch.session;
    evtr_session_at(trace, number, &session);
    counts = calloc(session.type_count + 1u, sizeof *counts);
    if (counts == NULL) break;
    for (; goes_on && batch.session == number; goes_on = evtr_next_batch(events, &batch)) {
      for (size_t i = 0; i < batch.size; ++i) {
        ++counts[batch.types[i] < session.type_count ? batch.types[i] : session.type_count];
      }
    }
    evtr_type type;
    for (uint32_t i = 0; evtr_type_at(trace, number, i, &type); ++i) {
      if (counts[i] > 0) printf("%8" PRIu64 " %s\n", counts[i], type.name.data);
    }
    free(counts);
  }
  const int failed = events == NULL || evtr_events_error(events, &error);
  if (failed) fprintf(stderr, "count_types: %s\n", error.message);
  evtr_events_close(events);
  evtr_close(trace);
  return failed ? 1 : 0;
}
