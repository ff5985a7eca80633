// The standard events: names, numbers and meanings that every trace shares (REGISTRY.md). A program that emits these is
// understood by every tool; so is one with its own events that have the same roles. Programs in C find their numbers
// here, and a function for each in <evt/emit_events.h>.
//
//   const auto ids = writer->declare<evt::events::ThreadRun, evt::events::ThreadStop>();
//   stream.emit(ids, evt::events::ThreadRun{.thread = 7, .cpu = 1});
//
// Programs choose the numbers of threads, objects and processes. Names are interned: Writer::intern once, not per
// event. A duration is in ticks of the stream's clock and ends at the event's own time.
#pragma once

#include <evt/format.h>

#ifdef __cplusplus

#include <evt/schema.h>

#pragma GCC visibility push(default)
namespace evt::events {

// Why a thread stopped running.
enum class StopReason : std::uint16_t {
  kUnknown = EVT_STOP_UNKNOWN,
  kPreempted = EVT_STOP_PREEMPTED,  // it was still runnable
  kYielded = EVT_STOP_YIELDED,      // it was runnable, and let others run
  kBlocked = EVT_STOP_BLOCKED,      // it waits for `object`, or another thread
  kSleeping = EVT_STOP_SLEEPING,    // it waits for a future time
  kFinished = EVT_STOP_FINISHED,
  kCalledOut = EVT_STOP_CALLED_OUT,  // it runs where no observer sees it: in the system, in a foreign function
};

struct ThreadCreate {
  std::uint64_t thread = 0;
};
struct ThreadName {
  std::uint64_t thread = 0;
  std::string_view name;
};
struct ThreadRunnable {
  std::uint64_t thread = 0;
};
struct ThreadRun {
  std::uint64_t thread = 0;
  std::uint32_t cpu = 0;
};
struct ThreadStop {
  std::uint64_t thread = 0;
  StopReason reason{};
  std::uint64_t object = 0;  // 0: none
};
struct ThreadWake {
  std::uint64_t thread = 0;
  std::uint64_t waker = 0;  // 0: no thread did
};
struct ThreadMigrate {
  std::uint64_t thread = 0;
  std::uint32_t cpu = 0;
  std::uint32_t to_cpu = 0;
};
struct ThreadExit {
  std::uint64_t thread = 0;
};

struct SpanBegin {
  Interned name;
};
struct SpanEnd {};
struct SpanComplete {
  Interned name;
  TickDelta duration;
};

struct Counter {
  Interned name;
  std::int64_t value = 0;
};
struct Mark {
  std::string_view message;
};

struct CallBegin {
  Interned function;
  std::uint64_t object = 0;  // 0: none
  Interned resource;         // 0: none
  std::uint64_t amount = 0;  // requested
  std::uint64_t limit = 0;   // what the resource can do per second; 0: unknown
};
struct CallEnd {
  Interned function;
  std::uint64_t amount = 0;  // obtained
};
struct CallComplete {
  Interned function;
  std::uint64_t object = 0;
  Interned resource;
  std::uint64_t amount = 0;
  std::uint64_t limit = 0;
  TickDelta duration;
};

struct ObjectOpen {
  std::uint64_t object = 0;
  Interned resource;  // the kind of thing
};
struct ObjectName {
  std::uint64_t object = 0;
  std::string_view name;
};
struct ObjectClose {
  std::uint64_t object = 0;
};

struct ProcessStopped {
  TickDelta duration;
};

struct GcStart {
  std::uint16_t generation = 0;
};
struct GcEnd {};
struct GcIdle {};
struct GcWork {};
struct GcDone {};

struct ProcessStart {
  std::uint64_t process = 0;
  std::uint64_t parent = 0;
};
struct ProcessProgram {
  std::uint64_t process = 0;
  std::string_view name;
};
struct ProcessArguments {
  std::uint64_t process = 0;
  std::span<const std::string_view> arguments;
};
struct WallClock {
  std::int64_t utc_ns = 0;
};
struct Overhead {
  Interned reason;
  TickDelta duration;
};

// Rows that samples share: Writer::intern each once.
struct StackFrame {
  Interned function;
  Interned module;         // the path of its program or library
  std::uint32_t line = 0;  // 0: unknown
};
// Names that stand for what is not known.
inline constexpr std::string_view kUnknownName = "[unknown]";       // a function, or a module
inline constexpr std::string_view kTruncatedStack = "[truncated]";  // an outermost function: its callers
struct StackFrames {
  std::span<const Reference> frames;  // the innermost first
};
struct StackSample {
  std::uint64_t thread = 0;
  Reference stack;
  std::uint64_t weight = 0;  // the processor time, in ns, that it stands for
};

// All of them, in the order of their numbers.
using All =
    std::tuple<ThreadCreate, ThreadName, ThreadRunnable, ThreadRun, ThreadStop, ThreadWake, ThreadMigrate, ThreadExit,
               SpanBegin, SpanEnd, SpanComplete, Counter, Mark, CallBegin, CallEnd, CallComplete, ObjectOpen,
               ObjectName, ObjectClose, ProcessStopped, GcStart, GcEnd, GcIdle, GcWork, GcDone, ProcessStart,
               ProcessProgram, ProcessArguments, WallClock, Overhead, StackFrame, StackFrames, StackSample>;

}  // namespace evt::events
#pragma GCC visibility pop

