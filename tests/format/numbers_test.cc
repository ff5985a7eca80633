// The numbers of the format stand in evt/format.h for C, in evt/schema.h for C++, in metadata.capnp for Cap'n Proto
// and, with their names, in tools/names.cc. Here they are held together.
#include <capnp/schema.h>
#include <evt/format.h>
#include <evt/schema.h>
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <string>

#include "metadata.capnp.h"
#include "tools/names.h"

namespace evt {
namespace {

using Numbers = std::map<std::string, std::uint16_t>;

// The enumerants of an enum of metadata.capnp, spanBegin as SPAN_BEGIN.
template <typename E>
Numbers in_schema() {
  Numbers numbers;
  for (const auto enumerant : capnp::Schema::from<E>().getEnumerants()) {
    std::string name;
    for (const char c : enumerant.getProto().getName()) {
      if (std::isupper(static_cast<unsigned char>(c)) != 0) name += '_';
      name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    numbers[name] = enumerant.getOrdinal();
  }
  return numbers;
}

// What C and C++ call NAME, which must be one number.
template <typename Cpp>
std::uint16_t same(int c, Cpp cpp) {
  EXPECT_EQ(c, static_cast<int>(cpp));
  return static_cast<std::uint16_t>(c);
}

TEST(Numbers, OfRolesAreTheSameEverywhere) {
  const Numbers in_headers = {
      {"NONE", same(EVT_ROLE_NONE, Role::kNone)},
      {"SPAN_BEGIN", same(EVT_ROLE_SPAN_BEGIN, Role::kSpanBegin)},
      {"SPAN_END", same(EVT_ROLE_SPAN_END, Role::kSpanEnd)},
      {"SPAN", same(EVT_ROLE_SPAN, Role::kSpan)},
      {"COUNTER", same(EVT_ROLE_COUNTER, Role::kCounter)},
      {"MARK", same(EVT_ROLE_MARK, Role::kMark)},
      {"THREAD_CREATE", same(EVT_ROLE_THREAD_CREATE, Role::kThreadCreate)},
      {"THREAD_RUNNABLE", same(EVT_ROLE_THREAD_RUNNABLE, Role::kThreadRunnable)},
      {"THREAD_RUN", same(EVT_ROLE_THREAD_RUN, Role::kThreadRun)},
      {"THREAD_STOP", same(EVT_ROLE_THREAD_STOP, Role::kThreadStop)},
      {"THREAD_WAKE", same(EVT_ROLE_THREAD_WAKE, Role::kThreadWake)},
      {"THREAD_MIGRATE", same(EVT_ROLE_THREAD_MIGRATE, Role::kThreadMigrate)},
      {"THREAD_EXIT", same(EVT_ROLE_THREAD_EXIT, Role::kThreadExit)},
      {"CALL_BEGIN", same(EVT_ROLE_CALL_BEGIN, Role::kCallBegin)},
      {"CALL_END", same(EVT_ROLE_CALL_END, Role::kCallEnd)},
      {"CALL", same(EVT_ROLE_CALL, Role::kCall)},
      {"STOPPED", same(EVT_ROLE_STOPPED, Role::kStopped)},
      {"THREAD", same(EVT_ROLE_THREAD, Role::kThread)},
      {"CPU", same(EVT_ROLE_CPU, Role::kCpu)},
      {"OBJECT", same(EVT_ROLE_OBJECT, Role::kObject)},
      {"RESOURCE", same(EVT_ROLE_RESOURCE, Role::kResource)},
      {"AMOUNT", same(EVT_ROLE_AMOUNT, Role::kAmount)},
      {"LIMIT", same(EVT_ROLE_LIMIT, Role::kLimit)},
      {"DURATION", same(EVT_ROLE_DURATION, Role::kDuration)},
      {"VALUE", same(EVT_ROLE_VALUE, Role::kValue)},
      {"MESSAGE", same(EVT_ROLE_MESSAGE, Role::kMessage)},
      {"NAME", same(EVT_ROLE_NAME, Role::kName)},
      {"REASON", same(EVT_ROLE_REASON, Role::kReason)},
      {"FUNCTION", same(EVT_ROLE_FUNCTION, Role::kFunction)},
      {"THREAD_NAME", same(EVT_ROLE_THREAD_NAME, Role::kThreadName)},
      {"OBJECT_OPEN", same(EVT_ROLE_OBJECT_OPEN, Role::kObjectOpen)},
      {"OBJECT_NAME", same(EVT_ROLE_OBJECT_NAME, Role::kObjectName)},
      {"OBJECT_CLOSE", same(EVT_ROLE_OBJECT_CLOSE, Role::kObjectClose)},
      {"GC_START", same(EVT_ROLE_GC_START, Role::kGcStart)},
      {"GC_END", same(EVT_ROLE_GC_END, Role::kGcEnd)},
      {"GC_IDLE", same(EVT_ROLE_GC_IDLE, Role::kGcIdle)},
      {"GC_WORK", same(EVT_ROLE_GC_WORK, Role::kGcWork)},
      {"GC_DONE", same(EVT_ROLE_GC_DONE, Role::kGcDone)},
      {"PROCESS_START", same(EVT_ROLE_PROCESS_START, Role::kProcessStart)},
      {"PROGRAM", same(EVT_ROLE_PROGRAM, Role::kProgram)},
      {"ARGUMENTS", same(EVT_ROLE_ARGUMENTS, Role::kArguments)},
      {"WALL_CLOCK", same(EVT_ROLE_WALL_CLOCK, Role::kWallClock)},
      {"OVERHEAD", same(EVT_ROLE_OVERHEAD, Role::kOverhead)},
      {"SPARK_CREATE", same(EVT_ROLE_SPARK_CREATE, Role::kSparkCreate)},
      {"SPARK_DUD", same(EVT_ROLE_SPARK_DUD, Role::kSparkDud)},
      {"SPARK_OVERFLOW", same(EVT_ROLE_SPARK_OVERFLOW, Role::kSparkOverflow)},
      {"SPARK_RUN", same(EVT_ROLE_SPARK_RUN, Role::kSparkRun)},
      {"SPARK_STEAL", same(EVT_ROLE_SPARK_STEAL, Role::kSparkSteal)},
      {"SPARK_FIZZLE", same(EVT_ROLE_SPARK_FIZZLE, Role::kSparkFizzle)},
      {"SPARK_COLLECT", same(EVT_ROLE_SPARK_COLLECT, Role::kSparkCollect)},
      {"SPARK_COUNTERS", same(EVT_ROLE_SPARK_COUNTERS, Role::kSparkCounters)},
      {"PROCESS", same(EVT_ROLE_PROCESS, Role::kProcess)},
      {"PARENT", same(EVT_ROLE_PARENT, Role::kParent)},
      {"WAKER", same(EVT_ROLE_WAKER, Role::kWaker)},
      {"TO_CPU", same(EVT_ROLE_TO_CPU, Role::kToCpu)},
      {"GENERATION", same(EVT_ROLE_GENERATION, Role::kGeneration)},
      {"GC_SYNC", same(EVT_ROLE_GC_SYNC, Role::kGcSync)},
      {"GC_STATISTICS", same(EVT_ROLE_GC_STATISTICS, Role::kGcStatistics)},
  };
  EXPECT_EQ(in_headers, in_schema<metadata::Role>());
  EXPECT_EQ(in_headers.size(), std::size_t{EVT_ROLE_COUNT});
}

TEST(Numbers, OfUnitsAreTheSameEverywhere) {
  const Numbers in_headers = {
      {"NONE", same(EVT_UNIT_NONE, Unit::kNone)},
      {"NANOSECONDS", same(EVT_UNIT_NANOSECONDS, Unit::kNanoseconds)},
      {"MICROSECONDS", same(EVT_UNIT_MICROSECONDS, Unit::kMicroseconds)},
      {"MILLISECONDS", same(EVT_UNIT_MILLISECONDS, Unit::kMilliseconds)},
      {"SECONDS", same(EVT_UNIT_SECONDS, Unit::kSeconds)},
      {"BYTES", same(EVT_UNIT_BYTES, Unit::kBytes)},
      {"COUNT_OF_THINGS", same(EVT_UNIT_COUNT_OF_THINGS, Unit::kCount)},
      {"PERCENT", same(EVT_UNIT_PERCENT, Unit::kPercent)},
      {"HERTZ", same(EVT_UNIT_HERTZ, Unit::kHertz)},
      {"BYTES_PER_SECOND", same(EVT_UNIT_BYTES_PER_SECOND, Unit::kBytesPerSecond)},
  };
  EXPECT_EQ(in_headers, in_schema<metadata::Unit>());
  EXPECT_EQ(in_headers.size(), std::size_t{EVT_UNIT_COUNT});
}

TEST(Numbers, OfKindsAreTheSameEverywhere) {
  const Numbers in_headers = {
      {"UNKNOWN", same(0, Kind::kUnknown)},
      {"UNSIGNED", same(EVT_KIND_UNSIGNED, Kind::kUnsigned)},
      {"SIGNED", same(EVT_KIND_SIGNED, Kind::kSigned)},
      {"FLOAT", same(EVT_KIND_FLOAT, Kind::kFloat)},
      {"BOOL", same(EVT_KIND_BOOL, Kind::kBool)},
      {"ENUMERATION", same(EVT_KIND_ENUMERATION, Kind::kEnumeration)},
      {"TEXT", same(EVT_KIND_TEXT, Kind::kText)},
      {"BYTES", same(EVT_KIND_BYTES, Kind::kBytes)},
      {"INTERNED", same(EVT_KIND_INTERNED, Kind::kInterned)},
      {"TICKS", same(EVT_KIND_TICKS, Kind::kTicks)},
      {"TICK_DELTA", same(EVT_KIND_TICK_DELTA, Kind::kTickDelta)},
  };
  EXPECT_EQ(in_headers, in_schema<metadata::Kind>());
}

TEST(Numbers, OfShapesAreTheSameEverywhere) {
  const Numbers in_headers = {
      {"FIXED", same(EVT_SHAPE_FIXED, Shape::kFixed)},
      {"COUNTED16", same(EVT_SHAPE_COUNTED16, Shape::kCounted16)},
      {"COUNTED32", same(EVT_SHAPE_COUNTED32, Shape::kCounted32)},
      {"ARRAY", same(EVT_SHAPE_ARRAY, Shape::kArray)},
      {"LIST", same(EVT_SHAPE_LIST, Shape::kList)},
  };
  EXPECT_EQ(in_headers, in_schema<metadata::Shape>());
}

// Every enumerant of the schema under its own name, both ways.
template <typename E, typename Number>
void expect_names(std::string (*name_of)(Number), std::optional<Number> (*number_of)(std::string_view)) {
  for (const auto enumerant : capnp::Schema::from<E>().getEnumerants()) {
    const std::string name = enumerant.getProto().getName().cStr();
    const auto number = static_cast<Number>(enumerant.getOrdinal());
    EXPECT_EQ(name_of(number), name);
    EXPECT_EQ(number_of(name), number) << name;
  }
}

TEST(Numbers, OfRolesAndUnitsHaveTheNamesOfTheSchema) {
  expect_names<metadata::Role>(tools::role_name, tools::role_of);
  expect_names<metadata::Unit>(tools::unit_name, tools::unit_of);
}

TEST(Numbers, WithoutANameAreTheirOwnName) {
  EXPECT_EQ(tools::role_name(static_cast<Role>(EVT_ROLE_COUNT)), std::to_string(EVT_ROLE_COUNT));
  EXPECT_EQ(tools::unit_name(static_cast<Unit>(60000)), "60000");
  EXPECT_EQ(tools::role_of("60000"), static_cast<Role>(60000));
  EXPECT_EQ(tools::unit_of("65536"), std::nullopt);
  EXPECT_EQ(tools::role_of("noSuchRole"), std::nullopt);
}

}  // namespace
}  // namespace evt
