// A session in memory, with a clock that advances one nanosecond at each reading: what the tests of the writer
// record with. Its text form lacks the two lines of an ordinary session (see support/text_trace.h).
#pragma once

#include <errno.h>
#include <evt/writer.h>

#include <atomic>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "format-spec/src/block/block_header.h"
#include "support/events_of_writer.h"
#include "support/sanitizer.h"
#include "support/text_trace.h"

// The event of most tests.
struct Tick {
  std::uint32_t n = 0;
};
template <>
inline constexpr auto evt::schema<Tick> = evt::event("tick", "", evt::field("n", &Tick::n));

struct Note {
  std::string_view text;
};
template <>
inline constexpr auto evt::schema<Note> = evt::event("note", "", evt::field("text", &Note::text));

struct Paper {
  evt::LongText text;
};
template <>
inline constexpr auto evt::schema<Paper> = evt::event("paper", "", evt::field("text", &Paper::text));

struct Cargo {
  evt::LongBytes load;
};
template <>
inline constexpr auto evt::schema<Cargo> = evt::event("cargo", "", evt::field("load", &Cargo::load));

namespace evt::testing {

inline std::string letters(std::size_t count) { return std::string(count, 'x'); }

// The text of a session of ticks in one stream.
inline std::string tick_text(std::string_view events) {
  std::string text = "type 1024 tick (n u32)\nstream 1 \"a\"\n";
  text.append(events);
  return text;
}

// Who records, exactly: program "test" and nothing that changes from run to run.
inline const evt_session_info& ordinary_session() {
  static const evt_session_info info = [] {
    evt_session_info exact = {};
    exact.program = "test";
    for (std::uint8_t i = 0; i < 16; ++i) exact.uuid[i] = i;
    exact.uuid[6] = 0x46;
    exact.uuid[8] = 0x88;
    exact.uuid[7] = 0x07;
    exact.start_utc_ns = 1'767'225'600'000'000'000;
    exact.exact = 1;
    return exact;
  }();
  return info;
}

// A clock of nanoseconds: 1, 2, 3, ... behind its start, or whatever the test sets.
struct StepClock {
  std::atomic<std::uint64_t> ticks{0};
  evt_clock clock = {[](void* self) { return static_cast<StepClock*>(self)->ticks.fetch_add(1) + 1; },
                     this,
                     1'000'000'000,
                     0,
                     1,
                     0,
                     nullptr};

  explicit StepClock(std::uint64_t start = 0) : ticks(start) { clock.start_ticks = start; }
  StepClock(const StepClock&) = delete;
  StepClock& operator=(const StepClock&) = delete;
};

inline evt_options ordinary_options(const StepClock& clock) {
  evt_options options = {};
  options.session = &ordinary_session();
  options.clock = &clock.clock;
  options.flush_inline = 1;
  return options;
}

// Keeps the blocks that a writer hands out. Takes `that_work` calls, then fails (ENOSPC). A flusher brings words and
// streams in one block or in several, as time lets it: behind one, those with rows are what can be counted.
class Sink {
 public:
  enum Counted { kCalls, kEvents };
  explicit Sink(std::size_t that_work = SIZE_MAX, Counted counted = kCalls) : left_(that_work), counted_(counted) {}

  static int take(void* self, const void* bytes, std::size_t size) {
    return static_cast<Sink*>(self)->add(bytes, size);
  }
  std::string bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }
  // Room for this many bytes, for a test that must not allocate while it records.
  void reserve(std::size_t size) { bytes_.reserve(size); }
  std::size_t calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }

 private:
  int add(const void* bytes, std::size_t size) {
    const std::lock_guard lock(mutex_);
    ++calls_;
    if (counted_ == kCalls || is_events(bytes, size)) {
      if (left_ == 0) return ENOSPC;
      --left_;
    }
    bytes_.append(static_cast<const char*>(bytes), size);
    return 0;
  }

  static bool is_events(const void* bytes, std::size_t size) {
    BlockHeader header;
    return load_block_header(static_cast<const std::uint8_t*>(bytes), size, &header) == HeaderState::kGood &&
           header.type == EVT_BLOCK_EVENTS;
  }

  mutable std::mutex mutex_;
  std::size_t left_;
  Counted counted_;
  std::size_t calls_ = 0;
  std::string bytes_;
};

// A session that is being recorded.
class Recording {
 public:
  struct Setup {
    std::uint32_t buffer_size = 0;
    std::uint64_t start_ticks = 0;
    std::size_t calls_that_work = SIZE_MAX;
  };
  Recording() : Recording(Setup()) {}
  explicit Recording(const Setup& setup)
      : clock(setup.start_ticks), blocks(setup.calls_that_work), writer_(open(setup.buffer_size)) {}

  Writer* operator->() { return &writer_; }
  Writer& operator*() { return writer_; }

  // Ends the session; its bytes, and its text.
  std::string bytes() {
    const Status closed = writer_.close();
    if (!closed.ok()) throw std::runtime_error("close: " + closed.message());
    return blocks.bytes();
  }
  std::string text() { return text_of_trace(bytes()); }

  StepClock clock;
  Sink blocks;

 private:
  Writer open(std::uint32_t buffer_size) {
    evt_options options = ordinary_options(clock);
    options.buffer_size = buffer_size;
    auto writer = Writer::open(&Sink::take, &blocks, options);
    if (!writer) throw std::runtime_error("open: " + writer.status().message());
    return *std::move(writer);
  }

  Writer writer_;
};

// The text of a session that records these events in one stream.
template <typename... Events>
std::string recorded(const Events&... events) {
  Recording recording;
  Stream stream = recording->stream("a");
  (stream.emit(recording->declare<Events>(), events), ...);
  return recording.text();
}

// An event type that is known at run time only.
struct RuntimeType {
  explicit RuntimeType(const char* name, std::vector<evt_field> of = {}, std::uint32_t number = 0)
      : fields(std::move(of)) {
    type.name = name;
    type.number = number;
    type.field_count = static_cast<std::uint32_t>(fields.size());
    type.fields = fields.data();
  }
  RuntimeType(const RuntimeType&) = delete;
  RuntimeType& operator=(const RuntimeType&) = delete;

  std::vector<evt_field> fields;
  evt_event_type type = {};
};

// All events of a trace, one by one: use(const Event&).
template <typename Use>
void each_event(std::string_view bytes, Use use) {
  Trace trace = open_trace(bytes);
  EventOptions options;
  options.markers = true;
  Events events = trace.events(options);
  while (const Event* event = events.next()) use(*event);
  if (!events.status().ok()) throw std::runtime_error("read: " + events.status().message());
}

// The numbers of the ticks of a trace, in its order.
inline std::vector<std::uint32_t> ticks_of(std::string_view bytes) {
  std::vector<std::uint32_t> numbers;
  each_event(bytes, [&](const Event& event) {
    if (const auto tick = event.as<Tick>()) numbers.push_back(tick->n);
  });
  return numbers;
}

}  // namespace evt::testing
