// What an interval was spent on, as a table function of a database: why(span := 'POST /checkout', nth := '2').
#pragma once

#include <evt/trace.h>

#include <functional>
#include <mutex>
#include <vector>

#include "sql/database.h"

namespace evt::tools {

// Its arguments are those of evt why: span, thread, nth, percentile, at, start, stop. Its rows are those of the first
// trace after another that have what is asked for; a query is refused where none has.
class WhyFunction {
 public:
  // Refers to all that it is given; is referred to by the databases that it was added to. `reading`: held while a trace
  // is read.
  WhyFunction(const std::vector<Trace*>& traces, std::function<TimeRange(const Session&)> range, std::mutex& reading)
      : traces_(&traces), range_(std::move(range)), reading_(&reading) {}
  WhyFunction(const WhyFunction&) = delete;
  WhyFunction& operator=(const WhyFunction&) = delete;

  Status add_to(const Database& database);

  const std::vector<Trace*>& traces() const { return *traces_; }
  TimeRange range(const Session& session) const { return range_ ? range_(session) : TimeRange{}; }
  std::mutex& reading() const { return *reading_; }

 private:
  const std::vector<Trace*>* traces_;
  std::function<TimeRange(const Session&)> range_;
  std::mutex* reading_;
};

}  // namespace evt::tools
