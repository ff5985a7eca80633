// A library that records and is loaded and unloaded by a program that knows nothing of it.
#include <evt/emit.h>

extern "C" {

evt_writer* plugin_open(const char* path) { return evt_open(path, nullptr, nullptr); }

void plugin_record(evt_writer* writer, uint32_t begin, uint32_t end) {
  evt_field field = EVT_FIELD_U32("n");
  evt_event_type tick = {};
  tick.name = "tick";
  tick.field_count = 1;
  tick.fields = &field;
  const evt_type* const type = evt_declare(writer, &tick, nullptr);
  evt_stream* const stream = evt_this_thread(writer);
  for (uint32_t n = begin; n < end; ++n) {
    evt_row row = evt_begin(stream, type);
    if (row.p == nullptr) continue;
    evt_u32(&row, n);
    evt_commit(&row);
  }
}

int plugin_close(evt_writer* writer) { return evt_close(writer, nullptr); }

}  // extern "C"
