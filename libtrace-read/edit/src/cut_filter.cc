#include "cut_filter.h"

namespace evt {

const EventType& CutFilter::type_of(std::uint32_t number) {
  const EventType* const type = data_.types.find(number);
  if (type != nullptr) return *type;
  return undeclared_.try_emplace(number, "type#" + std::to_string(number), number).first->second;
}

bool CutFilter::wants_type(std::uint32_t number) {
  if (!options_.type) return true;
  const auto [wanted, is_new] = wanted_types_.try_emplace(number, false);
  if (is_new) wanted->second = options_.type(type_of(number));
  return wanted->second;
}

bool CutFilter::wants(const StreamInfo& stream, std::uint32_t number, Bytes fields, std::uint64_t ticks,
                      std::uint16_t clock) {
  if (!wants_type(number)) return false;
  return !options_.event || options_.event(*data_.session, stream, type_of(number), fields, data_.ns_of(clock, ticks));
}

}  // namespace evt
