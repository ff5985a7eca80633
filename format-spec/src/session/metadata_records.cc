#include "metadata_records.h"

#include "format-spec/src/base/capnp_message.h"
#include "format-spec/src/base/shorten_text.h"
#include "format-spec/src/block/block_header.h"

namespace evt {
namespace {

// Sizes and offsets of metadata.capnp, from its compiler (capnp compile -ocapnp).
constexpr StructSize kSessionInfo{2, 9};
constexpr StructSize kLongSessionInfo{2, 10};  // for a session that states what it leaves out
constexpr StructSize kLeftOut{5, 2};
constexpr StructSize kShortSessionInfo{2, 7};  // for a session that is neither merged nor cut: most are
constexpr StructSize kMergedPart{6, 2};
constexpr StructSize kClockInfo{0, 3};
constexpr StructSize kStreamInfo{2, 1};
constexpr StructSize kEventTypeInfo{1, 5};
constexpr StructSize kShortEventTypeInfo{1, 1};  // for a type that has fields and a role: most have
constexpr StructSize kFacet{1, 1};
constexpr StructSize kFacetField{1, 0};
constexpr StructSize kSource{1, 2};
constexpr StructSize kFieldInfo{3, 5};
constexpr StructSize kShortFieldInfo{2, 3};  // for fields without an absent value, a unit's text and tags
constexpr StructSize kLabel{1, 1};

// Words of a command line; later ones are left out.
constexpr std::uint32_t kMaxWords = 128;

const char* text_or_empty(const char* text) { return text == nullptr ? "" : text; }

void set_parts(CapnpMessage& message, CapnpMessage::Slot slot, const evt_session_info& session) {
  const std::uint32_t count =
      session.part_count < EVT_MAX_ORIGINS ? session.part_count : std::uint32_t{EVT_MAX_ORIGINS};
  if (count == 0) return;
  const auto parts = message.set_struct_list(slot, count, kMergedPart);
  for (std::uint32_t i = 0; i < count; ++i) {
    const evt_merged_part& part = session.parts[i];
    const auto info = CapnpMessage::element(parts, i);
    message.set_u32(info, 0, part.first_stream);
    message.set_u32(info, 4, part.stream_count);
    message.set_u16(info, 8, part.alignment);
    message.set_u16(info, 10, part.ended != 0 ? 1 : 0);
    message.set_u64(info, 16, static_cast<std::uint64_t>(part.offset_ns));
    message.set_u64(info, 24, static_cast<std::uint64_t>(part.drift_ps));
    message.set_u64(info, 32, static_cast<std::uint64_t>(part.pivot_ns));
    message.set_u64(info, 40, part.bound_ns);
    message.set_data(CapnpMessage::slot(info, 0), part.origin, sizeof part.origin);
    if (session.anonymous == 0) message.set_text(CapnpMessage::slot(info, 1), part.name);
  }
}

void set_texts(CapnpMessage& message, CapnpMessage::Slot slot, const char* const* texts, std::uint32_t count) {
  if (count == 0) return;
  const auto list = message.set_pointer_list(slot, count);
  for (std::uint32_t i = 0; i < count; ++i) message.set_text(CapnpMessage::slot(list, i), texts[i]);
}

void set_left_out(CapnpMessage& message, CapnpMessage::Slot slot, const evt_left_out& left_out) {
  const auto some = [](std::uint32_t count) {
    return count < EVT_MAX_ORIGINS ? count : std::uint32_t{EVT_MAX_ORIGINS};
  };
  const auto info = message.set_struct(slot, kLeftOut);
  const unsigned flags = 1U | (left_out.has_range != 0 ? 2U : 0U) | (left_out.others != 0 ? 4U : 0U);
  message.set_u16(info, 0, static_cast<std::uint16_t>(flags));
  message.set_u16(info, 2, left_out.sampled_by);
  message.set_u32(info, 4, left_out.stream_count);
  if (left_out.has_range != 0) {
    message.set_u64(info, 8, static_cast<std::uint64_t>(left_out.from_ns));
    message.set_u64(info, 16, static_cast<std::uint64_t>(left_out.to_ns));
  }
  message.set_u32(info, 24, left_out.type_count);
  message.set_u64(info, 32, left_out.one_in);
  set_texts(message, CapnpMessage::slot(info, 0), left_out.streams, some(left_out.stream_count));
  set_texts(message, CapnpMessage::slot(info, 1), left_out.types, some(left_out.type_count));
}

void append_session_info(Buffer& out, const evt_session_info& session) {
  CapnpMessage message(out);
  const bool is_long = session.left_out != nullptr;
  const bool is_short = !is_long && session.part_count == 0 && *text_or_empty(session.cut) == '\0';
  const auto root = message.root(is_short ? kShortSessionInfo : is_long ? kLongSessionInfo : kSessionInfo);
  message.set_u64(root, 0, session.pid);
  message.set_u16(root, 8, session.ring_kind);
  message.set_text(CapnpMessage::slot(root, 0), session.program);
  const std::uint32_t word_count = session.command_line_count < kMaxWords ? session.command_line_count : kMaxWords;
  if (word_count > 0) {
    const auto words = message.set_pointer_list(CapnpMessage::slot(root, 1), word_count);
    for (std::uint32_t i = 0; i < word_count; ++i) {
      message.set_text(CapnpMessage::slot(words, i), session.command_line[i]);
    }
  }
  message.set_text(CapnpMessage::slot(root, 2), session.host);
  message.set_text(CapnpMessage::slot(root, 3), session.boot_id);
  message.set_text(CapnpMessage::slot(root, 4), session.writer);
  message.set_text(CapnpMessage::slot(root, 5), session.ring_name);
  const std::uint32_t origin_count =
      session.origin_count < EVT_MAX_ORIGINS ? session.origin_count : std::uint32_t{EVT_MAX_ORIGINS};
  if (origin_count > 0) {
    const auto origins = message.set_pointer_list(CapnpMessage::slot(root, 6), origin_count);
    for (std::uint32_t i = 0; i < origin_count; ++i) {
      message.set_data(CapnpMessage::slot(origins, i), session.origins + i * sizeof session.uuid, sizeof session.uuid);
    }
  }
  if (is_short) return;
  set_parts(message, CapnpMessage::slot(root, 7), session);
  message.set_text(CapnpMessage::slot(root, 8), session.cut);
  if (is_long) set_left_out(message, CapnpMessage::slot(root, 9), *session.left_out);
}

// FORMAT.md, section 6.1; names of parts are left out with the parts.
evt_session_info without_names(const evt_session_info& session) {
  evt_session_info rest = session;
  rest.program = nullptr;
  rest.command_line_count = 0;
  rest.pid = 0;
  rest.host = nullptr;
  rest.boot_id = nullptr;
  rest.ring_name = nullptr;
  return rest;
}

bool is_short(const evt_field& field) {
  return field.has_absent == 0 && *text_or_empty(field.unit_text) == '\0' && field.tag_count == 0;
}

bool has_source(const evt_event_type& type) {
  return *text_or_empty(type.source_file) != '\0' || *text_or_empty(type.source_function) != '\0' ||
         type.source_line != 0;
}

bool is_short(const evt_event_type& type) {
  return type.facet_count == 0 && *text_or_empty(type.twin_of) == '\0' && !has_source(type) && type.tag_count == 0;
}

void set_field(CapnpMessage& message, CapnpMessage::Struct info, const evt_field& field) {
  message.set_u16(info, 0, field.kind);
  message.set_u16(info, 2, field.shape);
  message.set_u32(info, 4, field.width);
  message.set_u16(info, 8, field.role);
  message.set_u16(info, 10, field.unit);
  const unsigned flags = (field.is_flags != 0 ? 1U : 0U) | (field.has_absent != 0 ? 2U : 0U);
  message.set_u16(info, 12,
                  static_cast<std::uint16_t>(flags | std::uint32_t{static_cast<std::uint8_t>(field.scale)} << 8U));
  message.set_u16(info, 14, field.scope);
  if (field.has_absent != 0) message.set_u64(info, 16, field.absent);
  message.set_text(CapnpMessage::slot(info, 0), field.name);
  if (field.label_count > 0) {
    const auto labels = message.set_struct_list(CapnpMessage::slot(info, 1), field.label_count, kLabel);
    for (std::uint32_t k = 0; k < field.label_count; ++k) {
      const auto label = CapnpMessage::element(labels, k);
      message.set_u64(label, 0, field.labels[k].value);
      message.set_text(CapnpMessage::slot(label, 0), field.labels[k].text);
    }
  }
  message.set_text(CapnpMessage::slot(info, 2), field.description);
  if (*text_or_empty(field.unit_text) != '\0') message.set_text(CapnpMessage::slot(info, 3), field.unit_text);
  if (field.tag_count > 0) set_texts(message, CapnpMessage::slot(info, 4), field.tags, field.tag_count);
}

void set_fields(CapnpMessage& message, CapnpMessage::Slot slot, const evt_event_type& type) {
  if (type.field_count == 0) return;
  bool all_short = true;
  for (std::uint32_t i = 0; i < type.field_count; ++i) all_short = all_short && is_short(type.fields[i]);
  const auto fields = message.set_struct_list(slot, type.field_count, all_short ? kShortFieldInfo : kFieldInfo);
  for (std::uint32_t i = 0; i < type.field_count; ++i) {
    set_field(message, CapnpMessage::element(fields, i), type.fields[i]);
  }
}

void set_facets(CapnpMessage& message, CapnpMessage::Slot slot, const evt_event_type& type) {
  if (type.facet_count == 0) return;
  const auto facets = message.set_struct_list(slot, type.facet_count, kFacet);
  for (std::uint32_t i = 0; i < type.facet_count; ++i) {
    const evt_facet& facet = type.facets[i];
    const auto info = CapnpMessage::element(facets, i);
    message.set_u16(info, 0, facet.role);
    if (facet.field_count == 0) continue;
    const auto fields = message.set_struct_list(CapnpMessage::slot(info, 0), facet.field_count, kFacetField);
    for (std::uint32_t k = 0; k < facet.field_count; ++k) {
      const auto field = CapnpMessage::element(fields, k);
      message.set_u16(field, 0, facet.fields[k].field);
      message.set_u16(field, 2, facet.fields[k].role);
    }
  }
}

void append_event_type_info(Buffer& out, const evt_event_type& type) {
  CapnpMessage message(out);
  const auto root = message.root(is_short(type) ? kShortEventTypeInfo : kEventTypeInfo);
  message.set_u16(root, 0, type.role);
  set_fields(message, CapnpMessage::slot(root, 0), type);
  if (is_short(type)) return;
  set_facets(message, CapnpMessage::slot(root, 1), type);
  message.set_text(CapnpMessage::slot(root, 2), type.twin_of);
  if (has_source(type)) {
    const auto source = message.set_struct(CapnpMessage::slot(root, 3), kSource);
    message.set_u32(source, 0, type.source_line);
    message.set_text(CapnpMessage::slot(source, 0), type.source_file);
    message.set_text(CapnpMessage::slot(source, 1), type.source_function);
  }
  set_texts(message, CapnpMessage::slot(root, 4), type.tags, type.tag_count);
}

}  // namespace

void append_session(Buffer& out, const evt_session_info& given, std::int64_t start_ns) {
  const evt_session_info session = given.anonymous != 0 ? without_names(given) : given;
  const std::size_t start = out.size();
  const auto append_text = [&out](const char* text) { out.append(text, std::strlen(text)); };
  append_text("evtrace trace, format " EVT_FORMAT_NAME ", written by ");
  // The line ends at its newline, whatever the program's name contains.
  for (const char* c = text_or_empty(session.program); *c != '\0' && out.size() - start < 512; ++c) {
    const char printable = *c >= ' ' && *c <= '~' ? *c : '?';
    out.append(&printable, 1);
  }
  append_text("; described in FORMAT.md\n");
  out.extend(padding_after(out.size() - start));

  const std::size_t fixed_at = out.size();
  out.extend(EVT_SESSION_FIXED_SIZE);
  const std::size_t info_at = out.size();
  append_session_info(out, session);
  if (!out.ok()) return;
  std::uint8_t* const fixed = out.data() + fixed_at;
  evt_store_u16(fixed, EVT_SESSION_FIXED_SIZE);
  evt_store_u16(fixed + 2, EVT_FORMAT_MAJOR);
  evt_store_u16(fixed + 4, EVT_FORMAT_MINOR);
  evt_store_u64(fixed + 8, EVT_FORMAT_INCOMPAT);
  std::memcpy(fixed + 24, session.uuid, sizeof session.uuid);
  evt_store_u64(fixed + 40, static_cast<std::uint64_t>(session.start_utc_ns));
  evt_store_u64(fixed + 48, static_cast<std::uint64_t>(start_ns));
  evt_store_u32(fixed + 56, static_cast<std::uint32_t>(out.size() - info_at));
  evt_store_u16(fixed + 64, session.time_scale);
}

void append_clock(Buffer& out, const ClockRecord& clock, const evt_session_info& session) {
  static constexpr const char* kNames[] = {"", "CLOCK_MONOTONIC", "TSC", "CNTVCT_EL0", "other"};
  const std::size_t fixed_at = out.size();
  out.extend(EVT_CLOCK_FIXED_SIZE);
  const std::size_t info_at = out.size();
  {
    CapnpMessage message(out);
    const auto root = message.root(kClockInfo);
    message.set_text(CapnpMessage::slot(root, 0), clock.kind <= EVT_CLOCK_OTHER ? kNames[clock.kind] : "");
    if (session.anonymous == 0) {
      message.set_text(CapnpMessage::slot(root, 1), session.host);
      message.set_text(CapnpMessage::slot(root, 2), session.boot_id);
    }
  }
  if (!out.ok()) return;
  std::uint8_t* const fixed = out.data() + fixed_at;
  evt_store_u16(fixed, EVT_CLOCK_FIXED_SIZE);
  evt_store_u16(fixed + 2, clock.id);
  fixed[4] = clock.kind;
  evt_store_u64(fixed + 8, clock.hz);
  evt_store_u64(fixed + 16, clock.start_ticks);
  evt_store_u64(fixed + 24, static_cast<std::uint64_t>(clock.start_ns));
  evt_store_u64(fixed + 32, clock.tolerance_ns);
  evt_store_u32(fixed + 40, clock.hz_denominator);
  evt_store_u32(fixed + 44, static_cast<std::uint32_t>(out.size() - info_at));
}

void restart_clock(std::uint8_t* payload, std::uint16_t id, std::uint64_t start_ticks, std::int64_t start_ns) {
  evt_store_u16(payload + 2, id);
  evt_store_u64(payload + 16, start_ticks);
  evt_store_u64(payload + 24, static_cast<std::uint64_t>(start_ns));
}

void append_sync(Buffer& out, const SyncRecord& sync) {
  std::uint8_t* const p = out.extend(EVT_SYNC_FIXED_SIZE);
  if (p == nullptr) return;
  evt_store_u16(p, EVT_SYNC_FIXED_SIZE);
  evt_store_u16(p + 2, sync.clock_id);
  evt_store_u16(p + 4, sync.flags);
  evt_store_u64(p + 8, sync.ticks);
  evt_store_u64(p + 16, static_cast<std::uint64_t>(sync.ns));
  evt_store_u64(p + 24, static_cast<std::uint64_t>(sync.utc_ns));
  evt_store_u64(p + 32, sync.rows_before);
  evt_store_u64(p + 40, sync.lost_before);
  evt_store_u64(p + 48, sync.uncertainty_ns);
}

void append_trailer(Buffer& out, const TrailerRecord& trailer) {
  const std::uint16_t size = trailer.continued ? EVT_TRAILER_SEGMENT_SIZE : EVT_TRAILER_FIXED_SIZE;
  std::uint8_t* const p = out.extend(size);
  if (p == nullptr) return;
  evt_store_u16(p, size);
  evt_store_u64(p + 8, trailer.session_size);
  evt_store_u64(p + 16, trailer.index_distance);
  evt_store_u64(p + 24, trailer.rows);
  evt_store_u64(p + 32, trailer.lost);
  if (!trailer.continued) return;
  evt_store_u64(p + 40, trailer.rows_so_far);
  evt_store_u64(p + 48, trailer.lost_so_far);
}

void append_type_record(Buffer& out, const evt_event_type& type, std::uint32_t number) {
  const char* const name = text_or_empty(type.name);
  const char* const description = text_or_empty(type.description);
  const std::size_t name_size = std::strlen(name);
  const std::size_t description_size = shorten_at_character(description, std::strlen(description), 0xFFFF);

  const std::size_t start = out.size();
  out.extend(EVT_TYPE_RECORD_SIZE);
  out.append(name, name_size);
  out.append(description, description_size);
  const std::size_t extension_at = out.size();
  append_event_type_info(out, type);
  if (!out.ok()) return;
  std::uint8_t* const p = out.data() + start;
  evt_store_u32(p, static_cast<std::uint32_t>(out.size() - start));
  evt_store_u32(p + 4, number);
  evt_store_u16(p + 8, fixed_payload_size(type));
  evt_store_u16(p + 10, static_cast<std::uint16_t>(name_size));
  evt_store_u16(p + 12, static_cast<std::uint16_t>(description_size));
  evt_store_u32(p + 16, static_cast<std::uint32_t>(out.size() - extension_at));
}

void append_stream_record(Buffer& out, const evt_stream_info& stream) {
  const std::size_t start = out.size();
  out.extend(EVT_STREAM_RECORD_SIZE);
  {
    CapnpMessage message(out);
    const auto root = message.root(kStreamInfo);
    message.set_u64(root, 0, stream.thread);
    message.set_u64(root, 8, stream.process);
    message.set_text(CapnpMessage::slot(root, 0), stream.name);
  }
  if (!out.ok()) return;
  evt_store_u32(out.data() + start, static_cast<std::uint32_t>(out.size() - start));
  evt_store_u32(out.data() + start + 4, stream.id);
}

void append_string_record(Buffer& out, std::uint32_t id, const void* text, std::uint32_t size) {
  out.append_u32(id);
  out.append_u32(size);
  out.append(text, size);
}

void append_fact_record(Buffer& out, const evt_fact_info& fact) {
  std::uint8_t* const p = out.extend(EVT_FACT_RECORD_SIZE);
  if (p == nullptr) return;
  evt_store_u32(p, static_cast<std::uint32_t>(EVT_FACT_RECORD_SIZE + fact.key_size + fact.value_size));
  evt_store_u16(p + 4, fact.scope);
  evt_store_u16(p + 6, static_cast<std::uint16_t>(fact.key_size));
  evt_store_u64(p + 8, fact.id);
  evt_store_u64(p + 16, static_cast<std::uint64_t>(fact.ns));
  evt_store_u32(p + 24, static_cast<std::uint32_t>(fact.value_size));
  out.append(fact.key, fact.key_size);
  out.append(fact.value, fact.value_size);
}

std::uint16_t fixed_payload_size(const evt_event_type& type) {
  std::uint64_t total = 0;
  for (std::uint32_t i = 0; i < type.field_count; ++i) {
    if (type.fields[i].shape != EVT_SHAPE_FIXED) return EVT_SIZE_VARIABLE;
    total += type.fields[i].width;
  }
  return total < EVT_SIZE_VARIABLE ? static_cast<std::uint16_t>(total) : std::uint16_t{EVT_SIZE_VARIABLE};
}

}  // namespace evt
