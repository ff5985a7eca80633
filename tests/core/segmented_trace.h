// A session in several segments, made at random, and the rows that it has: what the tests of segments know without the
// reader.
#pragma once

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "format-spec/src/session/segment_record.h"
#include "raw_trace.h"

namespace evt::testing {

class SegmentedTrace {
 public:
  struct Row {
    std::uint64_t key;  // the largest time of its stream so far
    std::uint32_t stream;
    std::uint64_t ordinal;
    std::uint64_t n;  // of the event; 0: it is no event
    std::uint64_t lost;
    std::size_t segment;
  };

  explicit SegmentedTrace(unsigned seed, std::size_t segments) : random_(seed), trace_(ordinary_trace()) {
    trace_.declare("type 1024 tick (n u64)\nstream 3 \"c\"\nstream 4 \"d\"\n");
    metadata_end_ = trace_.size();
    for (std::size_t i = 0; i < segments; ++i) {
      if (i > 0) begin_segment(i);
      for (std::uint64_t blocks = pick(12); blocks > 0; --blocks) add_block(i);
      end_segment(i, i + 1 == segments);
    }
  }

  std::size_t size() const { return ends_.size(); }
  std::string segment(std::size_t i) const {
    std::string bytes;
    for (std::size_t part = i == 0 ? 0 : ends_[i - 1]; part < ends_[i]; ++part) bytes += trace_.part(part);
    return bytes;
  }
  const std::vector<Row>& rows() const { return rows_; }
  // Whether the segment ends with a TRAILER; if not, its writer was killed.
  bool has_trailer(std::size_t i) const { return !without_trailer_.contains(i); }

  // The numbers of the events of these segments, in their order.
  std::vector<std::uint64_t> events_of(const std::set<std::size_t>& kept) const {
    std::vector<Row> rows;
    for (const Row& row : rows_) {
      if (row.n > 0 && kept.contains(row.segment)) rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
      return std::tie(a.key, a.stream, a.ordinal) < std::tie(b.key, b.stream, b.ordinal);
    });
    std::vector<std::uint64_t> events;
    for (const Row& row : rows) events.push_back(row.n);
    return events;
  }

  // Rows, and events that were lost, of segments that are not there: whether that is no damage, or it is.
  struct Gone {
    std::uint64_t not_kept = 0;
    std::uint64_t missing = 0;
    std::uint64_t lost_not_kept = 0;
  };
  Gone gone(const std::set<std::size_t>& kept) const {
    Gone gone;
    for (const Row& row : rows_) {
      if (kept.contains(row.segment) || row.segment > *kept.rbegin()) continue;
      const auto behind = kept.lower_bound(row.segment);
      const bool is_not_kept = behind == kept.begin() || has_trailer(*std::prev(behind));
      (is_not_kept ? gone.not_kept : gone.missing) += 1;
      if (is_not_kept) gone.lost_not_kept += row.lost;
    }
    return gone;
  }
  std::uint64_t lost_up_to(std::size_t last) const {
    std::uint64_t lost = 0;
    for (const Row& row : rows_) lost += row.segment <= last ? row.lost : 0;
    return lost;
  }

 private:
  struct Stream {
    std::uint64_t rows = 0;
    std::uint64_t lost = 0;
    std::uint64_t latest = 0;
    bool has_ended = false;
  };

  std::uint64_t pick(std::uint64_t most) { return random_() % most; }

  void add_block(std::size_t segment) {
    const auto id = static_cast<std::uint32_t>(1 + pick(4));
    Stream& stream = streams_.at(id);
    if (stream.has_ended) return;
    now_ += 1000;
    Rows rows;
    // Some are recorded long after they are stamped.
    std::uint64_t base = now_ - 1000 - std::min(now_ - 1000, pick(2) == 0 ? pick(20000) : 0);
    if (pick(8) == 0) {  // a step back in time that is meant
      base = pick(now_ - 500);
      rows.time_base(base, EVT_TIME_BASE_JUMP);
      stream.latest = 0;
      rows_.push_back({0, id, stream.rows++, 0, 0, segment});
    }
    for (std::uint64_t i = 1 + pick(4); i > 0; --i) {
      const auto delta = static_cast<std::uint32_t>(pick(500));
      stream.latest = std::max(stream.latest, base + delta);
      if (pick(6) == 0) {
        const std::uint64_t lost = 1 + pick(9);
        rows.lost(delta, lost, EVT_LOST_RING_FULL);
        stream.lost += lost;
        rows_.push_back({stream.latest, id, stream.rows++, 0, lost, segment});
      } else {
        rows.tick(delta, ++number_);
        rows_.push_back({stream.latest, id, stream.rows++, number_, 0, segment});
      }
    }
    trace_.events(id, rows, base);
    stream.has_ended = pick(30) == 0;
    if (pick(4) == 0) sync();
  }

