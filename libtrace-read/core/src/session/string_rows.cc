#include "string_rows.h"

#include <evt/format.h>
#include <fmt/core.h>

#include <algorithm>

#include "libtrace-read/core/src/event/interned_fields.h"

namespace evt {
namespace {

class StringRows {
 public:
  StringRows(SessionData& data, Ledger& ledger) : data_(data), ledger_(ledger), waiting_(data.string_rows) {}

  void settle();

 private:
  const EventType* type_of(std::uint32_t id) const;
  bool has_time(std::uint32_t id) const;
  bool has_to_wait(std::uint32_t id) const;
  void drop(std::uint32_t id, std::uint64_t offset, const std::string& why);

  SessionData& data_;
  Ledger& ledger_;
  std::map<std::uint32_t, std::uint64_t> waiting_;  // by id: where its block is
};

// What is left after as many rounds as references may nest nests deeper, or in a circle.
void StringRows::settle() {
  for (const auto& [id, offset] : data_.string_rows) {
    if (has_time(id)) drop(id, offset, "with a time");
  }
  for (int depth = 0; depth < EVT_MAX_REFERENCES && !waiting_.empty(); ++depth) {
    std::vector<std::uint32_t> round;
    for (const auto& [id, offset] : waiting_) {
      if (!has_to_wait(id)) round.push_back(id);
    }
    for (const std::uint32_t id : round) waiting_.erase(id);
    data_.session->row_strings.insert(data_.session->row_strings.end(), round.begin(), round.end());
  }
  const std::string too_deep =
      fmt::format("whose references nest more than {} deep, or in a circle", std::size_t{EVT_MAX_REFERENCES});
  for (const auto& [id, offset] : std::map(waiting_)) drop(id, offset, too_deep);
}

const EventType* StringRows::type_of(std::uint32_t id) const {
  return data_.types.find(row_in(data_.session->strings.at(id))->number());
}

bool StringRows::has_time(std::uint32_t id) const {
  const EventType* const type = type_of(id);
  return type != nullptr && std::any_of(type->fields().begin(), type->fields().end(), [](const Field& field) {
           return field.kind == Kind::kTicks || field.kind == Kind::kTickDelta;
         });
}

bool StringRows::has_to_wait(std::uint32_t id) const {
  const EventType* const type = type_of(id);
  if (type == nullptr) return false;
  bool waits = false;
  for_each_interned(*type, row_in(data_.session->strings.at(id))->fields(),
                    [&](const std::byte* at) { waits = waits || waiting_.contains(evt_load_u32(at)); });
  return waits;
}

void StringRows::drop(std::uint32_t id, std::uint64_t offset, const std::string& why) {
  ledger_.add({offset, 0, fmt::format("string {} holds a row {}", id, why)});
  data_.session->strings.erase(id);
  waiting_.erase(id);
}

}  // namespace

void settle_string_rows(SessionData& data, Ledger& ledger) { StringRows(data, ledger).settle(); }

}  // namespace evt
