// Encodes a struct that has a schema<T> into a row. Part of <evt/writer.h>; <evt/decode.h> reads the row.
#pragma once

#include <evt/emit.h>
#include <evt/schema.h>

#include <cstring>
#include <string>

namespace evt {

namespace encoding {

template <typename M>
inline constexpr bool is_fixed = wire_of<M>().shape == Shape::kFixed;

// Bytes of all fixed fields of T, plus the counts of the others.
template <Traced T>
consteval std::size_t least_size() {
  std::size_t total = 0;
  std::apply([&]<typename... F>(const F&...) { ((total += wire_of<typename F::Member>().width), ...); },
             schema<T>.fields);
  return total;
}

template <Traced T>
consteval bool all_fixed() {
  bool fixed = true;
  std::apply([&]<typename... F>(const F&...) { ((fixed = fixed && is_fixed<typename F::Member>), ...); },
             schema<T>.fields);
  return fixed;
}

// Stores a fixed value in room that was checked before; returns the place after it.
template <typename M>
EVT_ALWAYS_INLINE_ inline std::uint8_t* store(std::uint8_t* p, const M& value) {
  constexpr std::size_t kSize = wire_of<M>().width;
  if constexpr (std::is_same_v<M, Interned> || std::is_same_v<M, Reference>) {
    evt_store_u32(p, value.id);
  } else if constexpr (std::is_same_v<M, Ticks32> || std::is_same_v<M, TickDelta32>) {
    evt_store_u32(p, static_cast<std::uint32_t>(value.value));
  } else if constexpr (std::is_same_v<M, Ticks> || std::is_same_v<M, TickDelta>) {
    evt_store_u64(p, static_cast<std::uint64_t>(value.value));
  } else if constexpr (kSize == 1 || wire_of<M>().kind == Kind::kBytes || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
    std::memcpy(p, &value, kSize);
  } else {
    const auto* const from = reinterpret_cast<const std::uint8_t*>(&value);
    for (std::size_t i = 0; i < kSize; ++i) p[i] = from[kSize - 1 - i];
  }
  return p + kSize;
}

inline std::uint16_t count16(std::size_t count) { return static_cast<std::uint16_t>(count < 0xFFFF ? count : 0xFFFF); }

// Larger counts are too large for an event anyway.
inline std::uint32_t count32(std::size_t count) {
  return count < UINT32_MAX ? static_cast<std::uint32_t>(count) : UINT32_MAX;
}

// Appends any value, requesting room as needed.
template <typename M>
inline void append(evt_row* row, const M& value) {
  if constexpr (is_fixed<M>) {
    if (evt_room(row, wire_of<M>().width)) row->p = store(row->p, value);
  } else if constexpr (std::is_same_v<M, std::string_view> || is_string<M>) {
    evt_text(row, value.data(), value.size());
  } else if constexpr (std::is_same_v<M, LongText>) {
    evt_long_bytes(row, value.text.data(), count32(value.text.size()));
  } else if constexpr (std::is_same_v<M, Bytes>) {
    evt_bytes(row, value.data(), count16(value.size()));
  } else if constexpr (std::is_same_v<M, LongBytes>) {
    evt_long_bytes(row, value.bytes.data(), count32(value.bytes.size()));
  } else {  // an array or a list: a u16 count, then its elements; elements after the 65535th are left out
    const std::uint16_t count = count16(value.size());
    evt_u16(row, count);
    for (std::uint16_t i = 0; i < count; ++i) append(row, value[i]);
  }
}

// Encodes the fields of `event` into a row that has been begun.
template <Traced T>
EVT_ALWAYS_INLINE_ inline void append_fields(evt_row* row, const T& event) {
  if constexpr (all_fixed<T>() && least_size<T>() <= EVT_ROW_ROOM_ - std::size_t{EVT_ROW_FRONT_}) {
    // Every row that was begun has enough room: no more checks.
    std::uint8_t* p = row->p;
    std::apply([&](const auto&... f) { ((p = store(p, event.*f.member)), ...); }, schema<T>.fields);
    row->p = p;
  } else {
    std::apply([&](const auto&... f) { (append(row, event.*f.member), ...); }, schema<T>.fields);
  }
}

// Appends a field of a row that a string holds.
template <typename M>
void append_bytes(std::string* bytes, const M& value) {
  const auto append_u16 = [bytes](std::uint16_t count) {
    bytes->push_back(static_cast<char>(count & 0xFF));
    bytes->push_back(static_cast<char>(count >> 8));
  };
  if constexpr (is_fixed<M>) {
    std::uint8_t stored[wire_of<M>().width];
    store(stored, value);
    bytes->append(reinterpret_cast<const char*>(stored), sizeof stored);
  } else {
    constexpr Shape kShape = wire_of<M>().shape;
    static_assert(kShape == Shape::kCounted16 || kShape == Shape::kArray, "a shared row has no such fields");
    const std::uint16_t count = count16(value.size());
    append_u16(count);
    for (std::uint16_t i = 0; i < count; ++i) append_bytes(bytes, value[i]);
  }
}

template <typename T, std::size_t I>
consteval evt_field describe_field() {
  constexpr auto f = std::get<I>(schema<T>.fields);
  using Member = typename std::remove_const_t<decltype(f)>::Member;
  constexpr Wire wire = wire_of<Member>();
  evt_field field = {};
  field.name = f.name;
  field.description = f.description;
  field.kind = static_cast<std::uint16_t>(wire.kind);
  field.shape = static_cast<std::uint16_t>(wire.shape);
  field.width = wire.width;
  field.role = static_cast<std::uint16_t>(f.role);
  field.unit = static_cast<std::uint16_t>(f.unit);
  field.absent = f.meaning.absent;
  field.unit_text = f.meaning.unit_text;
  field.tags = f.meaning.tags.data();
  field.tag_count = static_cast<std::uint16_t>(f.meaning.tags.size());
  field.scope = static_cast<std::uint16_t>(f.meaning.scope);
  field.is_flags = f.meaning.is_flags ? 1 : 0;
  field.has_absent = f.meaning.has_absent ? 1 : 0;
  field.scale = f.meaning.scale;
  return field;
}

// The fields named by facets, as indexes; a name that the type does not have is out of range, and refused.
struct DescribedFacets {
  std::array<evt_facet, EVT_MAX_FACETS> facets{};
  std::array<evt_facet_field, 4 * EVT_MAX_FACETS> fields{};
  std::uint32_t facet_count = 0;
  std::uint32_t field_count = 0;
};

template <Traced T>
consteval std::uint16_t place_of(std::string_view name) {
  std::uint16_t place = 0;
  std::uint16_t found = EVT_MAX_FIELDS;
  std::apply(
      [&](const auto&... f) { ((found = found == EVT_MAX_FIELDS && name == f.name ? place : found, ++place), ...); },
      schema<T>.fields);
  return found;
}

template <Traced T>
consteval DescribedFacets describe_facets() {
  DescribedFacets described;
  for (const FacetOf& facet : schema<T>.meaning.facets) {
    evt_facet& made = described.facets[described.facet_count++];
    made.role = static_cast<std::uint16_t>(facet.role);
    made.field_count = static_cast<std::uint32_t>(facet.fields.size());
    for (const FacetField& field : facet.fields) {
      described.fields[described.field_count++] = {place_of<T>(field.field), static_cast<std::uint16_t>(field.role)};
    }
  }
  return described;
}

// Separate values, so that a description can hold their addresses.
template <Traced T>
inline constexpr DescribedFacets kFacets = describe_facets<T>();

template <typename Member>
constexpr auto copy_labels() {
  constexpr std::size_t kCount = labels<Member>.size();
  std::array<evt_label, kCount> copied{};
  for (std::size_t i = 0; i < kCount; ++i) copied[i] = {labels<Member>[i].value, labels<Member>[i].text};
  return copied;
}

// Labels belong to the elements of an array.
template <typename Member>
struct Labelled {
  using Type = Member;
};
template <typename Element>
struct Labelled<std::span<const Element>> {
  using Type = Element;
};

template <typename Member>
inline constexpr auto kLabels = copy_labels<typename Labelled<Member>::Type>();

template <Traced T, std::size_t... I>
inline std::array<evt_field, sizeof...(I)> describe_fields(std::index_sequence<I...>) {
  std::array<evt_field, sizeof...(I)> fields = {describe_field<T, I>()...};
  [[maybe_unused]] const auto label = [](evt_field& out, const auto& of) {
    out.label_count = static_cast<std::uint32_t>(of.size());
    out.labels = of.data();
  };
  (label(fields[I], kLabels<typename std::tuple_element_t<I, decltype(EventOf(schema<T>).fields)>::Member>), ...);
  return fields;
}

// Calls `use` with the description of an event type, which is valid until it returns.
template <Traced T, typename Use>
const evt_type* with_description(Use use) {
  const auto fields = describe_fields<T>(std::make_index_sequence<kFieldCount<T>>());
  evt_event_type type = {};
  type.name = schema<T>.name;
  type.description = schema<T>.description;
  type.number = schema<T>.number;
  type.role = static_cast<std::uint16_t>(schema<T>.role);
  type.field_count = static_cast<std::uint32_t>(fields.size());
  type.fields = fields.data();
  constexpr const EventMeaning& kMeaning = schema<T>.meaning;
  type.tags = kMeaning.tags.data();
  type.tag_count = static_cast<std::uint16_t>(kMeaning.tags.size());
  type.source_file = kMeaning.source_file;
  type.source_line = kMeaning.source_line;
  type.source_function = kMeaning.source_function;
  type.off_by_default = kMeaning.off_by_default ? 1 : 0;
  if constexpr (!kMeaning.facets.empty()) {
    auto facets = kFacets<T>.facets;
    const evt_facet_field* at = kFacets<T>.fields.data();
    for (evt_facet& facet : facets) {
      facet.fields = at;
      at += facet.field_count;
    }
    type.facets = facets.data();
    type.facet_count = kFacets<T>.facet_count;
    return use(type);
  }
  return use(type);
}

template <Traced T>
const evt_type* declare(evt_writer* writer, evt_error* error) {
  return with_description<T>([&](const evt_event_type& type) { return evt_declare(writer, &type, error); });
}

}  // namespace encoding
}  // namespace evt
