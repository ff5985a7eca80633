#include "clock_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace evt {
namespace {

constexpr double kMaxDrift = 1e-3;  // clocks that tick are not off by more
constexpr double kPicosecondsPerUnit = 1e12;
constexpr int kSteps = 100;  // in a search, after which the result no longer changes

// A limit as the difference of both clocks at a moment, both as small numbers.
struct Point {
  double at;
  double difference;
};

// For each drift the lowest and highest difference at the pivot that satisfy all limits. The room between them is a
// concave function of the drift: so every search below is a bisection or a ternary search.
class Corridor {
 public:
  Corridor(const std::vector<TimeLimit>& not_before, const std::vector<TimeLimit>& not_behind, std::int64_t pivot,
           std::int64_t base)
      : low_(points_of(not_before, pivot, base)), high_(points_of(not_behind, pivot, base)) {}

  double lowest(double drift) const {
    double most = -std::numeric_limits<double>::infinity();
    for (const Point& point : low_) most = std::max(most, point.difference - drift * point.at);
    return most;
  }
  double highest(double drift) const {
    double least = std::numeric_limits<double>::infinity();
    for (const Point& point : high_) least = std::min(least, point.difference - drift * point.at);
    return least;
  }
  double room(double drift) const { return highest(drift) - lowest(drift); }

 private:
  static std::vector<Point> points_of(const std::vector<TimeLimit>& limits, std::int64_t pivot, std::int64_t base) {
    std::vector<Point> points;
    points.reserve(limits.size());
    for (const TimeLimit& limit : limits) {
      points.push_back({static_cast<double>(distance_ns(pivot, limit.own_ns)),
                        static_cast<double>(distance_ns(base, distance_ns(limit.own_ns, limit.right_ns)))});
    }
    return points;
  }

  std::vector<Point> low_;
  std::vector<Point> high_;
};

// The nearest integer, within the possible range.
std::int64_t whole(double number) { return std::llround(std::clamp(number, -4e18, 4e18)); }

// Finds the maximum of a concave function.
template <typename Function>
double top_of(Function f, double from, double to) {
  for (int i = 0; i < kSteps; ++i) {
    const double a = from + (to - from) / 3;
    const double b = to - (to - from) / 3;
    if (f(a) < f(b)) {
      from = a;
    } else {
      to = b;
    }
  }
  return (from + to) / 2;
}

// How far from `good`, where there is room, towards `to` there still is room.
double edge_of_room(const Corridor& corridor, double good, double to) {
  if (corridor.room(to) >= 0) return to;
  for (int i = 0; i < kSteps; ++i) {
    const double middle = (good + to) / 2;
    (corridor.room(middle) >= 0 ? good : to) = middle;
  }
  return good;
}

}  // namespace

ClockFit fit_line(const std::vector<TimeLimit>& not_before, const std::vector<TimeLimit>& not_behind,
                  std::int64_t first_ns, std::int64_t last_ns) {
  const std::int64_t pivot = later_ns(first_ns, distance_ns(first_ns, last_ns) / 2);
  const std::int64_t base = distance_ns(not_before.front().own_ns, not_before.front().right_ns);
  const Corridor corridor(not_before, not_behind, pivot, base);
  const double drift = top_of([&](double d) { return corridor.room(d); }, -kMaxDrift, kMaxDrift);
  const double middle = (corridor.highest(drift) + corridor.lowest(drift)) / 2;

  ClockFit line;
  line.shift.pivot_ns = pivot;
  line.shift.offset_ns = later_ns(base, whole(middle));
  line.shift.drift_ps = whole(drift * kPicosecondsPerUnit);
  const double room = corridor.room(drift);
  if (room < 0) {
    line.contradiction_ns = static_cast<std::uint64_t>(whole(std::ceil(-room / 2)));
    return line;
  }
  // Finds the possible lines that are furthest away at either end; none is further between the ends.
  const double least = edge_of_room(corridor, drift, -kMaxDrift);
  const double most = edge_of_room(corridor, drift, kMaxDrift);
  double bound = 0;
  for (const std::int64_t end : {first_ns, last_ns}) {
    const auto at = static_cast<double>(distance_ns(pivot, end));
    const auto highest = [&](double d) { return corridor.highest(d) + d * at; };
    const auto depth = [&](double d) { return -corridor.lowest(d) - d * at; };
    const double here = middle + drift * at;
    bound = std::max(bound, highest(top_of(highest, least, most)) - here);
    bound = std::max(bound, here + depth(top_of(depth, least, most)));
  }
  line.bound_ns = static_cast<std::uint64_t>(whole(std::ceil(bound))) + 1;  // rounding error
  return line;
}

}  // namespace evt
