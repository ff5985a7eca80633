#include "left_out.h"

#include <evt/saturating_add.h>
#include <evt/timeline.h>

#include <algorithm>

namespace evt {
namespace {

// Adds a name; beyond the limit only the count grows.
void add_name(const std::string& name, std::vector<std::string>* names, std::uint32_t* count) {
  if (names->size() < EVT_MAX_ORIGINS) {
    if (std::find(names->begin(), names->end(), name) != names->end()) return;
    names->push_back(name);
  }
  if (*count < UINT32_MAX) ++*count;
}

void add_names(const std::vector<std::string>& from, std::uint32_t from_count, std::vector<std::string>* names,
               std::uint32_t* count) {
  for (const std::string& name : from) add_name(name, names, count);
  std::uint64_t all = *count;
  saturating_add(&all, from_count - std::min<std::uint64_t>(from_count, from.size()));
  *count = static_cast<std::uint32_t>(std::min<std::uint64_t>(all, UINT32_MAX));
}

// For a session that was sampled already.
void sample_again(std::uint16_t by, std::uint64_t one_in, LeftOut* left_out) {
  if (by == EVT_SAMPLED_NONE) return;
  if (left_out->sampled_by == EVT_SAMPLED_NONE) {
    left_out->sampled_by = by;
    left_out->one_in = one_in;
    return;
  }
  if (by != EVT_SAMPLED_KEY) left_out->sampled_by = by;
  if (__builtin_mul_overflow(left_out->one_in, one_in, &left_out->one_in)) left_out->one_in = 0;
}

// The existing part of a range: before a session starts, and after its end, nothing is left out.
TimeRange within(const Session& session, TimeRange range) {
  const std::int64_t first_ns = std::min<std::int64_t>(0, first_event_ns(session));
  if (range.from_ns != INT64_MIN) range.from_ns = std::max(range.from_ns, first_ns);
  if (range.to_ns != INT64_MAX) range.to_ns = std::max(range.from_ns, std::min(range.to_ns, end_ns_of(session)));
  return range;
}

}  // namespace

LeftOut left_out_by(const CutOptions& options, const Session& session, const TimeRange& range) {
  LeftOut left_out = session.left_out_of_copies().value_or(LeftOut());
  if (range.is_limited()) {
    const TimeRange there = within(session, range);
    left_out.from_ns = left_out.has_range ? std::max(left_out.from_ns, there.from_ns) : there.from_ns;
    left_out.to_ns = left_out.has_range ? std::min(left_out.to_ns, there.to_ns) : there.to_ns;
    left_out.has_range = true;
  }
  for (const StreamInfo& stream : session.streams) {
    if (options.stream && !options.stream(session, stream)) {
      add_name(stream.name, &left_out.streams, &left_out.stream_count);
    }
  }
  for (const EventType& type : session.types) {
    if (options.type && !options.type(type)) add_name(type.name(), &left_out.types, &left_out.type_count);
  }
  sample_again(options.sampled_by, options.one_in, &left_out);
  left_out.others |= options.leaves_out_others || (options.event && options.sampled_by == EVT_SAMPLED_NONE);
  return left_out;
}

void add_left_out(const std::optional<LeftOut>& part, std::optional<LeftOut>* of_all) {
  if (!part) return;
  const bool is_first = !*of_all;
  LeftOut& all = is_first ? of_all->emplace() : **of_all;
  // Times of different parts are not comparable.
  all.others |= part->others || part->has_range;
  add_names(part->streams, part->stream_count, &all.streams, &all.stream_count);
  add_names(part->types, part->type_count, &all.types, &all.type_count);
  if (part->sampled_by == EVT_SAMPLED_NONE) return;
  const bool is_same = all.sampled_by == part->sampled_by && all.one_in == part->one_in;
  all.one_in = all.sampled_by == EVT_SAMPLED_NONE || is_same ? part->one_in : 0;
  if (all.sampled_by != EVT_SAMPLED_ROW) all.sampled_by = part->sampled_by;
}

}  // namespace evt
