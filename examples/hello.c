/* The smallest program that records: hello [FILE]. The part between the marks is in docs/guide/record.md. */
#include <evt/emit.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  const char* const usage = "usage: hello [FILE]\n";
  if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(usage, stdout), 0;
  if (argc > 2 || (argc == 2 && argv[1][0] == '-')) return fputs(usage, stderr), 2;
  // [snippet: hello]
  evt_error error;
  evt_writer* writer = evt_open(argc > 1 ? argv[1] : "hello.evt", NULL, &error);
  if (writer == NULL) {
    fprintf(stderr, "hello: %s\n", error.message);
    return 1;
  }

  const evt_field fields[] = {EVT_FIELD_U32("number"), EVT_FIELD_TEXT("text")};
  const evt_event_type greeting = {
      .name = "hello.greeting", .description = "somebody was greeted", .field_count = 2, .fields = fields};
  const evt_type* greet = evt_declare(writer, &greeting, NULL);
  evt_stream* stream = evt_this_thread(writer);

  static const char* const kNames[] = {"world", "moon", "stars"};
  for (uint32_t i = 0; i < 3; ++i) {
    evt_row r = evt_begin(stream, greet);
    if (r.p) {
      evt_u32(&r, i);
      evt_text_z(&r, kNames[i]);
      evt_commit(&r);
    }
  }

  if (evt_close(writer, &error) != EVT_OK) {
    fprintf(stderr, "hello: %s\n", error.message);
    return 1;
  }
  // [end]
  return 0;
}
