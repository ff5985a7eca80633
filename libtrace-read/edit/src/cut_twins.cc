#include "cut_twins.h"

#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt {
namespace {

// A twin of itself stands for unknown events.
constexpr const char* kUnknown = "carried.unknown";

}  // namespace

void CutTwins::put(std::uint32_t stream, std::uint16_t clock, const EventType& type, Bytes payload, std::uint64_t since,
                   std::uint64_t ticks) {
  std::vector<std::byte> fields(payload.begin(), payload.end());
  words_.use_texts(type.number(), fields);
  words_.use_type(type.number());
  if (!type.meaning().twin_of.empty()) return rows_.append(stream, clock, ticks, type.number(), fields);
  // Exactly the described fields, so that the last one is where its type has it. An event that lacks some lacks that
  // one too.
  FieldWalker walker(type.fields(), payload);
  while (walker.next()) {
  }
  if (walker.index() == type.fields().size()) {
    fields.resize(fields.size() - walker.rest().size() + sizeof(std::uint64_t));
    evt_store_u64(raw(fields.data() + fields.size() - sizeof(std::uint64_t)), since);
  }
  rows_.append(stream, clock, ticks, twin_of(type), fields);
}

void CutTwins::put_unknown(std::uint32_t stream, std::uint16_t clock, std::uint64_t ticks, std::uint64_t until) {
  std::byte since[sizeof(std::uint64_t)];
  evt_store_u64(raw(since), until);
  rows_.append(stream, clock, ticks, unknown_type(), since);
}

std::uint32_t CutTwins::twin_of(const EventType& type) {
  const auto [twin, is_new] = twins_.try_emplace(&type, 0);
  if (is_new) {
    evt_field since = EVT_FIELD_OF("since", EVT_KIND_TICKS, EVT_SHAPE_FIXED, 8);
    since.description = "when it began";
    twin->second = words_.add_type("carried." + type.name(), type.description(), &type, type.name(), since);
  }
  return twin->second;
}

std::uint32_t CutTwins::unknown_type() {
  const auto [twin, is_new] = twins_.try_emplace(nullptr, 0);
  if (is_new) {
    evt_field since = EVT_FIELD_OF("since", EVT_KIND_TICKS, EVT_SHAPE_FIXED, 8);
    since.description = "what is known begins here";
    twin->second = words_.add_type(kUnknown, "what began before is not known", nullptr, kUnknown, since);
  }
  return twin->second;
}

}  // namespace evt
