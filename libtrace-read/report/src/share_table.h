// Shares of time as tables.
#pragma once

#include <evt/analysis/share.h>

#include "libtrace-read/report/shared/analysis.h"

namespace evt::report {

// The results of one model at the end of the time: rows of spans and calls, and of threads, whose shares are integer
// nanoseconds. In exact models they add up to the time in which anybody was active, or to the part of it in the
// selection. Total times do not depend on the selection.
class SharesFound {
 public:
  struct Row {
    std::string name;
    std::string_view kind;     // span, call, thread: all threads themselves, or gc: garbage collectors
    std::uint32_t thread = 0;  // in rows of threads; kNone: a collector
    std::uint64_t times = 0;
    SharedTime time;
    std::uint64_t share_ns = 0;
    Histogram::Outliers outliers{};  // for spans and calls: some that have far more than others of their name
    std::uint64_t self_ns = 0;       // for threads: without their spans and calls
  };

  SharesFound(const Share& share, const EventNames& names, const Actors& actors, TimeRange range);

  const std::vector<Row>& spans() const { return spans_; }      // in the order of their names
  const std::vector<Row>& threads() const { return threads_; }  // in the order of their numbers; then collectors
  std::uint64_t wall_ns() const { return wall_ns_; }
  std::uint64_t idle_ns() const { return idle_ns_; }
  std::uint64_t shared_ns() const;  // the sum of the shares
  std::uint64_t serial_ns() const { return serial_ns_; }
  double parallelism() const { return parallelism_; }  // while anybody was active

 private:
  void add_collector(const Share::Row& row, const Session& session);
  static void round(std::vector<Row>* rows, bool exactly);

  std::vector<Row> spans_;
  std::vector<Row> threads_;
  std::uint64_t wall_ns_ = 0;
  std::uint64_t idle_ns_ = 0;
  std::uint64_t serial_ns_ = 0;
  double parallelism_ = 0;
};

Table share_time_table(const SharesFound& found, const std::string& model);
Table share_table(const SharesFound& found);
Table share_threads_table(const SharesFound& found, const Actors& actors);
// Each model's shares, and how far those of others are from the exact ones.
Table compared_spans_table(const SharesFound& running, const SharesFound& existing, const SharesFound& phase);
Table compared_threads_table(const SharesFound& running, const SharesFound& existing, const SharesFound& phase,
                             const Actors& actors);

}  // namespace evt::report
