// What any thread may call, while another thread writes the trace and goes on in the next file. The thread sanitizer
// looks for what they share.
#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

class AnyThread : public RingTest {
 protected:
  Writer open_rotated() {
    evt_options with = options();
    with.clock = nullptr;
    with.rotate_bytes = 1 << 20;
    with.keep_bytes = 4 << 20;
    auto writer = Writer::open(folder / "app.%n.evt", with);
    if (!writer) throw std::runtime_error(writer.status().message());
    return *std::move(writer);
  }
  // Calls it again and again in a thread, until `files` more files have begun.
  void call_while_files_change(Writer& writer, const std::function<void()>& call, int files = 12) {
    std::atomic<bool> is_over = false;
    const auto types = writer.declare<Tick>();
    std::thread caller([&] {
      while (!is_over) call();
    });
    constexpr std::uint32_t kTicksOfFile = 90'000;
    Stream stream = writer.stream("a");
    emit_ticks(stream, types, 0, kTicksOfFile * static_cast<std::uint32_t>(files));
    is_over = true;
    caller.join();
  }
};

TEST_F(AnyThread, MayCopyTheSession) {
  Writer writer = open_rotated();
  int taken = 0;
  call_while_files_change(writer, [&] {
    evt_error error;
    taken += evt_snapshot(writer.get(), (folder / "s.evt").c_str(), nullptr, &error) == EVT_OK ? 1 : 0;
    EXPECT_STREQ(error.message, "");
  });
  EXPECT_GT(taken, 0);
  EXPECT_EQ(writer.close().message(), "");
}

TEST_F(AnyThread, MayAskWhatBecameOfTheSession) {
  Writer writer = open_rotated();
  const std::string first = evt_writer_path(writer.get());
  call_while_files_change(writer, [&] {
    EXPECT_EQ(evt_writer_path(writer.get()), first);
    EXPECT_EQ(evt_writer_counts(writer.get()).texts_cut, 0u);
    EXPECT_EQ(writer.notices(), "");
    evt_flush(writer.get());
  });
  EXPECT_EQ(writer.close().message(), "");
}

TEST_F(AnyThread, MayDescribeTheSession) {
  Writer writer = open_rotated();
  int n = 0;
  call_while_files_change(writer, [&] {
    const std::string text = std::to_string(++n % 100);
    EXPECT_NE(evt_intern(writer.get(), text.data(), text.size()), 0u);
    EXPECT_EQ(evt_fact(writer.get(), EVT_FACT_SCOPE_SESSION, 0, "n", text.c_str(), nullptr), EVT_OK);
    EXPECT_EQ(writer.switch_types("tick", true), 1u);
    Stream stream = writer.stream("b");
    stream.close();
  });
  EXPECT_EQ(writer.close().message(), "");
}

}  // namespace
}  // namespace evt::testing
