// Sessions that end while other threads still record: no harm, no damaged event, nothing that was not emitted.
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "write/recording.h"

namespace {

// An event that shows whether it is whole.
struct Whole {
  std::uint32_t thread = 0;
  std::uint32_t n = 0;
  std::string_view text;
  std::uint64_t check = 0;
};

std::uint64_t check_of(std::uint32_t thread, std::uint32_t n) {
  return (std::uint64_t{thread} << 32 | n) * 2654435761u;
}

}  // namespace

template <>
inline constexpr auto evt::schema<Whole> = evt::event("whole", "", evt::field("thread", &Whole::thread),
                                                      evt::field("n", &Whole::n), evt::field("text", &Whole::text),
                                                      evt::field("check", &Whole::check));

namespace evt::testing {
namespace {

constexpr std::string_view kTexts[] = {"", "a few words", "some more words than those, so that sizes differ a lot"};

// Threads that repeat the given work until the test ends.
class Busy {
 public:
  template <typename Work>
  Busy(std::uint32_t count, Work work) {
    for (std::uint32_t i = 0; i < count; ++i) {
      threads_.emplace_back([this, work, i] {
        std::uint32_t n = 0;
        while (!done_.load(std::memory_order_relaxed)) {
          work(i, n++);
          rounds_.fetch_add(1, std::memory_order_relaxed);
        }
      });
    }
  }
  ~Busy() {
    done_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  void wait_for(std::uint64_t rounds) const {
    while (rounds_.load(std::memory_order_relaxed) < rounds) std::this_thread::yield();
  }

 private:
  std::atomic<bool> done_{false};
  std::atomic<std::uint64_t> rounds_{0};
  std::vector<std::thread> threads_;
};

// Each thread's events are whole, and are its first ones without a gap.
void expect_whole_prefixes(std::string_view bytes) {
  std::map<std::uint32_t, std::uint32_t> next;
  each_event(bytes, [&](const Event& event) {
    const auto whole = event.as<Whole>();
    ASSERT_TRUE(whole.has_value());
    ASSERT_EQ(whole->n, next[whole->thread]++);
    ASSERT_EQ(whole->text, kTexts[whole->n % 3]);
    ASSERT_EQ(whole->check, check_of(whole->thread, whole->n));
  });
}

void emit_whole(Stream stream, const Types<Whole>& types, std::uint32_t thread, std::uint32_t n) {
  stream.emit(types, Whole{thread, n, kTexts[n % 3], check_of(thread, n)});
}

TEST(Threads, RecordEachInItsStream) {
  Recording recording({.buffer_size = 4096});
  const auto types = recording->declare<Whole>();
  std::vector<std::thread> threads;
  for (std::uint32_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      Stream stream = recording->this_thread();
      for (std::uint32_t n = 0; n < 5'000; ++n) emit_whole(stream, types, thread, n);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string bytes = recording.bytes();
  expect_whole_prefixes(bytes);
  EXPECT_EQ(open_trace(bytes).sessions().front().rows, 20'000u);
}

TEST(Threads, MayEmitWhileTheSessionIsClosed) {
  for (int round = 0; round < 30; ++round) {
    Recording recording({.buffer_size = round % 2 == 0 ? 4096u : 65536u});
    const auto types = recording->declare<Whole>();
    std::vector<Stream> streams;
    for (int i = 0; i < 3; ++i) streams.push_back(recording->stream("s"));
    const Busy busy(3, [&](std::uint32_t thread, std::uint32_t n) { emit_whole(streams[thread], types, thread, n); });
    busy.wait_for(100 + static_cast<std::uint64_t>(round) * 50);
    const std::string bytes = recording.bytes();
    expect_whole_prefixes(bytes);
    EXPECT_TRUE(open_trace(bytes).sessions().front().closed);
  }
}

TEST(Threads, MayFlushAndTellOfLossesWhileTheSessionIsClosed) {
  for (int round = 0; round < 20; ++round) {
    Recording recording({.buffer_size = 4096});
    const auto types = recording->declare<Tick>();
    std::vector<Stream> streams;
    for (int i = 0; i < 3; ++i) streams.push_back(recording->stream("s"));
    const Busy busy(3, [&](std::uint32_t thread, std::uint32_t n) {
      streams[thread].emit(types, Tick{n});
      if (n % 3 == 0) streams[thread].flush();
      if (n % 5 == 0) evt_stream_lost(streams[thread].get(), EVT_LOST_RING_FULL, 1, n, n);
      if (n % 7 == 0) streams[thread].jump();
    });
    busy.wait_for(300);
    const std::string bytes = recording.bytes();
    EXPECT_EQ(open_trace(bytes).status().message(), "");
  }
}

TEST(Threads, MayEmitLargeEventsWhileTheSessionIsClosed) {
  const std::string text(100'000, 'x');
  for (int round = 0; round < 5; ++round) {
    Recording recording;
    const auto types = recording->declare<Paper>();
    std::vector<Stream> streams;
    for (int i = 0; i < 3; ++i) streams.push_back(recording->stream("s"));
    const Busy busy(3, [&](std::uint32_t thread, std::uint32_t) { streams[thread].emit(types, Paper{{text}}); });
    busy.wait_for(20);
    each_event(recording.bytes(), [&](const Event& event) { ASSERT_EQ(event.as<Paper>()->text.text, text); });
  }
}

TEST(Threads, MayComeAndGoWhileTheSessionIsClosed) {
  for (int round = 0; round < 20; ++round) {
    Recording recording;
    evt_writer* const writer = recording->get();
    const auto types = recording->declare<Tick>();
    const Busy busy(2, [&](std::uint32_t, std::uint32_t n) {
      std::thread([&] { Stream(evt_this_thread(writer)).emit(types, Tick{n}); }).join();
    });
    busy.wait_for(20);
    const std::string bytes = recording.bytes();
    EXPECT_EQ(open_trace(bytes).status().message(), "");
  }
}

TEST(Threads, MayOpenAndSealStreamsWhileTheSessionIsClosed) {
  for (int round = 0; round < 20; ++round) {
    Recording recording({.buffer_size = 4096});
    evt_writer* const writer = recording->get();
    const auto types = recording->declare<Tick>();
    const Busy busy(2, [&](std::uint32_t, std::uint32_t n) {
      Stream stream(evt_stream_open(writer, "s"));
      stream.emit(types, Tick{n});
      stream.seal();
    });
    busy.wait_for(50);
    const std::string bytes = recording.bytes();
    EXPECT_EQ(open_trace(bytes).status().message(), "");
  }
}

TEST(Threads, MayDeclareAndInternWhileTheSessionIsClosed) {
  for (int round = 0; round < 20; ++round) {
    Recording recording;
    evt_writer* const writer = recording->get();
    const Busy busy(2, [&](std::uint32_t, std::uint32_t n) {
      const std::string name = "n" + std::to_string(n);
      const RuntimeType type(name.c_str(), {EVT_FIELD_U8("a")});
      evt_declare(writer, &type.type, nullptr);
      evt_intern(writer, name.data(), name.size());
      evt_writer_counts(writer);
      evt_writer_now(writer);
    });
    busy.wait_for(50);
    const std::string bytes = recording.bytes();
    EXPECT_EQ(open_trace(bytes).status().message(), "");
  }
}

// A sink that holds the session's last rows up until the event that is in the making has been made.
struct SlowSink {
  static int take(void* self, const void* bytes, std::size_t size) {
    auto& sink = *static_cast<SlowSink*>(self);
    if (sink.event_begun) {
      sink.rows_go_out = true;
      while (!sink.event_made) std::this_thread::yield();
    }
    return Sink::take(&sink.blocks, bytes, size);
  }
  Sink blocks;
  std::atomic<bool> event_begun{false};
  std::atomic<bool> rows_go_out{false};
  std::atomic<bool> event_made{false};
};

TEST(Threads, MayMakeAnEventWhileTheRowsBeforeItGoOut) {
  StepClock clock;
  SlowSink sink;
  auto writer = Writer::open(&SlowSink::take, &sink, ordinary_options(clock));
  const auto types = writer->declare<Tick>();
  Stream stream = writer->stream("a");
  std::thread producer([&] {
    stream.emit(types, Tick{1});
    stream.flush();  // with all that is declared
    stream.emit(types, Tick{2});
    stream.emit_with(types.get<Tick>(), [&](RowBuilder& row) {
      row.add(3u);
      sink.event_begun = true;
      while (!sink.rows_go_out) std::this_thread::yield();
    });
    sink.event_made = true;
  });
  while (!sink.event_begun) std::this_thread::yield();
  EXPECT_TRUE(writer->close().ok());
  producer.join();
  const std::string bytes = sink.blocks.bytes();
  EXPECT_EQ(open_trace(bytes).status().message(), "");
  EXPECT_EQ(text_of_trace(bytes), tick_text("0.000000001 1 tick n=1\n0.000000002 1 tick n=2\n"));
}

TEST(Threads, MayCloseASessionTogether) {
  Recording recording;
  evt_writer* const writer = recording->get();
  recording->stream("a").emit(recording->declare<Tick>(), Tick{1});
  std::atomic<int> first{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { first += evt_close(writer, nullptr) == EVT_OK ? 1 : 0; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(first, 1);
  EXPECT_EQ(text_of_trace(recording.blocks.bytes()), tick_text("0.000000001 1 tick n=1\n"));
}

TEST(Threads, MayCloseTwoSessionsAtOnce) {
  for (int round = 0; round < 20; ++round) {
    Recording one;
    Recording other;
    std::thread thread([&] { EXPECT_TRUE(one->close().ok()); });
    EXPECT_TRUE(other->close().ok());
    thread.join();
  }
}

}  // namespace
}  // namespace evt::testing
