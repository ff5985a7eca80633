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
  EXPECT_EQ(
      recording.text(),
      "type 1 thread.create \"a thread exists from now on\" role=threadCreate (thread u64 role=thread)\n"
      "stream 1 \"a\"\n"
      "0.000000001 1 thread.create thread=7\n"
      "type 2 thread.name \"a thread has this name\" role=threadName (thread u64 role=thread) (name text role=name)\n"
      "0.000000002 1 thread.name thread=7 name=\"worker\"\n"
      "type 4 thread.run \"a thread begins to run on a cpu\" role=threadRun (thread u64 role=thread) "
      "(cpu u32 role=cpu)\n"
      "0.000000003 1 thread.run thread=7 cpu=1\n"
      "type 5 thread.stop \"a thread stops running\" role=threadStop (thread u64 role=thread) "
      "(reason enum16 role=reason labels=[0=unknown 1=preempted 2=yielded 3=blocked 4=sleeping 5=finished "
      "6=called_out]) (object u64 role=object)\n"
      "0.000000004 1 thread.stop thread=7 reason=blocked object=16\n");
}

TEST(StandardEvents, MayHaveNoFields) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto ids = recording->declare<events::SpanBegin, events::SpanEnd>();
  stream.emit(ids, events::SpanBegin{.name = recording->intern("load")});
  stream.emit(ids, events::SpanEnd{});
  EXPECT_EQ(recording.text(),
            "type 9 span.begin \"something begins on this stream\" role=spanBegin (name interned role=name)\n"
            "stream 1 \"a\"\n"
            "string 1 \"load\"\n"
            "0.000000001 1 span.begin name=\"load\"\n"
            "type 10 span.end \"the innermost thing that began ends\" role=spanEnd\n"
            "0.000000002 1 span.end\n");
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
