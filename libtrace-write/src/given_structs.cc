#include "given_structs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace evt {
namespace {

std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }

}  // namespace

struct alignas(16) GivenStructs::Chunk {
  Chunk* next;
};

GivenStructs::GivenStructs(const evt_sizes_& sizes) { memcpy(&sizes_, &sizes, smaller(sizes.sizes, sizeof sizes_)); }

GivenStructs::~GivenStructs() {
  while (chunks_ != nullptr) {
    Chunk* const next = chunks_->next;
    free(chunks_);
    chunks_ = next;
  }
}

// The first of them is reported.
void GivenStructs::note_rest(const std::uint8_t* given, std::size_t known, std::size_t size, const char* name) {
  for (std::size_t at = known; at < size; ++at) {
    if (given[at] == 0 || left_out_[0] != '\0') continue;
    snprintf(left_out_, sizeof left_out_,
             "%s has %zu bytes, of which this library knows %zu: the others are not 0, and are left out", name, size,
             known);
  }
}

template <typename T>
T* GivenStructs::copies(const T* given, std::size_t size, std::size_t count, const char* name) {
  if (given == nullptr || count == 0) return nullptr;
  void* const memory = count > SIZE_MAX / sizeof(T) - 1 ? nullptr : calloc(1, sizeof(Chunk) + count * sizeof(T));
  if (memory == nullptr) {
    lacks_memory_ = true;
    return nullptr;
  }
  auto* const chunk = static_cast<Chunk*>(memory);
  chunk->next = chunks_;
  chunks_ = chunk;
  T* const made = reinterpret_cast<T*>(chunk + 1);
  const auto* from = reinterpret_cast<const std::uint8_t*>(given);
  const std::size_t known = smaller(size, sizeof(T));
  for (std::size_t i = 0; i < count; ++i, from += size) {
    memcpy(made + i, from, known);
    note_rest(from, known, size, name);
  }
  return made;
}

template <typename T>
const T* GivenStructs::one(const T* given, std::size_t size, const char* name) {
  return size == sizeof(T) ? given : copies(given, size, 1, name);
}

const evt_session_info* GivenStructs::session(const evt_session_info* given) {
  const bool is_known = sizes_.session_info == sizeof(evt_session_info) &&
                        sizes_.merged_part == sizeof(evt_merged_part) && sizes_.left_out == sizeof(evt_left_out);
  if (is_known) return given;
  evt_session_info* const made = copies(given, sizes_.session_info, 1, "evt_session_info");
  if (made == nullptr) return nullptr;
  if (made->part_count > EVT_MAX_ORIGINS) made->part_count = EVT_MAX_ORIGINS;  // later ones are left out in any case
  made->parts = copies(made->parts, sizes_.merged_part, made->part_count, "evt_merged_part");
  made->left_out = one(made->left_out, sizes_.left_out, "evt_left_out");
  return made;
}

const evt_options* GivenStructs::options(const evt_options* given) {
  const evt_options* const known = one(given, sizes_.options, "evt_options");
  if (known == nullptr) return nullptr;
  const evt_session_info* const its_session = session(known->session);
  const evt_clock* const its_clock = one(known->clock, sizes_.clock, "evt_clock");
  if (its_session == known->session && its_clock == known->clock) return known;
  evt_options* const made = copies(known, sizeof *known, 1, "evt_options");
  if (made == nullptr) return nullptr;
  made->session = its_session;
  made->clock = its_clock;
  return made;
}

const evt_field* GivenStructs::fields(const evt_field* given, std::uint32_t count) {
  evt_field* const made = copies(given, sizes_.field, count, "evt_field");
  for (std::uint32_t i = 0; made != nullptr && i < count; ++i) {
    made[i].labels = copies(made[i].labels, sizes_.label, made[i].label_count, "evt_label");
  }
  return made;
}

const evt_facet* GivenStructs::facets(const evt_facet* given, std::uint32_t count) {
  evt_facet* const made = copies(given, sizes_.facet, count, "evt_facet");
  for (std::uint32_t i = 0; made != nullptr && i < count; ++i) {
    made[i].fields = copies(made[i].fields, sizes_.facet_field, made[i].field_count, "evt_facet_field");
  }
  return made;
}

const evt_event_type* GivenStructs::type(const evt_event_type* given) {
  const bool is_known = sizes_.event_type == sizeof(evt_event_type) && sizes_.field == sizeof(evt_field) &&
                        sizes_.label == sizeof(evt_label) && sizes_.facet == sizeof(evt_facet) &&
                        sizes_.facet_field == sizeof(evt_facet_field);
  if (is_known) return given;
  evt_event_type* const made = copies(given, sizes_.event_type, 1, "evt_event_type");
  if (made == nullptr) return nullptr;
  // Counts beyond the limits are refused anyway, so these are not looked at.
  if (made->field_count <= EVT_MAX_FIELDS) made->fields = fields(made->fields, made->field_count);
  if (made->facet_count <= EVT_MAX_FACETS) made->facets = facets(made->facets, made->facet_count);
  return made;
}

const evt_stream_info* GivenStructs::stream(const evt_stream_info* given) {
  return one(given, sizes_.stream_info, "evt_stream_info");
}

const evt_fact_info* GivenStructs::fact(const evt_fact_info* given) {
  return one(given, sizes_.fact_info, "evt_fact_info");
}

const evt_snapshot_options* GivenStructs::snapshot_options(const evt_snapshot_options* given) {
  return one(given, given->size, "evt_snapshot_options");
}

void give_counts(const evt_counts& counts, void* out, std::size_t size) {
  memset(out, 0, size);
  memcpy(out, &counts, smaller(size, sizeof counts));
}

}  // namespace evt
