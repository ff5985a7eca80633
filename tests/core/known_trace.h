// A trace of an exact size whose every event and block is known, and what comes of copies of it that are broken.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "columns_of.h"
#include "raw_trace.h"

namespace evt::testing {

class KnownTrace {
 public:
  // Rows of four streams as they are, multiplexed and in columns; INDEX blocks; metadata twice; texts of this many
  // bytes. The same each time.
  KnownTrace(std::size_t size, std::size_t text) : text_(text) {
    std::size_t rounds = 1;
    while (make(rounds + 1, 0).size() <= size) ++rounds;
    std::size_t filler = size - make(rounds, 0).size();
    // An index records more of a larger block.
    while ((bytes_ = make(rounds, filler)).size() > size) filler -= EVT_ALIGNMENT;
    Trace trace = open_trace(bytes_);
    each_event(trace, [&](std::uint32_t stream, std::int64_t ns, std::uint32_t type, std::string_view payload) {
      streams_[stream].events.push_back({ns, type, std::string(payload)});
    });
    text_of_it_ = text_of(trace);
  }

  const std::string& bytes() const { return bytes_; }
  const std::string& text() const { return text_of_it_; }
  std::size_t events() const { return next_; }
  // Events of blocks that end within the first `size` bytes.
  std::size_t events_within(std::size_t size) const {
    std::size_t events = 0;
    for (const auto& [id, stream] : streams_) {
      for (const std::uint32_t block : stream.blocks) events += block_ends_[block] <= size ? 1 : 0;
    }
    return events;
  }

  // What became of the events.
  struct Fate {
    bool said = false;  // that something is wrong
    std::size_t came = 0;
    std::size_t missing = 0;  // as the trace reports: exactly, or at least
    bool exactly = true;
    std::set<std::uint32_t> blocks;  // of which rows are missing
    bool fronts = true;              // of each stream all came up to some place
    bool in_order = true;
    bool true_ones = true;  // each had been there, and came once, behind those that it followed in its stream
  };
  Fate fate_of(std::string_view copy) const {
    Fate fate;
    auto trace = Trace::from_memory(as_bytes(copy));
    std::map<std::uint32_t, std::size_t> at;
    if (trace) {
      fate.in_order =
          each_event(*trace, [&](std::uint32_t id, std::int64_t ns, std::uint32_t type, std::string_view payload) {
            ++fate.came;
            const auto known = streams_.find(id);
            if (known == streams_.end()) return fate.true_ones = false, void();
            const std::vector<Known>& events = known->second.events;
            std::size_t& next = at[id];
            for (; next < events.size() && !events[next].is(ns, type, payload); ++next, fate.fronts = false) {
              fate.blocks.insert(known->second.blocks[next]);
            }
            fate.true_ones &= next < events.size();
            ++next;
          });
    }
    for (const auto& [id, stream] : streams_) {
      for (std::size_t i = at[id]; i < stream.blocks.size(); ++i) fate.blocks.insert(stream.blocks[i]);
    }
    fate.said = !trace || !trace->status().ok();
    if (!trace) return fate;
    for (const Session& session : trace->sessions()) {
      fate.missing += static_cast<std::size_t>(session.missing + session.not_decodable);
      fate.exactly &= session.closed;
    }
    return fate;
  }

 private:
  struct Known {
    std::int64_t ns;
    std::uint32_t type;
    std::string payload;

    bool is(std::int64_t at, std::uint32_t of, std::string_view what) const {
      return ns == at && type == of && payload == what;
    }
  };
  struct Stream {
    std::vector<Known> events;
    std::vector<std::uint32_t> blocks;  // which one each event is in
  };

  std::string make(std::size_t rounds, std::size_t filler) {
    next_ = 0;
    streams_.clear();
    block_ends_.clear();
    RawTrace trace;
    declare(trace);
    for (std::size_t round = 0; round < rounds; ++round) {
      add(trace, 1, 6, true);
      end_block(trace);
      add(trace, 2, 3, true);
      add(trace, 3, 5, false);
      end_block(trace.gather(2));
      const std::string columns = columns_of(add(trace, 4, 20, false));
      end_block(trace.store_as(columns, EVT_LAYOUT_COLUMNS, EVT_CODEC_NONE, columns.size()));
      if (round % 4 == 3) trace.index();
      if (round == rounds / 2) declare(trace);
    }
    trace.block(EVT_BLOCK_PRIVATE, std::string(filler, 'f'));
    return trace.index().trailer().bytes();
  }
  // Rows of a stream, two at a time; which block they are in is the next one.
  Rows add(RawTrace& trace, std::uint32_t stream, std::uint32_t count, bool texts) {
    Rows rows;
    const std::uint32_t base = next_ / 2;
    for (std::uint32_t i = 0; i < count; ++i, ++next_) {
      const std::uint32_t delta = next_ / 2 - base;
      const std::string what = std::to_string(next_) + std::string(text_, '.');
      texts ? rows.row(delta, 1025, le16(what.size()) + what) : rows.tick(delta, next_);
      streams_[stream].blocks.push_back(static_cast<std::uint32_t>(block_ends_.size()));
    }
    trace.events(stream, rows, base);
    return rows;
  }
  void end_block(const RawTrace& trace) {
    block_ends_.push_back(static_cast<std::size_t>(trace.offset_of(trace.size())));
  }

  static void declare(RawTrace& trace) {
    trace.session().clock({.id = 1, .hz = 1'000'000'000});
    trace.declare(
        "type 1024 tick (n u64)\ntype 1025 say (what text)\n"
        "stream 1 \"a\"\nstream 2 \"b\"\nstream 3 \"c\"\nstream 4 \"d\"\n");
  }

  // Calls use(stream, ns, type, payload); false if they do not come in the order of time, then of streams.
  template <typename Use>
  static bool each_event(Trace& trace, Use use) {
    Events events = trace.events();
    std::pair<std::int64_t, std::uint32_t> latest = {INT64_MIN, 0};
    bool in_order = true;
    while (const EventBatch* const batch = events.next_batch()) {
      for (std::size_t i = 0; i < batch->size(); ++i) {
        const std::pair now = {batch->ns[i], batch->streams[i]->id};
        in_order &= latest <= now;
        latest = now;
        const Bytes payload = batch->payloads[i];
        use(now.second, now.first, batch->types[i]->number(),
            std::string_view(reinterpret_cast<const char*>(payload.data()), payload.size()));
      }
    }
    return in_order;
  }

  std::size_t text_;
  std::string bytes_;
  std::string text_of_it_;
  std::map<std::uint32_t, Stream> streams_;
  std::vector<std::size_t> block_ends_;  // of those with events
  std::uint32_t next_ = 0;               // event
};

}  // namespace evt::testing
