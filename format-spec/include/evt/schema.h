// An event type declared once, as a C++ struct: writing, reading and dumps all use it.
//
//   struct ThreadStop { std::uint32_t thread = 0; StopReason reason{}; };
//   template <> inline constexpr auto evt::schema<ThreadStop> = evt::event("sched.thread_stop", "a thread stopped",
//       evt::Role::kThreadStop, evt::field("thread", &ThreadStop::thread, evt::Role::kThread),
//       evt::field("reason", &ThreadStop::reason));
//
// Fields have the order of the list, not of the struct. They may be added at its end, and never change.
#pragma once

#include <evt/cpp20.h>
#include <evt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace evt {

enum class Kind : std::uint16_t {
  kUnknown = 0,
  kUnsigned = EVT_KIND_UNSIGNED,
  kSigned = EVT_KIND_SIGNED,
  kFloat = EVT_KIND_FLOAT,
  kBool = EVT_KIND_BOOL,
  kEnumeration = EVT_KIND_ENUMERATION,
  kText = EVT_KIND_TEXT,
  kBytes = EVT_KIND_BYTES,
  kInterned = EVT_KIND_INTERNED,
  kTicks = EVT_KIND_TICKS,
  kTickDelta = EVT_KIND_TICK_DELTA,
  kReference = EVT_KIND_REFERENCE,
};

enum class Shape : std::uint16_t {
  kFixed = EVT_SHAPE_FIXED,
  kCounted16 = EVT_SHAPE_COUNTED16,
  kCounted32 = EVT_SHAPE_COUNTED32,
  kArray = EVT_SHAPE_ARRAY,
  kList = EVT_SHAPE_LIST,
};

