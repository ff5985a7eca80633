#include "string_table.h"

#include <evt/format.h>

#include "format-spec/src/base/shorten_text.h"
#include "format-spec/src/session/metadata_records.h"

namespace evt {

std::uint32_t StringTable::intern(const char* text, std::size_t size, std::uint32_t wanted, Buffer& records) {
  if (size == 0 && wanted == 0) return 0;
  size = shorten_at_character(text, size, EVT_MAX_STRING);
  const std::uint64_t hash = hash_of(text, size);
  const auto has_text = [&](std::uint64_t place) {
    const std::uint8_t* const record = records.data() + place;
    return evt_load_u32(record + 4) == size && std::memcmp(record + EVT_STRING_RECORD_SIZE, text, size) == 0 &&
           (wanted == 0 || evt_load_u32(record) == wanted);
  };
  const std::uint64_t known = by_text_.find(hash, has_text);
  if (known != HashIndex::kNone) return evt_load_u32(records.data() + known);

  const auto taken = [&](std::uint32_t id) {
    return by_id_.find(hash_of(&id, sizeof id), [&](std::uint64_t place) {
      return evt_load_u32(records.data() + place) == id;
    }) != HashIndex::kNone;
  };
  if (wanted != 0 && taken(wanted)) return 0;
  while (wanted == 0 && taken(next_id_)) ++next_id_;
  const std::uint32_t id = wanted != 0 ? wanted : next_id_++;
  const std::size_t place = records.size();
  append_string_record(records, id, text, static_cast<std::uint32_t>(size));
  if (!records.ok()) {
    records.truncate(place);
    return 0;
  }
  by_text_.insert(hash, place);
  by_id_.insert(hash_of(&id, sizeof id), place);
  return id;
}

}  // namespace evt
