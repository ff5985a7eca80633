// Rows that events share: each once, whatever records them.
#include <evt/emit_events.h>
#include <evt/events.h>
#include <gtest/gtest.h>

#include "write/recording.h"

namespace evt::testing {
namespace {

using events::StackFrame;
using events::StackFrames;
using events::StackSample;

TEST(InternRow, GivesEqualRowsOneId) {
  Recording recording;
  const auto types = recording->declare<StackFrame>();
  const Interned work = recording->intern("work");
  const Reference first = recording->intern(types, StackFrame{work, {}, 3});
  EXPECT_EQ(recording->intern(types, StackFrame{work, {}, 3}), first);
  EXPECT_NE(recording->intern(types, StackFrame{work, {}, 4}), first);
}

TEST(InternRow, IsTheSameInCAndInCpp) {
  Recording in_c;
  Recording in_cpp;
  for (Recording* const each : {&in_c, &in_cpp}) {
    ASSERT_EQ((*each)->intern("work").id, 1u);
    ASSERT_EQ((*each)->intern("/bin/a").id, 2u);
  }
  const auto types = in_cpp->declare<StackFrame, StackFrames, StackSample>();
  const Reference frames[] = {in_cpp->intern(types, StackFrame{{1}, {2}, 12}),
                              in_cpp->intern(types, StackFrame{{1}, {2}, 0})};
  const Reference stack = in_cpp->intern(types, StackFrames{frames});
  in_cpp->stream("a").emit(types, StackSample{7, stack, 1000});

  const auto standard = [&](std::uint32_t number) { return evt_declare_standard(in_c->get(), number, nullptr); };
  const evt_type* const frame = standard(EVT_EVENT_STACK_FRAME);
  const evt_type* const several = standard(EVT_EVENT_STACK_FRAMES);
  const evt_type* const sample = standard(EVT_EVENT_STACK_SAMPLE);
  const std::uint32_t in_stack[] = {evt_intern_stack_frame(in_c->get(), frame, 1, 2, 12),
                                    evt_intern_stack_frame(in_c->get(), frame, 1, 2, 0)};
  const std::uint32_t id = evt_intern_stack_frames(in_c->get(), several, in_stack, 2);
  evt_emit_stack_sample(evt_stream_open(in_c->get(), "a"), sample, 7, id, 1000);
  const std::string text = in_cpp.text();
  EXPECT_NE(text.find("string 5 "), std::string::npos) << text;
  EXPECT_EQ(in_c.text(), text);
}

TEST(InternRow, LeadsAReaderToItsFields) {
  Recording recording;
  const auto types = recording->declare<StackFrame, StackFrames, StackSample>();
  const Reference frames[] = {recording->intern(types, StackFrame{recording->intern("inner"), {}, 5})};
  recording->stream("a").emit(types, StackSample{7, recording->intern(types, StackFrames{frames}), 1000});
  const std::string bytes = recording.bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  const Event* const event = events.next();
  ASSERT_NE(event, nullptr);
  const auto sample = event->as<StackSample>();
  ASSERT_TRUE(sample);
  const Session& session = trace.sessions().front();
  const auto stack = session.row(sample->stack);
  ASSERT_TRUE(stack);
  EXPECT_EQ(stack->type->name(), "stack.frames");
  const auto frame = session.row({evt_load_u32(stack->value(Role::kStack)->bytes().data())});
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->value(Role::kLine)->as_unsigned(), 5u);
  EXPECT_EQ(*session.text({static_cast<std::uint32_t>(frame->value(Role::kFunction)->as_unsigned())}), "inner");
  EXPECT_FALSE(session.row({1}));
  EXPECT_FALSE(session.row({99}));
}

TEST(InternRow, OfATypeThatRecordsNothingIsNone) {
  Recording recording;
  const auto types = recording->declare<StackFrame>();
  evt_switch_types(recording->get(), "*", 0);
  EXPECT_EQ(recording->intern(types, StackFrame{{}, {}, 1}).id, 0u);
  EXPECT_EQ(evt_intern_row(recording->get(), nullptr, "", 0), 0u);
}

TEST(InternRow, IsNotShortened) {
  Recording recording;
  const auto types = recording->declare<StackFrame>();
  const std::string large(EVT_MAX_STRING, 'x');
  EXPECT_EQ(evt_intern_row(recording->get(), types.get<StackFrame>().get(), large.data(), large.size()), 0u);
}

}  // namespace
}  // namespace evt::testing
