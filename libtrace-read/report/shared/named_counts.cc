#include "named_counts.h"

#include <evt/saturating_add.h>
#include <evt/timeline.h>
#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

namespace evt::report {
namespace {

const EventType* type_of(const TypeCount& count, const Session& session) {
  const auto type =
      std::ranges::find_if(session.types, [&](const EventType& each) { return each.number() == count.number; });
  return type != session.types.end() ? &*type : nullptr;
}

// Types of one name are counted as one, in the place of the first of them.
class CountsOfNames {
 public:
  void add(const std::string& name, std::uint64_t events) {
    const auto [place, is_new] = places_.try_emplace(name, counts_.size());
    if (is_new) {
      counts_.emplace_back(name, events);
    } else {
      saturating_add(&counts_[place->second].second, events);
    }
  }
  NamedCounts take() { return std::move(counts_); }

 private:
  NamedCounts counts_;
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace

// A session may contain more than it was cut to.
bool counts_are_indexed(const Trace& trace) {
  return std::ranges::all_of(trace.sessions(), [](const Session& session) {
    return !cut_of(session).is_limited() && !has_twins(session) && (!session.counts.empty() || session.rows == 0);
  });
}

bool counts_of_types_are_indexed(const Trace& trace) {
  const auto are_declared = [](const Session& session) {
    return std::ranges::all_of(session.counts,
                               [&](const TypeCount& count) { return type_of(count, session) != nullptr; });
  };
  return counts_are_indexed(trace) && std::ranges::all_of(trace.sessions(), are_declared);
}

NamedCounts counts_by_index(const Session& session) {
  std::vector<std::pair<const EventType*, TypeCount>> counts;
  for (const TypeCount& count : session.counts) counts.emplace_back(type_of(count, session), count);
  // Undeclared types are last.
  std::ranges::stable_sort(counts, [](const auto& a, const auto& b) {
    return a.first != nullptr && (b.first == nullptr || std::less<>()(a.first, b.first));
  });
  CountsOfNames named;
  for (const auto& [type, count] : counts) {
    named.add(type != nullptr                ? type->name()
              : count.number == EVT_ROW_WIDE ? "(numbers beyond 65535)"
                                             : fmt::format("type#{}", count.number),
              count.rows);
  }
  return named.take();
}

NamedCounts counts_between(const EventCounts& before, const EventCounts& after, const Session& session) {
  CountsOfNames named;
  for (const EventCounts::Count& count : after.since(before, session)) {
    named.add(count.type != nullptr ? count.type->name() : "(not declared)", count.events);
  }
  return named.take();
}

std::uint64_t sum_of(const NamedCounts& counts) {
  std::uint64_t sum = 0;
  for (const auto& [name, events] : counts) sum += events;
  return sum;
}

}  // namespace evt::report
