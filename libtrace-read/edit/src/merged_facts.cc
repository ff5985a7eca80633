#include "merged_facts.h"

#include <string>
#include <utility>

#include "fact_description.h"

namespace evt {

MergedFacts::MergedFacts(const MergedSession& planned, const Session& session, const IdRemap& changes)
    : planned_(planned), session_(session), changes_(changes) {
  for (const EventType& type : session.types) types_.insert(type.number());
}

void MergedFacts::add_who(std::uint64_t part, RecordList& records) const {
  const std::pair<const char*, std::string> who[] = {
      {EVT_FACT_PART_PROGRAM, session_.program},
      {EVT_FACT_PART_PID, session_.pid == 0 ? "" : std::to_string(session_.pid)},
      {EVT_FACT_PART_HOST, session_.host},
      {EVT_FACT_PART_BOOT, session_.boot_id},
      {EVT_FACT_PART_START, session_.declared ? std::to_string(session_.start_utc_ns) : ""},
      {EVT_FACT_PART_NOT_KEPT,
       session_.not_kept == 0 ? "" : std::to_string(session_.not_kept) + (session_.not_kept_is_known ? "" : "+")}};
  for (const auto& [key, value] : who) {
    const Fact fact = {EVT_FACT_SCOPE_PART, part, key, value, 0};
    if (!value.empty()) add(fact, records);
  }
}

std::uint64_t MergedFacts::put(std::uint64_t part, const SchemaUnion::Put& put) const {
  RecordList records;
  // Parts already have their own.
  if (session_.parts.empty()) add_who(part, records);
  std::uint64_t left_out = 0;
  for (Fact fact : session_.facts) {
    if (!renumber(fact, part)) {
      ++left_out;
      continue;
    }
    add(fact, records);
    if (records.is_full()) records.put(put);
  }
  records.put(put);
  return left_out;
}

// Its time is since the start of its own session.
void MergedFacts::add(const Fact& fact, RecordList& records) const {
  evt_fact_info moved = to_message(fact, session_.start_ns);
  moved.ns = planned_.shift.apply(moved.ns);
  append_fact_record(records.next(), moved);
}

bool MergedFacts::renumber(Fact& fact, std::uint64_t part) const {
  if (fact.scope == EVT_FACT_SCOPE_PART) {
    const bool is_there = fact.id < session_.parts.size();
    fact.id += part;
    return is_there;
  }
  if (fact.scope == EVT_FACT_SCOPE_SESSION) {
    // A statement about several parts together does not hold for any single one.
    if (!session_.parts.empty()) return false;
    fact.scope = EVT_FACT_SCOPE_PART;
    fact.id = part;
    return true;
  }
  if (fact.id > UINT32_MAX) return false;
  const auto id = static_cast<std::uint32_t>(fact.id);
  if (fact.scope == EVT_FACT_SCOPE_STREAM && session_.stream(id) != nullptr) {
    fact.id = MergePlan::stream_of(planned_, session_, id);
    return true;
  }
  if (fact.scope == EVT_FACT_SCOPE_TYPE) {
    const auto change = changes_.types.find(id);
    if (change != changes_.types.end()) fact.id = change->second;
    return types_.contains(id);
  }
  if (fact.scope == EVT_FACT_SCOPE_CLOCK && id <= UINT16_MAX) {
    const auto clock = planned_.clocks.find(static_cast<std::uint16_t>(id));
    if (clock != planned_.clocks.end()) fact.id = clock->second;
    return clock != planned_.clocks.end();
  }
  return false;
}

}  // namespace evt
