#include <evt/reader.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const char* path = argv[1];
  evtr_error error;
  evtr_trace* trace = evtr_open(&path, 1, NULL, &error);
  if (trace == NULL) return 3;
  evtr_events* events = evtr_events_open(trace, NULL, &error);
  if (events == NULL) return 4;
  unsigned count = 0;
  evtr_event event;
  while (evtr_next(events, &event)) {
    evtr_type type;
    if (evtr_type_at(trace, event.session, event.type, &type) && strcmp(type.name.data, "tick") == 0) ++count;
  }
  printf("%u ticks\n", count);
  const int failed = evtr_events_error(events, &error);
  evtr_events_close(events);
  evtr_close(trace);
  return failed;
}
