/* What is compiled into users' programs, in one of them: its object, as the headers of an earlier version made it, is
 * linked with the library of today (docs/ABI.md). golden FILE [ring] records, by a clock of its own, so that the trace
 * is the same each time, and prints what it counted. */
#include <evt/emit.h>
#include <evt/evt_copy.h>
#include <stdio.h>

static uint64_t ticks;

static uint64_t now(void* context) { return *(uint64_t*)context; }

static int fail(const char* what, const evt_error* error) {
  fprintf(stderr, "golden: %s: %s\n", what, error->message);
  return 1;
}

static const evt_type* declare_values(evt_writer* writer, evt_error* error) {
  static const evt_label colors[] = {{0, "red"}, {1, "green"}};
  static const evt_facet_field object[] = {{1, EVT_ROLE_OBJECT}};
  static const evt_facet facets[] = {{object, 1, EVT_ROLE_OBJECT_OPEN, 0}};
  static const char* const tags[] = {"com.example.golden"};
  evt_field fields[] = {
      EVT_FIELD_U8("color"),
      EVT_FIELD_U16("id"),
      EVT_FIELD_U32("size"),
      EVT_FIELD_U64("address"),
      EVT_FIELD_I32("balance"),
      EVT_FIELD_I64("drift"),
      EVT_FIELD_OF("half", EVT_KIND_FLOAT, EVT_SHAPE_FIXED, 4),
      EVT_FIELD_F64("ratio"),
      EVT_FIELD_BOOL("done"),
      EVT_FIELD_INTERNED("name"),
      EVT_FIELD_TEXT("text"),
      EVT_FIELD_BYTES("bytes"),
      EVT_FIELD_OF("load", EVT_KIND_BYTES, EVT_SHAPE_COUNTED32, 0),
      EVT_FIELD_OF("primes", EVT_KIND_UNSIGNED, EVT_SHAPE_ARRAY, 2),
  };
  evt_event_type type = {0};
  fields[0].kind = EVT_KIND_ENUMERATION;
  fields[0].label_count = 2;
  fields[0].labels = colors;
  fields[2].unit = EVT_UNIT_BYTES;
  fields[3].has_absent = 1;
  fields[3].absent = 7;
  fields[5].scale = -3;
  fields[5].unit_text = "Cel";
  fields[5].tags = tags;
  fields[5].tag_count = 1;
  type.name = "values";
  type.description = "one of each kind";
  type.role = EVT_ROLE_MARK;
  type.field_count = sizeof fields / sizeof fields[0];
  type.fields = fields;
  type.facets = facets;
  type.facet_count = 1;
  type.source_file = "golden.c";
  type.source_line = 1;
  return evt_declare(writer, &type, error);
}

static void emit_values(evt_stream* stream, const evt_type* values, uint32_t name) {
  static const uint16_t primes[] = {2, 3, 5};
  evt_row r;
  ++ticks;
  r = evt_begin(stream, values);
  evt_u8(&r, 1);
  evt_u16(&r, 0xFFFE);
  evt_u32(&r, 1u << 20);
  evt_u64(&r, 7);
  evt_i32(&r, -3);
  evt_i64(&r, -21500);
  evt_f32(&r, 0.5f);
  evt_f64(&r, 0.25);
  evt_u8(&r, 1);
  evt_u32(&r, name);
  evt_text_z(&r, "world");
  evt_bytes(&r, "\x01\x02", 2);
  evt_long_bytes(&r, "\x03", 1);
  evt_array(&r, primes, 3, 2);
  evt_commit(&r);
}

/* Each way to begin and end a row. */
static void emit_numbers(evt_stream* stream, const evt_type* number) {
  evt_row r;
  ++ticks;
  r = evt_begin_ordered(stream, number);
  evt_u32(&r, 1);
  evt_commit(&r);
  r = evt_begin(stream, number);
  evt_u32(&r, 99);
  evt_cancel(&r);
  r = evt_begin_at(stream, number, evt_now(stream) + 5);
  evt_u32(&r, 2);
  evt_commit(&r);
  /* Farther than a row can state. */
  r = evt_begin_at(stream, number, (uint64_t)1 << 40);
  evt_u32(&r, 3);
  evt_commit(&r);
}

