// Traces that are read while their writers go on: no gaps, no damage, nothing that was there before is missing.
#include <map>
#include <thread>

#include "write/ring_session.h"

namespace {

struct Numbered {
  std::uint32_t n = 0;
  std::string_view text;
};

}  // namespace

template <>
inline constexpr auto evt::schema<Numbered> = evt::event("numbered", "", evt::field("n", &Numbered::n),
                                                         evt::field("text", &Numbered::text));

namespace evt::testing {
namespace {

constexpr std::uint32_t kEmitters = 2;
constexpr int kLooks = kSanitizer ? 3 : 12;

// Threads that record as fast as they can, until the test ends or they have recorded enough.
class Hurry {
 public:
  Hurry(Writer& writer, std::uint32_t most, std::size_t size) : text_(size, 'x') {
    const auto types = writer.declare<Numbered>();
    for (std::uint32_t i = 0; i < kEmitters; ++i) {
      Stream stream = writer.stream("s");
      threads_.emplace_back([this, i, most, stream, types]() mutable {
        for (std::uint32_t n = 0; n < most && !done_; ++n) {
          stream.emit(types, Numbered{n, text_});
          emitted_[i].count.store(n + 1, std::memory_order_release);
        }
      });
    }
  }
  ~Hurry() {
    done_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  // How far each stream has come.
  std::map<std::uint32_t, std::uint32_t> emitted() const {
    std::map<std::uint32_t, std::uint32_t> by_stream;
    for (std::uint32_t i = 0; i < kEmitters; ++i) by_stream[i + 1] = emitted_[i].count.load(std::memory_order_acquire);
    return by_stream;
  }
  void wait_for(std::uint32_t count) const {
    while (emitted_[0].count < count) std::this_thread::yield();
  }

 private:
  struct alignas(64) Count {
    std::atomic<std::uint32_t> count{0};
  };
  std::string text_;
  std::atomic<bool> done_{false};
  Count emitted_[kEmitters];
  std::vector<std::thread> threads_;
};

class Living : public RingTest {
 protected:
  // Each stream's events from the first on, without a gap but for those that !lost rows count, and at least `before`.
  static void expect_no_gaps(Trace& trace, const std::map<std::uint32_t, std::uint32_t>& before) {
    EXPECT_EQ(trace.status().message(), "");
    EXPECT_TRUE(trace.damage().empty());
    std::map<std::uint32_t, std::uint64_t> next;
    EventOptions options;
    options.markers = true;
    Events events = trace.events(options);
    while (const Event* event = events.next()) {
      std::uint64_t& expected = next[event->stream().id];
      if (event->is_lost()) {
        expected += event->value("count")->as_unsigned();
        continue;
      }
      ASSERT_EQ(event->as<Numbered>()->n, expected) << "in stream " << event->stream().id;
      ++expected;
    }
    EXPECT_EQ(events.status().message(), "");
    for (const auto& [stream, count] : before) EXPECT_GE(next[stream], count) << "of stream " << stream;
  }
};

TEST_F(Living, SessionsAreReadWithoutGaps) {
  for (int look = 0; look < kLooks && !HasFailure(); ++look) {
    SCOPED_TRACE(look);
    Writer writer = open(folder / std::to_string(look));
    const Hurry hurry(writer, 40'000, 1'000);
    hurry.wait_for(static_cast<std::uint32_t>(look) * 1'000);
    const auto before = hurry.emitted();
    Trace trace = open_file(folder / std::to_string(look));
    expect_no_gaps(trace, before);
  }
}

TEST_F(Living, SessionsWithSmallRingsAreReadWithoutGaps) {
  for (int look = 0; look < kLooks && !HasFailure(); ++look) {
    SCOPED_TRACE(look);
    evt_options small = options();
    small.ring_size = 256 << 10;
    auto writer = Writer::open(folder / std::to_string(look), small);
    const Hurry hurry(*writer, 40'000, 1'000);
    hurry.wait_for(static_cast<std::uint32_t>(look) * 1'000);
    const auto before = hurry.emitted();
    Trace trace = open_file(folder / std::to_string(look));
    expect_no_gaps(trace, before);
  }
}

TEST_F(Living, SessionsThatLoseEventsTellOfThemOnce) {
  for (int look = 0; look < kLooks && !HasFailure(); ++look) {
    SCOPED_TRACE(look);
    evt_options small = options();
    small.ring_size = 64 << 10;
    small.full = EVT_FULL_DROP;
    auto writer = Writer::open(folder / std::to_string(look), small);
    const Hurry hurry(*writer, 1'000'000, 100);
    hurry.wait_for(10'000 + static_cast<std::uint32_t>(look) * 10'000);
    Trace trace = open_file(folder / std::to_string(look));
    expect_no_gaps(trace, {});  // of the latest losses it may not tell yet
  }
}

}  // namespace
}  // namespace evt::testing
