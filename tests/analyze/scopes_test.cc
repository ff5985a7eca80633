// Ids of merged parts: within which of them equal ones are the same.
#include <evt/analysis/actors.h>
#include <evt/emit.h>
#include <evt/evt_copy.h>
#include <gtest/gtest.h>

#include <string>

#include "support/text_trace.h"

namespace evt::testing {
namespace {

int take(void* out, const void* bytes, std::size_t size) {
  static_cast<std::string*>(out)->append(static_cast<const char*>(bytes), size);
  return 0;
}

void run_thread_7(evt_writer* writer, std::uint32_t stream, const evt_type* type, std::uint64_t own_thread) {
  evt_stream_info info = {};
  info.id = stream;
  info.thread = own_thread;
  evt_row row = evt_begin_at(evt_stream_open_as(writer, &info, nullptr), type, stream);
  evt_u32(&row, 7);
  evt_u8(&row, 1);
  evt_commit(&row);
}

// A session merged of two, in each of which thread 7 runs. The second was aligned so to the first; its stream may be a
// thread itself.
std::string merged_of(std::uint16_t alignment, std::uint16_t scope, std::uint64_t thread_of_second = 0) {
  evt_merged_part parts[2] = {};
  parts[0].first_stream = 1;
  parts[1].first_stream = 2;
  parts[0].stream_count = parts[1].stream_count = 1;
  parts[1].alignment = alignment;
  evt_session_info session = {};
  session.exact = 1;
  session.parts = parts;
  session.part_count = 2;
  evt_clock clock = {};
  clock.hz = 1'000'000'000;
  evt_options options = {};
  options.session = &session;
  options.clock = &clock;
  options.flush_inline = 1;
  std::string bytes;
  evt_error error;
  evt_writer* const writer = evt_open_sink(take, &bytes, &options, &error);
  evt_field fields[] = {EVT_FIELD_U32("thread"), EVT_FIELD_U8("cpu")};
  fields[0].role = EVT_ROLE_THREAD;
  fields[0].scope = scope;
  fields[1].role = EVT_ROLE_CPU;
  evt_event_type run = {};
  run.name = "run";
  run.role = EVT_ROLE_THREAD_RUN;
  run.field_count = 2;
  run.fields = fields;
  const evt_type* const type = evt_declare(writer, &run, &error);
  run_thread_7(writer, 1, type, 0);
  run_thread_7(writer, 2, type, thread_of_second);
  evt_close(writer, &error);
  EXPECT_EQ(error.code, EVT_OK) << error.message;
  return bytes;
}

std::uint32_t threads_of(std::uint16_t alignment, std::uint16_t scope) {
  const std::string bytes = merged_of(alignment, scope);
  Trace trace = open_trace(bytes);
  EventOptions with_markers;
  with_markers.markers = true;
  Events events = trace.events(with_markers);
  RoleEvents roles(trace, events);
  EXPECT_TRUE(roles.next_session());
  int runs = 0;
  while (roles.next() != nullptr) ++runs;
  EXPECT_EQ(runs, 2);
  return roles.actors().threads().size();
}

TEST(Scopes, OfThePartAreThoseOfIdsThatStateNone) {
  for (const std::uint16_t scope : {EVT_SCOPE_NOT_STATED, EVT_SCOPE_SESSION, EVT_SCOPE_PROCESS}) {
    EXPECT_EQ(threads_of(EVT_ALIGNED_SAME_BOOT, scope), 2u) << scope;
  }
  EXPECT_EQ(threads_of(EVT_ALIGNED_SAME_BOOT, 77), 2u) << "of a later version";
}

TEST(Scopes, OfTheBootJoinPartsOfOneBootAlone) {
  EXPECT_EQ(threads_of(EVT_ALIGNED_SAME_CLOCK, EVT_SCOPE_BOOT), 1u);
  EXPECT_EQ(threads_of(EVT_ALIGNED_SAME_BOOT, EVT_SCOPE_BOOT), 1u);
  EXPECT_EQ(threads_of(EVT_ALIGNED_UTC, EVT_SCOPE_BOOT), 2u);
}

// Thread 7 runs on the stream of the first part; the second part's stream is thread 7 itself.
TEST(Scopes, OfTheBootAreOfThePartWhoseStreamTheThreadIs) {
  const std::string bytes = merged_of(EVT_ALIGNED_SAME_BOOT, EVT_SCOPE_BOOT, 7);
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  RoleEvents roles(trace, events);
  EXPECT_TRUE(roles.next_session());
  while (roles.next() != nullptr) {
  }
  ASSERT_EQ(roles.actors().threads().size(), 1u);
  EXPECT_EQ(roles.actors().threads()[0].part, 1u);
}

TEST(Scopes, OfTheNetworkJoinAllParts) { EXPECT_EQ(threads_of(EVT_ALIGNED_UTC, EVT_SCOPE_NETWORK), 1u); }

}  // namespace
}  // namespace evt::testing
