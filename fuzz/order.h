// Events come out in order, FORMAT.md section 9, as far as events alone can tell.
#pragma once

#include <evt/trace.h>

#include <algorithm>
#include <map>

#include "fuzz_target.h"

namespace fuzz {

// Takes the events of a trace, markers among them, one by one. Rows that are not handed out raise the time that orders
// the rows behind them, so where one is missing only the order of each stream is known; and not that of a stream whose
// time stepped back, as was meant, to before rows that it had already.
class OrderCheck {
 public:
  void add(const evt::Event& event) {
    if (&event.session() != session_) {
      session_ = &event.session();
      streams_.clear();
      last_key_ = INT64_MIN;
      only_streams_ = false;
    }
    const auto [place, first] = streams_.try_emplace(event.stream().id);
    Stream& stream = place->second;
    stream.jumped |= event.is_jump();
    FUZZ_CHECK(first || stream.jumped || event.ordinal() >= stream.next_ordinal);
    // A row before the first that its stream's blocks tell of comes as if it were there.
    if (first) stream.key = event.stream().first_ns;
    only_streams_ |= stream.jumped || (!first && event.ordinal() != stream.next_ordinal);
    only_streams_ |= first && event.ordinal() != 0;
    // The event of a step back in time has no row of its own.
    stream.next_ordinal = event.ordinal() + (event.is_jump() ? 0 : 1);
    stream.key = std::max(stream.key, event.ns());
    if (!only_streams_) FUZZ_CHECK(stream.key >= last_key_);
    last_key_ = std::max(last_key_, stream.key);
  }

 private:
  struct Stream {
    std::uint64_t next_ordinal = 0;
    std::int64_t key = INT64_MIN;
    bool jumped = false;
  };
  const evt::Session* session_ = nullptr;
  std::map<std::uint32_t, Stream> streams_;
  std::int64_t last_key_ = INT64_MIN;
  bool only_streams_ = false;
};

}  // namespace fuzz