namespace evt {

template <>
inline constexpr auto labels<events::StopReason> =
    std::array{Label{0, "unknown"},  Label{1, "preempted"}, Label{2, "yielded"},   Label{3, "blocked"},
               Label{4, "sleeping"}, Label{5, "finished"},  Label{6, "called_out"}};

template <>
inline constexpr auto schema<events::ThreadCreate> =
    pinned(EVT_EVENT_THREAD_CREATE, event("thread.create", "a thread exists from now on", Role::kThreadCreate,
                                          field("thread", &events::ThreadCreate::thread, Role::kThread)));
template <>
inline constexpr auto schema<events::ThreadName> =
    pinned(EVT_EVENT_THREAD_NAME, event("thread.name", "a thread has this name", Role::kThreadName,
                                        field("thread", &events::ThreadName::thread, Role::kThread),
                                        field("name", &events::ThreadName::name, Role::kName)));
template <>
inline constexpr auto schema<events::ThreadRunnable> =
    pinned(EVT_EVENT_THREAD_RUNNABLE, event("thread.runnable", "a thread could run", Role::kThreadRunnable,
                                            field("thread", &events::ThreadRunnable::thread, Role::kThread)));
template <>
inline constexpr auto schema<events::ThreadRun> =
    pinned(EVT_EVENT_THREAD_RUN, event("thread.run", "a thread begins to run on a cpu", Role::kThreadRun,
                                       field("thread", &events::ThreadRun::thread, Role::kThread),
                                       field("cpu", &events::ThreadRun::cpu, Role::kCpu)));
template <>
inline constexpr auto schema<events::ThreadStop> =
    pinned(EVT_EVENT_THREAD_STOP, event("thread.stop", "a thread stops running", Role::kThreadStop,
                                        field("thread", &events::ThreadStop::thread, Role::kThread),
                                        field("reason", &events::ThreadStop::reason, Role::kReason),
                                        field("object", &events::ThreadStop::object, Role::kObject)));
template <>
inline constexpr auto schema<events::ThreadWake> =
    pinned(EVT_EVENT_THREAD_WAKE, event("thread.wake", "a thread is made runnable by another", Role::kThreadWake,
                                        field("thread", &events::ThreadWake::thread, Role::kThread),
                                        field("waker", &events::ThreadWake::waker, Role::kWaker)));
template <>
inline constexpr auto schema<events::ThreadMigrate> =
    pinned(EVT_EVENT_THREAD_MIGRATE, event("thread.migrate", "a thread moves to another cpu", Role::kThreadMigrate,
                                           field("thread", &events::ThreadMigrate::thread, Role::kThread),
                                           field("cpu", &events::ThreadMigrate::cpu, Role::kCpu),
                                           field("to_cpu", &events::ThreadMigrate::to_cpu, Role::kToCpu)));
template <>
inline constexpr auto schema<events::ThreadExit> =
    pinned(EVT_EVENT_THREAD_EXIT, event("thread.exit", "a thread is no more", Role::kThreadExit,
                                        field("thread", &events::ThreadExit::thread, Role::kThread)));

template <>
inline constexpr auto schema<events::SpanBegin> = pinned(EVT_EVENT_SPAN_BEGIN,
                                                         event("span.begin", "something begins on this stream",
                                                               Role::kSpanBegin,
                                                               field("name", &events::SpanBegin::name, Role::kName)));
template <>
inline constexpr auto schema<events::SpanEnd> =
    pinned(EVT_EVENT_SPAN_END, event("span.end", "the innermost thing that began ends", Role::kSpanEnd));
template <>
inline constexpr auto schema<events::SpanComplete> =
    pinned(EVT_EVENT_SPAN_COMPLETE, event("span.complete", "something that lasted so long ends", Role::kSpan,
                                          field("name", &events::SpanComplete::name, Role::kName),
                                          field("duration", &events::SpanComplete::duration, Role::kDuration)));

template <>
inline constexpr auto schema<events::Counter> = pinned(EVT_EVENT_COUNTER,
                                                       event("counter", "a quantity has this value from now on",
                                                             Role::kCounter,
                                                             field("name", &events::Counter::name, Role::kName),
                                                             field("value", &events::Counter::value, Role::kValue)));
template <>
inline constexpr auto schema<events::Mark> = pinned(EVT_EVENT_MARK,
                                                    event("mark", "a moment worth seeing", Role::kMark,
                                                          field("message", &events::Mark::message, Role::kMessage)));

template <>
inline constexpr auto schema<events::CallBegin> =
    pinned(EVT_EVENT_CALL_BEGIN, event("call.begin", "a function of a traced API is entered", Role::kCallBegin,
                                       field("function", &events::CallBegin::function, Role::kFunction),
                                       field("object", &events::CallBegin::object, Role::kObject),
                                       field("resource", &events::CallBegin::resource, Role::kResource),
                                       field("amount", &events::CallBegin::amount, Role::kAmount),
                                       field("limit", &events::CallBegin::limit, Role::kLimit)));
template <>
inline constexpr auto schema<events::CallEnd> =
    pinned(EVT_EVENT_CALL_END, event("call.end", "it returns", Role::kCallEnd,
                                     field("function", &events::CallEnd::function, Role::kFunction),
                                     field("amount", &events::CallEnd::amount, Role::kAmount)));
template <>
inline constexpr auto schema<events::CallComplete> =
    pinned(EVT_EVENT_CALL_COMPLETE, event("call.complete", "a function that was entered before returns", Role::kCall,
                                          field("function", &events::CallComplete::function, Role::kFunction),
                                          field("object", &events::CallComplete::object, Role::kObject),
                                          field("resource", &events::CallComplete::resource, Role::kResource),
                                          field("amount", &events::CallComplete::amount, Role::kAmount),
                                          field("limit", &events::CallComplete::limit, Role::kLimit),
                                          field("duration", &events::CallComplete::duration, Role::kDuration)));

template <>
inline constexpr auto schema<events::ObjectOpen> =
    pinned(EVT_EVENT_OBJECT_OPEN, event("object.open", "an object exists from now on", Role::kObjectOpen,
                                        field("object", &events::ObjectOpen::object, Role::kObject),
                                        field("resource", &events::ObjectOpen::resource, Role::kResource)));
template <>
inline constexpr auto schema<events::ObjectName> =
    pinned(EVT_EVENT_OBJECT_NAME, event("object.name", "an object has this name", Role::kObjectName,
                                        field("object", &events::ObjectName::object, Role::kObject),
                                        field("name", &events::ObjectName::name, Role::kName)));
template <>
inline constexpr auto schema<events::ObjectClose> =
    pinned(EVT_EVENT_OBJECT_CLOSE, event("object.close", "an object is no more", Role::kObjectClose,
                                         field("object", &events::ObjectClose::object, Role::kObject)));

template <>
inline constexpr auto schema<events::ProcessStopped> = pinned(
    EVT_EVENT_PROCESS_STOPPED, event("process.stopped", "the whole process was stopped for so long", Role::kStopped,
                                     field("duration", &events::ProcessStopped::duration, Role::kDuration)));

template <>
inline constexpr auto schema<events::GcStart> =
    pinned(EVT_EVENT_GC_START, event("gc.start", "a collection of garbage begins", Role::kGcStart,
                                     field("generation", &events::GcStart::generation, Role::kGeneration)));
template <>
inline constexpr auto schema<events::GcEnd> = pinned(EVT_EVENT_GC_END, event("gc.end", "it ends", Role::kGcEnd));
template <>
inline constexpr auto schema<events::GcIdle> =
    pinned(EVT_EVENT_GC_IDLE, event("gc.idle", "this collector has nothing to do", Role::kGcIdle));
template <>
inline constexpr auto schema<events::GcWork> = pinned(EVT_EVENT_GC_WORK,
                                                      event("gc.work", "this collector works", Role::kGcWork));
template <>
inline constexpr auto schema<events::GcDone> =
    pinned(EVT_EVENT_GC_DONE, event("gc.done", "this collector has done its part", Role::kGcDone));

template <>
inline constexpr auto schema<events::ProcessStart> =
    pinned(EVT_EVENT_PROCESS_START, event("process.start", "a process exists", Role::kProcessStart,
                                          field("process", &events::ProcessStart::process, Role::kProcess),
                                          field("parent", &events::ProcessStart::parent, Role::kParent)));
template <>
inline constexpr auto schema<events::ProcessProgram> =
    pinned(EVT_EVENT_PROCESS_PROGRAM, event("process.program", "what program it runs", Role::kProgram,
                                            field("process", &events::ProcessProgram::process, Role::kProcess),
                                            field("name", &events::ProcessProgram::name, Role::kName)));
template <>
inline constexpr auto schema<events::ProcessArguments> =
    pinned(EVT_EVENT_PROCESS_ARGUMENTS, event("process.arguments", "its command line", Role::kArguments,
                                              field("process", &events::ProcessArguments::process, Role::kProcess),
                                              field("arguments", &events::ProcessArguments::arguments, Role::kValue)));
template <>
inline constexpr auto schema<events::WallClock> =
    pinned(EVT_EVENT_WALL_CLOCK, event("clock.wall", "the time of day at this moment, since 1970", Role::kWallClock,
                                       field("utc_ns", &events::WallClock::utc_ns, Role::kValue, Unit::kNanoseconds)));
template <>
inline constexpr auto schema<events::Overhead> =
    pinned(EVT_EVENT_OVERHEAD, event("trace.overhead", "tracing itself took so long", Role::kOverhead,
                                     field("reason", &events::Overhead::reason, Role::kReason),
                                     field("duration", &events::Overhead::duration, Role::kDuration)));
template <>
inline constexpr auto schema<events::StackFrame> =
    pinned(EVT_EVENT_STACK_FRAME, event("stack.frame", "a function that a thread is in", Role::kFrame,
                                        field("function", &events::StackFrame::function, Role::kFunction),
                                        field("module", &events::StackFrame::module, Role::kModule),
                                        field("line", &events::StackFrame::line, Role::kLine)));
template <>
inline constexpr auto schema<events::StackFrames> =
    pinned(EVT_EVENT_STACK_FRAMES, event("stack.frames", "the functions that a thread is in, the innermost first",
                                         Role::kFrames, field("frames", &events::StackFrames::frames, Role::kStack)));
template <>
inline constexpr auto schema<events::StackSample> = pinned(
    EVT_EVENT_STACK_SAMPLE, event("stack.sample", "what a thread does at this moment", Role::kSample,
                                  field("thread", &events::StackSample::thread, Role::kThread),
                                  field("stack", &events::StackSample::stack, Role::kStack),
                                  field("weight", &events::StackSample::weight, Role::kWeight, Unit::kNanoseconds)));

}  // namespace evt

#endif  // __cplusplus
