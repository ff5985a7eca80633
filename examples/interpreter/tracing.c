/* What a machine records of itself: the only file that uses evtrace. */
#include <evt/emit_events.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "machine.h"

/* The processor time of the process, which has one thread that computes: up to the last sample. */
static clock_t used_before;

static const evt_type* declare(evt_writer* writer, const char* name, const char* description, uint16_t role,
                               evt_field* fields, uint32_t count) {
  evt_event_type type;
  memset(&type, 0, sizeof type);
  type.name = name;
  type.description = description;
  type.role = role;
  type.fields = fields;
  type.field_count = count;
  return evt_declare(writer, &type, NULL);
}

struct event_types declare_events(evt_writer* writer, const struct program* program, const char* path) {
  evt_field frame[] = {EVT_FIELD_INTERNED("function"), EVT_FIELD_U32("depth")};
  frame[0].role = EVT_ROLE_FUNCTION; /* by which tools call them */
  evt_field result[] = {EVT_FIELD_U32("live"), EVT_FIELD_U32("freed")};
  struct event_types types;
  memset(&types, 0, sizeof types);
  types.call = declare(writer, "vm.call", "a function begins", EVT_ROLE_CALL_BEGIN, frame, 2);
  types.ret = declare(writer, "vm.return", "a function ends", EVT_ROLE_CALL_END, frame, 2);
  types.collect_begin = declare(writer, "vm.gc_begin", "a collection begins", EVT_ROLE_SPAN_BEGIN, NULL, 0);
  types.collect_end = declare(writer, "vm.gc_end", "a collection ends", EVT_ROLE_SPAN_END, result, 2);
  used_before = clock();
  types.frame = evt_declare_standard(writer, EVT_EVENT_STACK_FRAME, NULL);
  types.frames = evt_declare_standard(writer, EVT_EVENT_STACK_FRAMES, NULL);
  types.sample = evt_declare_standard(writer, EVT_EVENT_STACK_SAMPLE, NULL);
  types.writer = writer;
  types.file = evt_intern(writer, path, strlen(path));
  for (size_t i = 0; i < program->function_count; ++i) {
    const char* const name = program->functions[i].name;
    types.names[i] = evt_intern(writer, name, strlen(name));
  }
  return types;
}

static void tell_frame(evt_stream* stream, const evt_type* type, uint32_t name, uint32_t depth) {
  evt_row row = evt_begin(stream, type);
  if (row.p == NULL) return;
  evt_u32(&row, name);
  evt_u32(&row, depth);
  evt_commit(&row);
}

void tell_call(evt_stream* stream, const struct event_types* types, size_t function, uint32_t depth) {
  tell_frame(stream, types->call, types->names[function], depth);
}

void tell_return(evt_stream* stream, const struct event_types* types, size_t function, uint32_t depth) {
  tell_frame(stream, types->ret, types->names[function], depth);
}

void tell_collect_begin(evt_stream* stream, const struct event_types* types) {
  evt_row row = evt_begin(stream, types->collect_begin);
  evt_commit(&row);
}

void tell_collect_end(evt_stream* stream, const struct event_types* types, uint32_t live, uint32_t freed) {
  evt_row row = evt_begin(stream, types->collect_end);
  if (row.p == NULL) return;
  evt_u32(&row, live);
  evt_u32(&row, freed);
  evt_commit(&row);
}

/* Frames and stacks that were recorded before have their numbers already: a sample is one small event. */
void tell_sample(evt_stream* stream, const struct event_types* types, const struct place* places, size_t count) {
  enum { MOST = 512 };
  uint32_t frames[MOST];
  const clock_t used = clock();
  if (!evt_is_on(types->sample)) return;
  if (count > MOST) count = MOST;
  for (size_t i = 0; i < count; ++i)
    frames[i] = evt_intern_stack_frame(types->writer, types->frame, types->names[places[i].function], types->file,
                                       places[i].line);
  const uint32_t stack = evt_intern_stack_frames(types->writer, types->frames, frames, (uint16_t)count);
  evt_emit_stack_sample(stream, types->sample, (uint64_t)getpid(), stack,
                        (uint64_t)(used - used_before) * (1000000000 / CLOCKS_PER_SEC));
  used_before = used;
}
