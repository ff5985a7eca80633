// A flight recorder in a folder of rings of its own.
#pragma once

#include <gmock/gmock.h>

#include "write/ring_folders.h"

namespace evt::testing {

class Flight : public OwnRings {
 protected:
  using Names = std::vector<std::string>;

  static constexpr std::uint64_t kMiB = 1 << 20;  // 87,000 ticks

  static evt_options flight_of(std::uint64_t bytes, std::uint64_t age_ns = 0) {
    evt_options options = {};
    options.flight_bytes = bytes;
    options.flight_ns = age_ns;
    options.full_wait_ms = EVT_WAIT_FOR_EVER;
    return options;
  }
  Writer start(const evt_options& options) const {
    auto writer = Writer::open(path, options);
    if (!writer) throw std::runtime_error(writer.status().message());
    leave_out_events_of_writer(*writer);
    return *std::move(writer);
  }
  // The paths of the segments beside rings, in their order.
  Names segments() const {
    Names paths;
    for (const auto& entry : std::filesystem::directory_iterator(rings)) {
      if (entry.path().extension() == ".evt") paths.push_back(entry.path().string());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
  }
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    std::error_code gone;
    for (const std::string& each : segments()) {
      const std::uintmax_t size = std::filesystem::file_size(each, gone);
      sum += gone ? 0 : size;
    }
    return sum;
  }
  std::string refusal(const std::string& at, const evt_options& with) const {
    const auto writer = Writer::open(at, with);
    return writer.ok() ? "none" : writer.status().message();
  }
  // What is kept goes without a gap up to what was emitted, and perhaps beyond.
  static void expect_the_last(Trace& trace, std::uint32_t emitted) {
    const std::vector<std::uint32_t> kept = ticks_in(trace);
    ASSERT_FALSE(kept.empty());
    ASSERT_TRUE(kept == numbers(kept.front(), kept.back() + 1)) << "from " << kept.front();
    ASSERT_GE(kept.back() + 1, emitted);
    // Rows that are no events, such as time bases, count too.
    ASSERT_GE(trace.sessions()[0].not_kept, kept.front());
    ASSERT_LE(trace.sessions()[0].not_kept, kept.front() + kept.front() / 50);
    ASSERT_EQ(trace.sessions()[0].duplicate_rows, 0u);
    ASSERT_EQ(trace.status().message(), "");
    ASSERT_THAT(trace.damage(), ::testing::IsEmpty());
  }
  void expect_the_last(std::uint32_t emitted) const {
    Trace trace = open_file(path);
    expect_the_last(trace, emitted);
  }
  // Emits ticks, and waits now and then until they are in the file.
  static void emit_in_steps(const Writer& writer, Stream stream, const Types<Tick>& types, std::uint32_t begin,
                            std::uint32_t end) {
    for (std::uint32_t n = begin; n < end; n += 10'000) {
      emit_ticks(stream, types, n, std::min(n + 10'000, end));
      evt_flush(writer.get());
    }
  }
  // The trace that an earlier run left, put away by this one.
  std::string put_away() {
    EXPECT_EQ(start(flight_of(2 * kMiB)).close().message(), "");
    EXPECT_THAT(segments(), ::testing::ElementsAre());
    std::string other;
    for (const std::string& name : files()) {
      if (name.ends_with(".evt") && name != "a.evt") other = folder / name;
    }
    return other;
  }
};

}  // namespace evt::testing
