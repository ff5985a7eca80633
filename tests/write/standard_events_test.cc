// The events that every trace shares.
#include <evt/events.h>
#include <gtest/gtest.h>

#include "write/recording.h"

namespace evt::testing {
namespace {

namespace events = evt::events;

TEST(StandardEvents, TellTheLifeOfAThread) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto ids =
      recording->declare<events::ThreadCreate, events::ThreadName, events::ThreadRun, events::ThreadStop>();
  stream.emit(ids, events::ThreadCreate{.thread = 7});
  stream.emit(ids, events::ThreadName{.thread = 7, .name = "worker"});
  stream.emit(ids, events::ThreadRun{.thread = 7, .cpu = 1});
  stream.emit(ids, events::ThreadStop{.thread = 7, .reason = events::StopReason::kBlocked, .object = 0x10});
  EXPECT_EQ(recording.text(),
            "type 1 thread.create (thread u64 @thread) @threadCreate \"a thread exists from now on\"\n"
            "type 2 thread.name (thread u64 @thread, name text @name) @threadName \"a thread has this name\"\n"
            "type 4 thread.run (thread u64 @thread, cpu u32 @cpu) @threadRun \"a thread begins to run on a cpu\"\n"
            "type 5 thread.stop (thread u64 @thread, reason enum16 {0=\"unknown\", 1=\"preempted\", 2=\"yielded\", "
            "3=\"blocked\", 4=\"sleeping\", 5=\"finished\", 6=\"called_out\"} @reason, object u64 @object) @threadStop "
            "\"a thread stops running\"\n"
            "stream 1 \"a\"\n"
            "1 1 thread.create thread=7\n"
            "2 1 thread.name thread=7 name=\"worker\"\n"
            "3 1 thread.run thread=7 cpu=1\n"
            "4 1 thread.stop thread=7 reason=blocked object=16\n");
}

TEST(StandardEvents, MayHaveNoFields) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto ids = recording->declare<events::SpanBegin, events::SpanEnd>();
  stream.emit(ids, events::SpanBegin{.name = recording->intern("load")});
  stream.emit(ids, events::SpanEnd{});
  EXPECT_EQ(recording.text(),
            "type 9 span.begin (name interned @name) @spanBegin \"something begins on this stream\"\n"
            "type 10 span.end () @spanEnd \"the innermost thing that began ends\"\n"
            "stream 1 \"a\"\n"
            "string 1 \"load\"\n"
            "1 1 span.begin name=\"load\"\n"
            "2 1 span.end\n");
}

TEST(StandardEvents, AreDeclaredByNumberInC) {
  Recording recording;
  evt_error error = {EVT_OK, ""};
  for (std::uint32_t number = EVT_EVENT_THREAD_CREATE; number <= EVT_EVENT_OVERHEAD; ++number) {
    EXPECT_EQ(evt_declare_standard(recording->get(), number, &error)->number, number) << error.message;
  }
}

TEST(StandardEvents, OfANumberThatIsNoneRecordNothing) {
  Recording recording;
  evt_error error = {EVT_OK, ""};
  EXPECT_EQ(evt_declare_standard(recording->get(), 999, &error)->number, 0u);
  EXPECT_EQ(error.code, EVT_CODE_INVALID);
  EXPECT_STREQ(error.message, "no standard event has the number 999");
}

}  // namespace
}  // namespace evt::testing
