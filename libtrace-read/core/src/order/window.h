// The rows of one session in their total order, with memory for one window whatever the session's length.
//
// 1. Runs wait in a heap by the key of their next row; the smallest begins the window, whose span is guessed from the
//    last one.
// 2. The runs that are due give their rows up to the end of the span, in order of stream ids.
// 3. If that was too much, they are put back and the span is halved. If even one time is too much, the window is a span
//    of ticks of the first clock in it. If even one key is too much, its rows are handed out in portions: stream by
//    stream is their right order then.
// 4. The rows of each run are in order, and are merged into one order. Equal keys stay in order of stream and ordinal.
// 5. Many runs make a large window, which is returned in portions.
#pragma once

#include <array>
#include <functional>
#include <queue>
#include <vector>

#include "libtrace-read/core/src/session/session_builder.h"
#include "row_order.h"
#include "row_portion.h"
#include "stream_rows.h"

namespace evt {

class Window {
 public:
  // Refers to the session's data while it lives. `context` defines how to read.
  // `wanted` selects the streams; empty: all of them.
  using StreamFilter = std::function<bool(const Session&, const StreamInfo&)>;
  Window(SessionData& data, const RowContext& context, const StreamFilter& wanted, const ReadOptions& options);
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  // Moves to the next rows; false at the end. They are valid, with their payloads, until the next call.
  bool fill();
  // Called once after each fill().
  rows::Ordered ordered();

 private:
  // A run that has more rows, none of them before `key`.
  struct Waiting {
    OrderKey key;
    std::uint32_t run;
    bool operator>(const Waiting& other) const { return key > other.key; }
  };

  void add_runs(StreamParts& stream);
  void add_run(std::span<const StreamSpan> parts, const StreamParts& of, OrderKey floor);
  bool begins_with_jump(const StreamParts& stream, std::size_t part);
  std::uint64_t span_from(const OrderKey& smallest, WindowOf what) const;
  void wake(const OrderKey& limit);
  bool collect(const OrderKey& smallest, WindowOf what);
  bool take(const OrderKey& smallest, WindowOf what, std::uint64_t span);
  void put_back();
  void send_to_sleep();
  void leave_out();

  SessionData& data_;
  RowContext context_;
  std::size_t most_kept_;
  bool lean_ = false;  // too many runs for waiting ones to keep bytes
  std::vector<StreamRows> runs_;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
  std::vector<std::uint32_t> due_;         // runs of this window, in order
  std::vector<StreamRows::Place> places_;  // where those that were read from began
  std::size_t read_ = 0;                   // how many the last take() read from
  std::vector<Waiting> later_;             // those of them that have more rows
  BufferPool slices_;
  SpooledRows spooled_;
  BlockDecoder decoder_;
  MultiplexedBlocks multiplexed_;
  DecodeAhead ahead_;
  RowBuffer rows_{0};
  RowPortion portion_;
  std::vector<std::size_t> ends_;  // in rows_, after the rows of each run
  RowOrder sorter_{0};
  std::size_t size_ = 0;                                     // rows in their order
  std::size_t returned_ = 0;                                 // the first of them
  std::array<std::uint64_t, 2> spans_ = {1 << 20, 1 << 20};  // guessed, by WindowOf
};

}  // namespace evt
