#include <evt/compact.h>
#include <evt/emit.h>

int main(int argc, char** argv) {
  evt_options options = {0};
  options.compact = evt_columns();
  evt_writer* const writer = evt_open(argc > 1 ? argv[1] : "compact.evt", &options, NULL);
  evt_event_type tick = {0};
  tick.name = "tick";
  const evt_type* const type = evt_declare(writer, &tick, NULL);
  evt_stream* const stream = evt_this_thread(writer);
  for (int n = 0; n < 30; ++n) {
    evt_row row = evt_begin(stream, type);
    if (row.p != NULL) evt_commit(&row);
  }
  return evt_close(writer, NULL);
}