enum class Role : std::uint16_t {
  kNone = EVT_ROLE_NONE,
  kSpanBegin = EVT_ROLE_SPAN_BEGIN,
  kSpanEnd = EVT_ROLE_SPAN_END,
  kSpan = EVT_ROLE_SPAN,
  kCounter = EVT_ROLE_COUNTER,
  kMark = EVT_ROLE_MARK,
  kThreadCreate = EVT_ROLE_THREAD_CREATE,
  kThreadRunnable = EVT_ROLE_THREAD_RUNNABLE,
  kThreadRun = EVT_ROLE_THREAD_RUN,
  kThreadStop = EVT_ROLE_THREAD_STOP,
  kThreadWake = EVT_ROLE_THREAD_WAKE,
  kThreadMigrate = EVT_ROLE_THREAD_MIGRATE,
  kThreadExit = EVT_ROLE_THREAD_EXIT,
  kCallBegin = EVT_ROLE_CALL_BEGIN,
  kCallEnd = EVT_ROLE_CALL_END,
  kCall = EVT_ROLE_CALL,
  kStopped = EVT_ROLE_STOPPED,
  kThread = EVT_ROLE_THREAD,
  kCpu = EVT_ROLE_CPU,
  kObject = EVT_ROLE_OBJECT,
  kResource = EVT_ROLE_RESOURCE,
  kAmount = EVT_ROLE_AMOUNT,
  kLimit = EVT_ROLE_LIMIT,
  kDuration = EVT_ROLE_DURATION,
  kValue = EVT_ROLE_VALUE,
  kMessage = EVT_ROLE_MESSAGE,
  kName = EVT_ROLE_NAME,
  kReason = EVT_ROLE_REASON,
  kFunction = EVT_ROLE_FUNCTION,
  kThreadName = EVT_ROLE_THREAD_NAME,
  kObjectOpen = EVT_ROLE_OBJECT_OPEN,
  kObjectName = EVT_ROLE_OBJECT_NAME,
  kObjectClose = EVT_ROLE_OBJECT_CLOSE,
  kGcStart = EVT_ROLE_GC_START,
  kGcEnd = EVT_ROLE_GC_END,
  kGcIdle = EVT_ROLE_GC_IDLE,
  kGcWork = EVT_ROLE_GC_WORK,
  kGcDone = EVT_ROLE_GC_DONE,
  kProcessStart = EVT_ROLE_PROCESS_START,
  kProgram = EVT_ROLE_PROGRAM,
  kArguments = EVT_ROLE_ARGUMENTS,
  kWallClock = EVT_ROLE_WALL_CLOCK,
  kOverhead = EVT_ROLE_OVERHEAD,
  kSparkCreate = EVT_ROLE_SPARK_CREATE,
  kSparkDud = EVT_ROLE_SPARK_DUD,
  kSparkOverflow = EVT_ROLE_SPARK_OVERFLOW,
  kSparkRun = EVT_ROLE_SPARK_RUN,
  kSparkSteal = EVT_ROLE_SPARK_STEAL,
  kSparkFizzle = EVT_ROLE_SPARK_FIZZLE,
  kSparkCollect = EVT_ROLE_SPARK_COLLECT,
  kSparkCounters = EVT_ROLE_SPARK_COUNTERS,
  kProcess = EVT_ROLE_PROCESS,
  kParent = EVT_ROLE_PARENT,
  kWaker = EVT_ROLE_WAKER,
  kToCpu = EVT_ROLE_TO_CPU,
  kGeneration = EVT_ROLE_GENERATION,
  kGcSync = EVT_ROLE_GC_SYNC,
  kGcStatistics = EVT_ROLE_GC_STATISTICS,
  kFlowOut = EVT_ROLE_FLOW_OUT,
  kFlowIn = EVT_ROLE_FLOW_IN,
  kMessageSend = EVT_ROLE_MESSAGE_SEND,
  kMessageReceive = EVT_ROLE_MESSAGE_RECEIVE,
  kAsyncBegin = EVT_ROLE_ASYNC_BEGIN,
  kAsyncEnd = EVT_ROLE_ASYNC_END,
  kSample = EVT_ROLE_SAMPLE,
  kCounterTotal = EVT_ROLE_COUNTER_TOTAL,
  kCounterDelta = EVT_ROLE_COUNTER_DELTA,
  kIdleThread = EVT_ROLE_IDLE_THREAD,
  kFlow = EVT_ROLE_FLOW,
  kSpanId = EVT_ROLE_SPAN_ID,
  kWeight = EVT_ROLE_WEIGHT,
  kStack = EVT_ROLE_STACK,
  kAddress = EVT_ROLE_ADDRESS,
  kCategory = EVT_ROLE_CATEGORY,
  kPriority = EVT_ROLE_PRIORITY,
  kHostCpu = EVT_ROLE_HOST_CPU,
  kBegan = EVT_ROLE_BEGAN,
  kEnded = EVT_ROLE_ENDED,
  kCallCounts = EVT_ROLE_CALL_COUNTS,
  kCaller = EVT_ROLE_CALLER,
  kGcRequest = EVT_ROLE_GC_REQUEST,
  kGcPauseBegin = EVT_ROLE_GC_PAUSE_BEGIN,
  kGcPauseEnd = EVT_ROLE_GC_PAUSE_END,
  kGcConcurrentBegin = EVT_ROLE_GC_CONCURRENT_BEGIN,
  kGcConcurrentEnd = EVT_ROLE_GC_CONCURRENT_END,
  kFrame = EVT_ROLE_FRAME,
  kFrames = EVT_ROLE_FRAMES,
  kModule = EVT_ROLE_MODULE,
  kBuildId = EVT_ROLE_BUILD_ID,
  kLine = EVT_ROLE_LINE,
  kLockRelease = EVT_ROLE_LOCK_RELEASE,
  kHolder = EVT_ROLE_HOLDER,
  kTraceId = EVT_ROLE_TRACE_ID,
  kParentSpan = EVT_ROLE_PARENT_SPAN,
  kHistogram = EVT_ROLE_HISTOGRAM,
  kBounds = EVT_ROLE_BOUNDS,
  kCounts = EVT_ROLE_COUNTS,
  kInlined = EVT_ROLE_INLINED,
};

