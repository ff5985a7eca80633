#include "fact_table.h"

#include <stdlib.h>
#include <string.h>

#include "error_text.h"
#include "format-spec/src/base/shorten_text.h"
#include "format-spec/src/session/metadata_records.h"

namespace evt {
namespace {

// All of them are repeated with the metadata.
constexpr std::size_t kMaxBytes = EVT_MAX_METADATA_PAYLOAD;

std::size_t size_of(const std::uint8_t* record) { return evt_load_u32(record); }

// Scope, key size and id; then the key.
bool same_key(const std::uint8_t* a, const std::uint8_t* b) {
  return memcmp(a + 4, b + 4, 12) == 0 &&
         memcmp(a + EVT_FACT_RECORD_SIZE, b + EVT_FACT_RECORD_SIZE, evt_load_u16(a + 6)) == 0;
}

bool same_value(const std::uint8_t* a, const std::uint8_t* b) {
  const std::size_t at = EVT_FACT_RECORD_SIZE + std::size_t{evt_load_u16(a + 6)};
  return size_of(a) == size_of(b) && memcmp(a + at, b + at, size_of(a) - at) == 0;
}

std::uint64_t hash_of_key(const std::uint8_t* record) {
  return hash_of(record + 4, 12) * 31 + hash_of(record + EVT_FACT_RECORD_SIZE, evt_load_u16(record + 6));
}

bool has_meaning(const evt_fact_info& fact, evt_error* error) {
  const int shown = fact.key_size < 64 ? static_cast<int>(fact.key_size) : 64;
  if (fact.key == nullptr || fact.key_size == 0) {
    set_error(error, EVT_CODE_INVALID, "a fact without a key");
  } else if (fact.key_size > EVT_MAX_FACT_KEY) {
    set_error(error, EVT_CODE_INVALID, "fact %.*s...: its key has %zu bytes, more than %d", shown, fact.key,
              fact.key_size, int{EVT_MAX_FACT_KEY});
  } else if (fact.scope == 0) {
    set_error(error, EVT_CODE_INVALID, "fact %.*s: it has no scope", shown, fact.key);
  } else if (fact.scope == EVT_FACT_SCOPE_SESSION && fact.id != 0) {
    set_error(error, EVT_CODE_INVALID, "fact %.*s: of the session itself, so its id must be 0", shown, fact.key);
  } else {
    return true;
  }
  return false;
}

}  // namespace

evt_fact_info fact_of_session(const char* key, const char* value, std::int64_t ns) {
  evt_fact_info fact = {};
  fact.scope = EVT_FACT_SCOPE_SESSION;
  fact.ns = ns;
  fact.key = key;
  fact.key_size = strlen(key);
  fact.value = value;
  fact.value_size = strlen(value);
  return fact;
}

bool FactTable::state(const evt_fact_info& given, Buffer& records, evt_error* error) {
  if (!has_meaning(given, error)) return false;
  evt_fact_info fact = given;
  fact.value_size = fact.value == nullptr ? 0 : shorten_at_character(fact.value, fact.value_size, EVT_MAX_FACT_VALUE);
  Buffer record;
  append_fact_record(record, fact);
  const int shown = static_cast<int>(fact.key_size < 64 ? fact.key_size : 64);
  if (!record.ok()) {
    set_error(error, EVT_CODE_MEMORY, "fact %.*s: no memory", shown, fact.key);
    return false;
  }
  const std::uint64_t hash = hash_of_key(record.data());
  const std::uint64_t known = by_key_.find(hash, [&](std::uint64_t i) { return same_key(all()[i], record.data()); });
  const std::size_t before = known == HashIndex::kNone ? 0 : size_of(all()[known]);
  if (before > 0 && same_value(all()[known], record.data())) return true;
  if (bytes_ - before + record.size() > kMaxBytes) {
    set_error(error, EVT_CODE_MEMORY, "fact %.*s: the facts of the session take %zu bytes, which is the limit", shown,
              fact.key, bytes_);
    return false;
  }
  const std::size_t end = records.size();
  records.append(record.data(), record.size());
  if (records.ok() && keep(known, hash, record)) {
    bytes_ += record.size() - before;
    return true;
  }
  records.truncate(end);
  set_error(error, EVT_CODE_MEMORY, "fact %.*s: no memory", shown, fact.key);
  return false;
}

// Replaces the fact with the same key, or appends it.
bool FactTable::keep(std::uint64_t known, std::uint64_t hash, const Buffer& record) {
  auto* const kept = static_cast<std::uint8_t*>(malloc(record.size()));
  if (kept == nullptr) return false;
  memcpy(kept, record.data(), record.size());
  if (known != HashIndex::kNone) {
    free(all()[known]);
    memcpy(records_.data() + known * sizeof kept, &kept, sizeof kept);
    return true;
  }
  const std::size_t place = count();
  records_.append(&kept, sizeof kept);
  if (records_.ok() && by_key_.insert(hash, place)) return true;
  records_.truncate(place * sizeof kept);
  free(kept);
  return false;
}

void FactTable::append_all(Buffer& records) const {
  for (std::size_t i = 0; i < count(); ++i) records.append(all()[i], size_of(all()[i]));
}

void FactTable::release() {
  for (std::size_t i = 0; i < count(); ++i) free(all()[i]);
  records_.release();
  by_key_.release();
  bytes_ = 0;
}

}  // namespace evt
