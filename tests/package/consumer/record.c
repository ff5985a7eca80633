#include <evt/emit.h>

int main(int argc, char** argv) {
  evt_writer* const writer = evt_open(argc > 1 ? argv[1] : "c.evt", NULL, NULL);
  evt_field fields[] = {EVT_FIELD_U32("n")};
  evt_event_type tick = {0};
  tick.name = "tick";
  tick.fields = fields;
  tick.field_count = 1;
  const evt_type* const type = evt_declare(writer, &tick, NULL);
  evt_stream* const stream = evt_this_thread(writer);
  for (uint32_t n = 0; n < 10; ++n) {
    evt_row row = evt_begin(stream, type);
    if (row.p == NULL) continue;
    evt_u32(&row, n);
    evt_commit(&row);
  }
  return evt_close(writer, NULL);
}