enum class Unit : std::uint16_t {
  kNone = EVT_UNIT_NONE,
  kNanoseconds = EVT_UNIT_NANOSECONDS,
  kMicroseconds = EVT_UNIT_MICROSECONDS,
  kMilliseconds = EVT_UNIT_MILLISECONDS,
  kSeconds = EVT_UNIT_SECONDS,
  kBytes = EVT_UNIT_BYTES,
  kCountOfThings = EVT_UNIT_COUNT_OF_THINGS,
  kPercent = EVT_UNIT_PERCENT,
  kHertz = EVT_UNIT_HERTZ,
  kBytesPerSecond = EVT_UNIT_BYTES_PER_SECOND,
};

enum class Scope : std::uint16_t {
  kNotStated = EVT_SCOPE_NOT_STATED,
  kSession = EVT_SCOPE_SESSION,
  kProcess = EVT_SCOPE_PROCESS,
  kBoot = EVT_SCOPE_BOOT,
  kNetwork = EVT_SCOPE_NETWORK,
};

// Types of members beyond the usual ones. Views refer to the caller's memory when written, to the event when read.
struct Interned {  // the id of a text known to Writer::intern or a reader's strings()
  std::uint32_t id = 0;
  friend bool operator==(Interned, Interned) = default;
};
struct Reference {  // the id of a row that many events share, known to Writer::intern or a reader's row()
  std::uint32_t id = 0;
  friend bool operator==(Reference, Reference) = default;
};
struct Ticks {  // a reading of the session's clock
  std::uint64_t value = 0;
  friend bool operator==(Ticks, Ticks) = default;
};
struct TickDelta {  // an interval on the session's clock
  std::int64_t value = 0;
  friend bool operator==(TickDelta, TickDelta) = default;
};
struct Ticks32 {  // the low 32 bits of one that is not later than the event, by less than 2^32 ticks
  std::uint32_t value = 0;
  friend bool operator==(Ticks32, Ticks32) = default;
};
struct TickDelta32 {
  std::int32_t value = 0;
  friend bool operator==(TickDelta32, TickDelta32) = default;
};
struct LongText {  // up to 16 MiB where std::string_view is shortened to 65535 bytes
  std::string_view text;
};
using Bytes = std::span<const std::byte>;
struct LongBytes {
  Bytes bytes;
};

// The text of one value of an enumeration. Specialise for an enum to have dumps show its names:
//   template <> inline constexpr auto evt::labels<Color> = std::array{evt::Label{0, "red"}, evt::Label{1, "green"}};
struct Label {
  std::uint64_t value;
  const char* text;
};
template <typename E>
inline constexpr auto labels = std::array<Label, 0>{};

// How a row stores a member's type.
struct Wire {
  Kind kind;
  Shape shape;
  std::uint32_t width;
};

template <typename M>
struct AlwaysFalse : std::false_type {};

// True if M is std::string, decided without its header, which a writer need not include. A reader copies the text into
// it.
template <typename M>
inline constexpr bool is_string = requires {
  typename M::allocator_type;
  requires std::is_same_v<typename M::traits_type, std::char_traits<char>>;
};