/* Rows that are larger than the room for small ones, up to what is lost. */
static void emit_texts(evt_stream* stream, const evt_type* text) {
  static char letters[70000];
  evt_row r;
  size_t i;
  for (i = 0; i < sizeof letters; ++i) letters[i] = 'x';
  r = evt_begin_at(stream, text, (uint64_t)1 << 40);
  evt_text(&r, letters, sizeof letters);
  evt_commit(&r);
  r = evt_begin_at(stream, text, (uint64_t)1 << 40);
  for (i = 0; i < 300 && evt_room(&r, sizeof letters); ++i) evt_raw(&r, letters, sizeof letters);
  evt_commit(&r);
}

int main(int argc, char** argv) {
  static const uint8_t origin[16] = {1};
  evt_error error;
  evt_session_info session = {0};
  evt_merged_part part = {{9}, "part", 1, 1, EVT_ALIGNED_UTC, 1, {0}, 2, 3, 4, 5};
  evt_clock clock = {0};
  evt_options options = {0};
  evt_event_type type = {0};
  evt_field number_field = EVT_FIELD_U32("n");
  evt_field text_field = EVT_FIELD_TEXT("text");
  evt_stream_info worker = {0};
  evt_fact_info fact = {0};
  evt_counts counts;
  evt_writer* writer;
  evt_stream* stream;
  const evt_type* values;
  const evt_type* number;
  const evt_type* text;
  const evt_type* run;
  evt_row r;
  char notices[64];

  session.program = "golden";
  session.pid = 42;
  session.uuid[6] = 0x40;
  session.uuid[8] = 0x80;
  session.uuid[15] = 1;
  session.exact = 1;
  session.origins = origin;
  session.origin_count = 1;
  session.parts = &part;
  session.part_count = 1;
  session.cut = "a part";
  clock.now = now;
  clock.context = &ticks;
  clock.hz = 1000000000;
  options.session = &session;
  options.clock = &clock;
  options.flush_inline = argc < 3;
  options.full_wait_ms = 1000;
  options.buffer_size = 1 << 16;
  writer = evt_open(argv[1], &options, &error);
  if (writer == NULL) return fail("open", &error);

  values = declare_values(writer, &error);
  if (error.code != EVT_OK) return fail("values", &error);
  type.name = "number";
  type.field_count = 1;
  type.fields = &number_field;
  number = evt_declare(writer, &type, &error);
  if (error.code != EVT_OK) return fail("number", &error);
  type.name = "text";
  type.fields = &text_field;
  type.number = 2000;
  text = evt_declare_as(writer, &type, &error);
  if (error.code != EVT_OK) return fail("text", &error);
  run = evt_declare_standard(writer, EVT_EVENT_THREAD_RUN, &error);
  if (error.code != EVT_OK) return fail("thread.run", &error);

  stream = evt_stream_open(writer, "first");
  emit_values(stream, values, evt_intern(writer, "name", 4));
  evt_switch_types(writer, "number", 0);
  emit_numbers(stream, number);
  evt_switch_types(writer, "number", 1);
  emit_numbers(stream, number);
  emit_texts(stream, text);

  worker.name = "worker";
  worker.id = 7;
  worker.thread = 11;
  worker.process = 12;
  stream = evt_stream_open_as(writer, &worker, &error);
  if (error.code != EVT_OK) return fail("worker", &error);
  ++ticks;
  r = evt_begin(stream, run);
  evt_u64(&r, 11);
  evt_u32(&r, 3);
  evt_commit(&r);
  evt_stream_lost(stream, EVT_LOST_OVERWRITTEN, 4, ticks, ticks);
  evt_stream_end(stream, ticks);
  evt_stream_seal(stream);

  fact.scope = EVT_FACT_SCOPE_STREAM;
  fact.id = evt_stream_id(stream);
  fact.ns = 1;
  fact.key = "stream.name";
  fact.key_size = 11;
  fact.value = "renamed";
  fact.value_size = 7;
  if (evt_fact_as(writer, &fact, &error) != EVT_OK) return fail("fact", &error);
  evt_flush(writer);
  if (evt_close(writer, &error) != EVT_OK) return fail("close", &error);

  counts = evt_writer_counts(writer);
  printf("%u written, %u cut, %u too large, %u overwritten\n", (unsigned)counts.events_written,
         (unsigned)counts.texts_cut, (unsigned)counts.lost[EVT_LOST_TOO_LARGE],
         (unsigned)counts.lost[EVT_LOST_OVERWRITTEN]);
  evt_writer_notices(writer, notices, sizeof notices);
  fputs(notices, stdout);
  return 0;
}