  // The clock goes now faster, now slower.
  void sync() {
    now_ += 1;
    ns_ += static_cast<std::int64_t>((now_ - synced_at_) * (900 + pick(200)) / 1000 + 1);
    synced_at_ = now_;
    syncs_.push_back({1, 0, now_, ns_, ns_, rows_so_far(), lost_so_far(), 0});
    trace_.sync(syncs_.back());
  }

  std::uint64_t rows_so_far() const { return rows_.size(); }
  std::uint64_t lost_so_far() const {
    std::uint64_t lost = 0;
    for (const Stream& stream : streams_) lost += stream.lost;
    return lost;
  }

  void begin_segment(std::size_t number) {
    const auto payload_of = [](const std::string& part) {
      return part.substr(EVT_BLOCK_HEADER_SIZE, header_of(part).payload_size);
    };
    begin_ = trace_.size();
    rows_before_ = rows_so_far();
    lost_before_ = lost_so_far();
    trace_.session().header([](BlockHeader& h) { h.flags = EVT_FLAG_CONTINUED; });
    SegmentRecord record;
    record.number = number;
    record.first_block_no = header_of(trace_.part(begin_)).block_no;
    record.rows_before = rows_before_;
    record.lost_before = lost_before_;
    record.clock_id = 1;
    record.ticks = now_;
    record.ns = ns_;
    Buffer living;
    for (std::uint32_t id = 1; id < streams_.size(); ++id) {
      const Stream& stream = streams_[id];
      if (stream.has_ended) {
        record.ended_streams += 1;
        record.ended_rows += stream.rows;
        record.ended_lost += stream.lost;
      } else {
        record.stream_count += 1;
        append_segment_stream(living, {id, 1, stream.rows, stream.lost, stream.latest});
      }
    }
    Buffer payload;
    append_segment(payload, record);
    payload.append(living.data(), living.size());
    trace_.block(EVT_BLOCK_SEGMENT, {reinterpret_cast<const char*>(payload.data()), payload.size()});
    trace_.block(EVT_BLOCK_CLOCK, payload_of(trace_.part(1)));
    for (std::size_t i = syncs_.size() - std::min<std::size_t>(64, syncs_.size()); i < syncs_.size(); ++i) {
      SyncRecord copy = syncs_[i];
      copy.flags = EVT_SYNC_COPY;
      trace_.sync(copy);
    }
    for (std::size_t part = 2; part < metadata_end_; ++part) {
      trace_.block(header_of(trace_.part(part)).type, payload_of(trace_.part(part)));
    }
  }

  void end_segment(std::size_t number, bool is_last) {
    sync();
    if (pick(6) == 0) {
      without_trailer_.insert(number);
      trace_.leave_out_blocks(is_last ? 0 : 1);
    } else {
      trace_.trailer([&](TrailerRecord& trailer) {
        trailer.continued = number > 0;
        trailer.rows_so_far = rows_so_far();
        trailer.lost_so_far = lost_so_far();
        trailer.rows = rows_so_far() - rows_before_;
        trailer.lost = lost_so_far() - lost_before_;
        trailer.session_size = trace_.offset_of(trace_.size()) - trace_.offset_of(begin_) + EVT_BLOCK_HEADER_SIZE +
                               (number > 0 ? EVT_TRAILER_SEGMENT_SIZE : EVT_TRAILER_FIXED_SIZE);
      });
      if (!is_last) trace_.header([](BlockHeader& h) { h.flags = EVT_FLAG_MORE; });
    }
    ends_.push_back(trace_.size());
  }

  std::mt19937 random_;
  RawTrace trace_;
  std::size_t metadata_end_ = 0;
  std::size_t begin_ = 0;  // of the segment, as a part
  std::uint64_t rows_before_ = 0;
  std::uint64_t lost_before_ = 0;
  std::vector<std::size_t> ends_;
  std::set<std::size_t> without_trailer_;
  std::array<Stream, 5> streams_;
  std::vector<SyncRecord> syncs_;
  std::vector<Row> rows_;
  std::uint64_t now_ = 1000;
  std::uint64_t synced_at_ = 0;
  std::int64_t ns_ = 0;
  std::uint64_t number_ = 0;
};

}  // namespace evt::testing