template <typename M>
consteval Wire wire_of() {
  if constexpr (std::is_same_v<M, bool>) {
    return {Kind::kBool, Shape::kFixed, 1};
  } else if constexpr (std::is_enum_v<M>) {
    return {Kind::kEnumeration, Shape::kFixed, sizeof(M)};
  } else if constexpr (std::is_floating_point_v<M> && sizeof(M) <= 8) {
    return {Kind::kFloat, Shape::kFixed, sizeof(M)};
  } else if constexpr (std::is_integral_v<M>) {
    return {std::is_signed_v<M> ? Kind::kSigned : Kind::kUnsigned, Shape::kFixed, sizeof(M)};
  } else if constexpr (std::is_same_v<M, Interned>) {
    return {Kind::kInterned, Shape::kFixed, 4};
  } else if constexpr (std::is_same_v<M, Reference>) {
    return {Kind::kReference, Shape::kFixed, 4};
  } else if constexpr (std::is_same_v<M, Ticks>) {
    return {Kind::kTicks, Shape::kFixed, 8};
  } else if constexpr (std::is_same_v<M, TickDelta>) {
    return {Kind::kTickDelta, Shape::kFixed, 8};
  } else if constexpr (std::is_same_v<M, Ticks32>) {
    return {Kind::kTicks, Shape::kFixed, 4};
  } else if constexpr (std::is_same_v<M, TickDelta32>) {
    return {Kind::kTickDelta, Shape::kFixed, 4};
  } else if constexpr (std::is_same_v<M, std::string_view> || is_string<M>) {
    return {Kind::kText, Shape::kCounted16, 0};
  } else if constexpr (std::is_same_v<M, LongText>) {
    return {Kind::kText, Shape::kCounted32, 0};
  } else if constexpr (std::is_same_v<M, Bytes>) {
    return {Kind::kBytes, Shape::kCounted16, 0};
  } else if constexpr (std::is_same_v<M, LongBytes>) {
    return {Kind::kBytes, Shape::kCounted32, 0};
  } else if constexpr (std::is_same_v<M, std::span<const std::string_view>>) {
    return {Kind::kText, Shape::kList, 0};
  } else if constexpr (std::is_same_v<M, std::span<const Bytes>>) {
    return {Kind::kBytes, Shape::kList, 0};
  } else if constexpr (requires(M m) { []<std::size_t N>(std::array<std::byte, N>&) {}(m); }) {
    return {Kind::kBytes, Shape::kFixed, sizeof(M)};
  } else if constexpr (requires(M m) { []<typename A>(std::span<const A>&) {}(m); }) {
    using Element = std::remove_const_t<typename M::element_type>;
    constexpr Wire element = wire_of<Element>();
    static_assert(element.shape == Shape::kFixed, "an array is of fixed-size elements");
    return {element.kind, Shape::kArray, element.width};
  } else {
    static_assert(AlwaysFalse<M>::value, "not a type that a field can have");
  }
}

// Private roles in reverse DNS, as an array that lives as long as the program: std::array{"com.example.frame"}.
using Tags = std::span<const char* const>;

// The meaning of a value, beyond its role and unit.
struct FieldMeaning {
  std::uint64_t absent = 0;
  const char* unit_text = "";
  Tags tags{};
  Scope scope = Scope::kNotStated;
  bool is_flags = false;
  bool has_absent = false;
  std::int8_t scale = 0;
};

template <typename T, typename M>
struct FieldOf {
  using Member = M;
  const char* name;
  M T::*member;
  Role role;
  Unit unit;
  const char* description;
  FieldMeaning meaning{};

  // Each of these returns the field with one more property:
  //   evt::field("flags", &Open::flags).as_flags()

  // For an enumeration: its labels are bits.
  consteval FieldOf as_flags() const {
    FieldOf made = *this;
    made.meaning.is_flags = true;
    return made;
  }
  // For a number: this value means none; its bits, zero-extended from the member's size.
  consteval FieldOf absent(std::uint64_t value) const {
    FieldOf made = *this;
    made.meaning.has_absent = true;
    made.meaning.absent = value;
    return made;
  }
  // A unit that Unit has not, in UCUM; an integer counts 10 to the power `scale` of it: measured_in("Cel", -2).
  consteval FieldOf measured_in(const char* unit_text, int scale = 0) const {
    FieldOf made = *this;
    made.meaning.unit_text = unit_text;
    made.meaning.scale = static_cast<std::int8_t>(scale);
    return made;
  }
  // An integer counts 10 to this power of its unit.
  consteval FieldOf scaled(int scale) const {
    FieldOf made = *this;
    made.meaning.scale = static_cast<std::int8_t>(scale);
    return made;
  }
  // For an id: where equal ones mean the same thing.
  consteval FieldOf within(Scope scope) const {
    FieldOf made = *this;
    made.meaning.scope = scope;
    return made;
  }
  consteval FieldOf tagged(Tags tags) const {
    FieldOf made = *this;
    made.meaning.tags = tags;
    return made;
  }
};

