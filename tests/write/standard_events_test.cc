// The events that every trace shares.
#include <evt/emit_events.h>
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

// Each by the function of C, as its struct of C++ records it.
TEST(StandardEvents, AreRecordedInCAsInCpp) {
  static const char* const kWords[] = {"ls", "-l"};
  static const std::string_view kViews[] = {"ls", "-l"};
  Recording in_c;
  Recording in_cpp;
  evt_stream* const stream = evt_stream_open(in_c->get(), "a");
  Stream other = in_cpp->stream("a");
  const Interned name = in_cpp->intern("name");
  ASSERT_EQ(evt_intern(in_c->get(), "name", 4), name.id);
  std::uint32_t count = 0;
  const auto record = [&]<typename Event, typename... Values>(void (*emit)(evt_stream*, const evt_type*, Values...),
                                                              const Event& event,
                                                              std::type_identity_t<Values>... values) {
    emit(stream, evt_declare_standard(in_c->get(), schema<Event>.number, nullptr), values...);
    other.emit(in_cpp->declare<Event>(), event);
    ++count;
  };
  const TickDelta delta{-5};
  record(evt_emit_thread_create, events::ThreadCreate{1}, 1);
  record(evt_emit_thread_name, events::ThreadName{1, "worker"}, 1, "worker");
  record(evt_emit_thread_runnable, events::ThreadRunnable{2}, 2);
  record(evt_emit_thread_run, events::ThreadRun{1, 2}, 1, 2);
  record(evt_emit_thread_stop, events::ThreadStop{1, events::StopReason::kSleeping, 3}, 1, EVT_STOP_SLEEPING, 3);
  record(evt_emit_thread_wake, events::ThreadWake{1, 2}, 1, 2);
  record(evt_emit_thread_migrate, events::ThreadMigrate{1, 2, 3}, 1, 2, 3);
  record(evt_emit_thread_exit, events::ThreadExit{4}, 4);
  record(evt_emit_span_begin, events::SpanBegin{name}, name.id);
  record(evt_emit_span_end, events::SpanEnd{});
  record(evt_emit_span_complete, events::SpanComplete{name, delta}, name.id, -5);
  record(evt_emit_counter, events::Counter{name, -7}, name.id, -7);
  record(evt_emit_mark, events::Mark{"here"}, "here");
  record(evt_emit_call_begin, events::CallBegin{name, 1, name, 2, 3}, name.id, 1, name.id, 2, 3);
  record(evt_emit_call_end, events::CallEnd{name, 9}, name.id, 9);
  record(evt_emit_call_complete, events::CallComplete{name, 1, name, 2, 3, delta}, name.id, 1, name.id, 2, 3, -5);
  record(evt_emit_object_open, events::ObjectOpen{5, name}, 5, name.id);
  record(evt_emit_object_name, events::ObjectName{5, "file"}, 5, "file");
  record(evt_emit_object_close, events::ObjectClose{5}, 5);
  record(evt_emit_process_stopped, events::ProcessStopped{delta}, -5);
  record(evt_emit_gc_start, events::GcStart{2}, 2);
  record(evt_emit_gc_end, events::GcEnd{});
  record(evt_emit_gc_idle, events::GcIdle{});
  record(evt_emit_gc_work, events::GcWork{});
  record(evt_emit_gc_done, events::GcDone{});
  record(evt_emit_process_start, events::ProcessStart{10, 1}, 10, 1);
  record(evt_emit_process_program, events::ProcessProgram{10, "ls"}, 10, "ls");
  record(evt_emit_process_arguments, events::ProcessArguments{10, kViews}, 10, kWords, 2);
  record(evt_emit_wall_clock, events::WallClock{-1}, -1);
  record(evt_emit_overhead, events::Overhead{name, delta}, name.id, -5);
  record(evt_emit_stack_sample, events::StackSample{7, {1}, 9}, 7, 1, 9);
  EXPECT_EQ(count + 2, std::tuple_size_v<events::All>) << "frames and stacks are no events: InternRow";
  const std::string text = in_cpp.text();
  EXPECT_NE(text.find("process.arguments process=10 arguments=[\"ls\" \"-l\"]"), std::string::npos) << text;
  EXPECT_EQ(in_c.text(), text);
}

TEST(StandardEvents, InCAreNotRecordedWhereTheyAreOff) {
  Recording recording;
  evt_emit_thread_run(evt_stream_open(recording->get(), "a"),
                      evt_declare_standard(nullptr, EVT_EVENT_THREAD_RUN, nullptr), 1, 2);
  EXPECT_EQ(recording.text(), "stream 1 \"a\"\n");
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
