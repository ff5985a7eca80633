// Allocations that fail, one after the other: the program goes on, and each event is in the trace or counted as lost.
#include <errno.h>
#include <stdlib.h>

#include "write/ring_session.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)
#define EVT_CAN_FAIL 1
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#undef EVT_CAN_FAIL
#endif
#endif
#endif

namespace {

// Which allocation from now on fails: 1 is the next one, less than 1 none.
std::atomic<long> fails_at{0};
std::atomic<bool> fails_from_there_on{false};

}  // namespace

#ifdef EVT_CAN_FAIL
namespace {

bool must_fail() {
  if (fails_at.load(std::memory_order_relaxed) <= 0) return false;
  if (fails_from_there_on && fails_at == 1) return true;
  return fails_at.fetch_sub(1) == 1;
}

}  // namespace

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);

void* malloc(size_t size) {
  if (!must_fail()) return __libc_malloc(size);
  errno = ENOMEM;
  return nullptr;
}
void* calloc(size_t count, size_t size) {
  if (!must_fail()) return __libc_calloc(count, size);
  errno = ENOMEM;
  return nullptr;
}
void* realloc(void* memory, size_t size) {
  if (!must_fail()) return __libc_realloc(memory, size);
  errno = ENOMEM;
  return nullptr;
}
}
#endif

namespace evt::testing {
namespace {

constexpr std::size_t kLarge = 300'000;

struct WithoutMemory {
  bool opened;
  bool closed_well;
  bool reached;  // there were as many allocations
  std::uint64_t emitted;
  evt_counts counts;
};

class NoMemory : public RingTest {
 protected:
  void SetUp() override {
#ifndef EVT_CAN_FAIL
    GTEST_SKIP() << "memory is a sanitizer's";
#endif
  }

  // An event of the writer's own, with room asked for as it grows.
  static void emit(evt_stream* stream, const evt_type* type, std::size_t size, WithoutMemory* outcome) {
    static const char bytes[kLarge] = {};
    ++outcome->emitted;
    evt_row row = evt_begin(stream, type);
    evt_raw(&row, bytes, size);
    evt_commit(&row);
  }

  // A session of two types, four streams, texts and large events. Nothing in it allocates but the writer.
  void record(const evt_options& options, WithoutMemory* outcome) const {
    evt_error error;
    evt_writer* const writer = evt_open(path.c_str(), &options, &error);
    outcome->opened = writer != nullptr;
    if (writer == nullptr) return;
    const evt_field field = EVT_FIELD_OF("load", EVT_KIND_BYTES, EVT_SHAPE_FIXED, 8);
    evt_event_type first = {};
    first.name = "first";
    first.description = "with a field";
    first.field_count = 1;
    first.fields = &field;
    evt_event_type second = {};
    second.name = "second";
    const evt_type* const a = evt_declare(writer, &first, &error);
    const evt_type* const b = evt_declare(writer, &second, &error);
    // An event of a type that could not be declared records nothing, by its contract.
    const bool declared = a->number != 0 && b->number != 0;
    for (const char* const name : {"one", "two", "three", "four"}) {
      evt_stream* const stream = evt_stream_open(writer, name);
      evt_intern(writer, name, 3);
      for (int i = 0; declared && i < 200; ++i) emit(stream, i % 2 == 0 ? a : b, 8, outcome);
      if (declared) emit(stream, b, kLarge, outcome);
      if (declared) emit(stream, a, 8, outcome);
      evt_stream_flush(stream);
    }
    outcome->closed_well = evt_close(writer, &error) == 0;
    outcome->counts = evt_writer_counts(writer);
  }