// A field: its name, member and meaning.
template <typename T, typename M>
consteval FieldOf<T, M> field(const char* name, M T::*member, Role role = Role::kNone, Unit unit = Unit::kNone,
                              const char* description = "") {
  return {name, member, role, unit, description, {}};
}

// A field of a facet: its name, and its role there.
struct FacetField {
  const char* field;
  Role role;
};

// An additional meaning of an event: as if an event with this role and only these fields happened at its time.
struct FacetOf {
  Role role;
  std::span<const FacetField> fields;
};

// Arrays that live as long as the program.
struct EventMeaning {
  std::span<const FacetOf> facets{};
  Tags tags{};
  const char* source_file = "";
  std::uint32_t source_line = 0;
  const char* source_function = "";
  bool off_by_default = false;
};

template <typename... Fields>
struct EventOf {
  const char* name;
  const char* description;
  Role role;
  std::uint32_t number;  // pinned in REGISTRY.md, or 0
  std::tuple<Fields...> fields;
  EventMeaning meaning{};

  // Additional meanings of the event after its own role, in this order:
  //   inline constexpr evt::FacetField kNext[] = {{"next", evt::Role::kThread}};
  //   inline constexpr evt::FacetOf kSwitch[] = {{evt::Role::kThreadRun, kNext}};
  //   evt::event("switch", ..., evt::Role::kThreadStop, ...).with_facets(kSwitch)
  consteval EventOf with_facets(std::span<const FacetOf> facets) const {
    EventOf made = *this;
    made.meaning.facets = facets;
    return made;
  }
  consteval EventOf tagged(Tags tags) const {
    EventOf made = *this;
    made.meaning.tags = tags;
    return made;
  }
  // Recorded only if requested, by Writer::switch_types or EVTRACE's types=+NAME.
  consteval EventOf off_by_default() const {
    EventOf made = *this;
    made.meaning.off_by_default = true;
    return made;
  }
  // Where the program records the event; line 0: not stated.
  consteval EventOf recorded_in(const char* file, std::uint32_t line, const char* function = "") const {
    EventOf made = *this;
    made.meaning.source_file = file;
    made.meaning.source_line = line;
    made.meaning.source_function = function;
    return made;
  }
};

// An event type: name (its identity, for ever), description, role if it has one, fields.
template <typename... T, typename... M>
consteval EventOf<FieldOf<T, M>...> event(const char* name, const char* description, FieldOf<T, M>... fields) {
  return {name, description, Role::kNone, 0, {fields...}, {}};
}
template <typename... T, typename... M>
consteval EventOf<FieldOf<T, M>...> event(const char* name, const char* description, Role role,
                                          FieldOf<T, M>... fields) {
  return {name, description, role, 0, {fields...}, {}};
}

// As above with a number that REGISTRY.md gives to this name in every session.
template <typename... Fields>
consteval EventOf<Fields...> pinned(std::uint32_t number, EventOf<Fields...> event) {
  event.number = number;
  return event;
}

// Specialise this, in namespace evt, for each struct that is an event.
template <typename T>
inline constexpr auto schema = nullptr;

template <typename T>
concept Traced = !std::is_same_v<std::remove_const_t<decltype(schema<T>)>, std::nullptr_t>;

template <Traced T>
inline constexpr std::size_t kFieldCount = std::tuple_size_v<decltype(schema<T>.fields)>;

}  // namespace evt