  // The session once for each of its allocations, which fails.
  void expect_harmless(bool from_there_on, bool inline_flush) {
    auto* const outcome = shared<WithoutMemory>();
    for (long at = 1;; ++at) {
      SCOPED_TRACE("allocation " + std::to_string(at));
      evt_options with = options();
      with.flush_inline = inline_flush ? 1 : 0;
      *outcome = {};
      const int status = in_child([&] {
        fails_from_there_on = from_there_on;
        fails_at = at;
        record(with, outcome);
        outcome->reached = fails_from_there_on ? fails_at == 1 : fails_at <= 0;
        fails_at = 0;
      });
      ASSERT_EQ(status, 0) << "the program did not go on";
      expect_accounted(*outcome);
      unlink(path.c_str());
      if (!outcome->reached) break;
      ASSERT_LT(at, 10'000);
    }
    munmap(outcome, sizeof *outcome);
  }

  // The session after one that was killed, once for each of its allocations, which fails: what was killed has all its
  // ticks, under the name that it got or where it was.
  void expect_old_run_is_kept(bool from_there_on) {
    auto* const outcome = shared<WithoutMemory>();
    for (long at = 1;; ++at) {
      SCOPED_TRACE("allocation " + std::to_string(at));
      killed_after([&] {
        auto* const writer = new Writer(open());
        const auto types = writer->declare<Tick>();
        Stream stream = writer->stream("a");
        emit_ticks(stream, types, 0, 100);
        stream.flush();
        emit_ticks(stream, types, 100, 110);
      });
      *outcome = {};
      const int status = in_child([&] {
        fails_from_there_on = from_there_on;
        fails_at = at;
        evt_error error;
        const evt_options with = options();
        evt_writer* const writer = evt_open(path.c_str(), &with, &error);
        outcome->opened = writer != nullptr;
        outcome->reached = fails_from_there_on ? fails_at == 1 : fails_at <= 0;
        fails_at = 0;
        evt_close(writer, &error);
      });
      ASSERT_EQ(status, 0) << "the program did not go on";
      EXPECT_EQ(ticks_of_old_run(), numbers(0, 110));
      for (const std::string& file : files()) unlink((folder / file).c_str());
      remove_rings_of(folder);
      if (!outcome->reached) break;
      ASSERT_LT(at, 1'000);
    }
    munmap(outcome, sizeof *outcome);
  }
  // Of the one file in which there are any; the new session's may be without its front.
  std::vector<std::uint32_t> ticks_of_old_run() const {
    std::vector<std::uint32_t> ticks;
    for (const std::string& file : files()) {
      Result<Trace> trace = Trace::open(folder / file);
      if (!trace) continue;
      Events events = trace->events();
      while (const Event* const event = events.next()) ticks.push_back(event->as<Tick>()->n);
    }
    return ticks;
  }

  void expect_accounted(const WithoutMemory& outcome) {
    if (!outcome.opened || !outcome.closed_well) return;  // that was reported
    std::uint64_t lost = 0;
    for (const std::uint64_t of_cause : outcome.counts.lost) lost += of_cause;
    EXPECT_EQ(outcome.counts.events_written + lost, outcome.emitted);
    Trace trace = open_file(path);
    EXPECT_TRUE(trace.status().ok()) << trace.status().message();
    EXPECT_EQ(fate_of(trace).came, outcome.counts.events_written);
  }
};

TEST_F(NoMemory, AtAnyOneMomentCostsNoEventUncounted) { expect_harmless(false, false); }

TEST_F(NoMemory, FromAnyMomentOnCostsNoEventUncounted) { expect_harmless(true, false); }

TEST_F(NoMemory, AtAnyOneMomentCostsNoEventOfAKilledProgram) { expect_old_run_is_kept(false); }

TEST_F(NoMemory, FromAnyMomentOnCostsNoEventOfAKilledProgram) { expect_old_run_is_kept(true); }

TEST_F(NoMemory, AtAnyOneMomentCostsNoEventUncountedWithoutARing) { expect_harmless(false, true); }

TEST_F(NoMemory, FromAnyMomentOnCostsNoEventUncountedWithoutARing) { expect_harmless(true, true); }

}  // namespace
}  // namespace evt::testing
