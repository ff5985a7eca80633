#include "metadata_reader.h"

#include <evt/describe.h>
#include <fmt/core.h>

#include <algorithm>

#include "libtrace-read/core/src/base/cursor.h"
#include "libtrace-read/core/src/base/messages.h"
#include "libtrace-read/core/src/event/interned_fields.h"
#include "libtrace-read/core/src/event/same_meaning.h"

namespace evt {
namespace {

// Why two lists do not describe the same rows with the same meaning, which they do if one begins with all of the other.
// Empty: they do. Texts of fields do not matter.
std::string difference(const std::vector<Field>& known, const std::vector<Field>& again) {
  for (std::size_t i = 0; i < std::min(known.size(), again.size()); ++i) {
    const Field& a = known[i];
    const Field& b = again[i];
    if (a.name != b.name) return fmt::format("its field {} was {}, not {}", i + 1, a.name, b.name);
    const char* const what = a.kind != b.kind                           ? "kind"
                             : a.shape != b.shape || a.width != b.width ? "shape"
                             : a.role != b.role                         ? "role"
                             : a.unit != b.unit                         ? "unit"
                             : !same_meaning(a, b)                      ? "meaning"
                                                                        : nullptr;
    if (what != nullptr) return fmt::format("its field {} had another {}", a.name, what);
  }
  return "";
}

// Why this version cannot read a session; empty if it can.
std::string why_not_known(const Session& session, std::uint64_t incompat, std::uint16_t fixed_size, bool reads_drafts) {
  if (session.major > EVT_FORMAT_MAJOR) {
    return fmt::format("was written in format {}.{}, newer than {}", session.major, session.minor, EVT_FORMAT_NAME);
  }
  if ((incompat & ~EVT_INCOMPAT_DRAFT) != 0) {
    return fmt::format("uses features of a later format than {}", EVT_FORMAT_NAME);
  }
  if (session.draft && !reads_drafts) {
    return fmt::format("was written in a draft of format {}: evt convert --rows or --columns makes a trace of it",
                       EVT_FORMAT_NAME);
  }
  if (fixed_size < EVT_SESSION_FIXED_SIZE) return "was written in a draft from before 1.0-candidate";
  return "";
}

}  // namespace

void MetadataReader::read(const Block& block, Bytes payload, SessionData& to) {
  now_ = &to;
  payload_ = payload;
  switch (block.header.type) {
    case EVT_BLOCK_SESSION:
      return add_session(block);
    case EVT_BLOCK_CLOCK:
      return add_clock(block);
    case EVT_BLOCK_TYPES:
      return add_records(block, EVT_TYPE_RECORD_SIZE, "TYPES", &MetadataReader::add_type);
    case EVT_BLOCK_STREAMS:
      return add_records(block, EVT_STREAM_RECORD_SIZE, "STREAMS", &MetadataReader::add_stream);
    case EVT_BLOCK_STRINGS:
      return add_strings(block);
    case EVT_BLOCK_FACTS:
      return add_records(block, EVT_FACT_RECORD_SIZE, "FACTS", &MetadataReader::add_fact);
    default:
      return add_sync(block);
  }
}

void MetadataReader::add_session(const Block& block) {
  Session& session = *now_->session;
  if (session.declared) return;  // a repeat
  Cursor in(payload_);
  const std::string_view text(reinterpret_cast<const char*>(payload_.data()), payload_.size());
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos) return ledger_.add(block, "a SESSION block without its first line");
  in.bytes((line + 1 + EVT_ALIGNMENT - 1) / EVT_ALIGNMENT * EVT_ALIGNMENT);
  const Bytes fixed_part = in.rest();
  const std::uint16_t fixed_size = in.u16();
  session.major = in.u16();
  session.minor = in.u16();
  in.u16();
  const std::uint64_t incompat = in.u64();
  in.u64();
  const std::string_view uuid = in.text(session.uuid.size());
  session.start_utc_ns = in.i64();
  session.start_ns = in.i64();
  const std::uint32_t info_size = in.u32();
  in.u32();
  session.draft = (incompat & EVT_INCOMPAT_DRAFT) != 0;
  const bool is_short = !in.ok() || fixed_size < EVT_SESSION_FIXED_SIZE_OF_DRAFTS;
  if (is_short || fixed_size > fixed_part.size()) return ledger_.add(block, "a SESSION block that is too short");
  if (const std::string why = why_not_known(session, incompat, fixed_size, reads_drafts_); !why.empty()) {
    other_version_ = why;
    session.abandoned = true;
    now_->is_refused = true;
    return;
  }
  session.time_scale = in.u16();
  if (!in.ok()) return ledger_.add(block, "a SESSION block that is too short");
  session.declared = true;
  std::copy(uuid.begin(), uuid.end(), session.uuid.begin());
  if (evt_session_id(session.uuid.data()) != now_->id) {
    ledger_.add({block.offset, 0,
                 fmt::format("a SESSION block of session {:016x} has the uuid of session {:016x}", now_->id,
                             evt_session_id(session.uuid.data()))});
  }
  Cursor message(fixed_part);
  message.bytes(fixed_size);
  const Bytes info = message.bytes(info_size);
  if (!message.ok() || !read_session_info(info, &session))
    ledger_.add(block, "the message of a SESSION block cannot be read");
}

void MetadataReader::add_clock(const Block& block) {
  Cursor in(payload_);
  ClockInfo clock;
  const std::uint16_t fixed_size = in.u16();
  clock.id = in.u16();
  clock.kind = in.u8();
  in.bytes(3);
  clock.hz = in.u64();
  clock.start_ticks = in.u64();
  clock.start_ns = in.i64();
  clock.tolerance_ns = in.u64();
  clock.hz_denominator = std::max(in.u32(), 1u);
  const std::uint32_t info_size = in.u32();
  if (!in.ok() || fixed_size < EVT_CLOCK_FIXED_SIZE || fixed_size > payload_.size()) {
    return ledger_.add(block, "a CLOCK block that is too short");
  }
  Cursor message(payload_);
  message.bytes(fixed_size);
  const Bytes info = message.bytes(info_size);
  if (const auto place = now_->clock_places.find(clock.id); place != now_->clock_places.end()) {
    const ClockInfo& known = now_->session->clocks[place->second];
    if (known.hz != clock.hz || known.hz_denominator != clock.hz_denominator ||
        known.start_ticks != clock.start_ticks || known.start_ns != clock.start_ns) {
      ledger_.add(block, fmt::format("clock {} again, with another rate or start", clock.id));
    } else if (known.kind != clock.kind || known.tolerance_ns != clock.tolerance_ns) {
      ledger_.add(block, fmt::format("clock {} again, with another kind or tolerance", clock.id));
    }
    return;
  }
  if (!message.ok() || !read_clock_info(info, &clock))
    ledger_.add(block, "the message of a CLOCK block cannot be read");
  now_->clock_places[clock.id] = now_->session->clocks.size();
  now_->session->clocks.push_back(std::move(clock));
}

void MetadataReader::add_sync(const Block& block) {
  Cursor in(payload_);
  const std::uint16_t fixed_size = in.u16();
  const std::uint16_t clock_id = in.u16();
  const std::uint16_t flags = in.u16();
  in.u16();
  const std::uint64_t ticks = in.u64();
  const std::int64_t ns = in.i64();
  const std::int64_t utc_ns = in.i64();
  const std::uint64_t rows_before = in.u64();
  const std::uint64_t lost_before = in.u64();
  const std::uint64_t uncertainty_ns = in.u64();
  if (!in.ok() || fixed_size < EVT_SYNC_FIXED_SIZE || fixed_size > payload_.size()) {
    return ledger_.add(block, "a SYNC block that is too short");
  }
  // After the segment that has the original, a copy adds nothing.
  const auto is_known = [&](const SessionData::Sync& sync) { return sync.clock_id == clock_id && sync.ticks >= ticks; };
  if ((flags & EVT_SYNC_COPY) != 0 && std::any_of(now_->syncs.rbegin(), now_->syncs.rend(), is_known)) return;
  now_->syncs.push_back({clock_id, ticks, ns, utc_ns, uncertainty_ns, (flags & EVT_SYNC_NO_ANCHOR) == 0});
  now_->count_gone(block, rows_before, lost_before);
}

void MetadataReader::add_records(const Block& block, std::size_t least_size, const char* of, AddRecord add) {
  Cursor in(payload_);
  const std::uint32_t count = in.u32();
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
    Cursor peek(in.rest());
    const std::uint32_t size = peek.u32();
    const Bytes record = in.bytes(size);
    if (!in.ok() || size < least_size) {
      return ledger_.add(block, fmt::format("a {} record that does not fit its block", of));
    }
    (this->*add)(block, record);
  }
}

void MetadataReader::add_type(const Block& block, Bytes record) {
  Cursor in(record);
  in.u32();
  const std::uint32_t number = in.u32();
  const std::uint16_t size = in.u16();
  const std::uint16_t name_size = in.u16();
  const std::uint16_t description_size = in.u16();
  in.u16();
  const std::uint32_t extension_size = in.u32();
  const std::string name(in.text(name_size));
  const std::string description(in.text(description_size));
  const Bytes extension = in.bytes(extension_size);
  const bool reserved = number == 0 || (number >= EVT_TYPE_FIRST_RESERVED && number <= 0xFFFF);
  if (!in.ok() || name.empty() || name.size() > EVT_MAX_TYPE_NAME || reserved) {
    return ledger_.add(block, fmt::format("the record of event type {} makes no sense", number));
  }
  EventType type(name, number);
  type.description_ = description;
  type.declared_ = true;
  type.declared_size_ = size;
  std::string why_not;
  if (!read_event_type_info(extension, &type.role_, &type.fields_, &type.meaning_)) {
    why_not = fmt::format("the fields of event type {} cannot be read", name);
  } else if (type.fields_.size() > EVT_MAX_FIELDS) {
    why_not = fmt::format("event type {} has more than {} fields", name, std::size_t{EVT_MAX_FIELDS});
  }
  if (!why_not.empty()) {
    ledger_.add(block, why_not);
    type.role_ = Role::kNone;
    type.fields_.clear();  // fields before the unreadable part may be as wrong
    type.meaning_ = {};
  }
  type.find_role_fields();
  type.make_facet_types();
  EventType* const known = now_->types.find(number);
  if (known == nullptr) {
    std::vector<EventType>& all = now_->session->types;
    const bool will_move = all.size() == all.capacity();
    all.push_back(std::move(type));
    for (auto moved = will_move ? all.begin() : all.end() - 1; moved != all.end(); ++moved) {
      now_->types.add(&*moved, moved->number());
    }
    return;
  }
  if (known->name_ != name) {
    return ledger_.add(block, fmt::format("event type {} again, as {}: it was {}", number, name, known->name_));
  }
  if (known->role_ != type.role_ || known->meaning_.facets != type.meaning_.facets)
    return ledger_.add(block, fmt::format("event type {} again: it had another role", name));
  if (const std::string what = difference(known->fields_, type.fields_); !what.empty()) {
    return ledger_.add(block, fmt::format("event type {} again: {}", name, what));
  }
  if (type.fields_.size() > known->fields_.size()) {
    const auto behind = type.fields_.begin() + static_cast<std::ptrdiff_t>(known->fields_.size());
    known->fields_.insert(known->fields_.end(), std::make_move_iterator(behind),
                          std::make_move_iterator(type.fields_.end()));
    known->declared_size_ = size;
    known->find_role_fields();
    known->make_facet_types();
  }
}

void MetadataReader::add_stream(const Block& block, Bytes record) {
  Cursor in(record);
  in.u32();
  const std::uint32_t id = in.u32();
  if (id == 0) {
    return ledger_.add(block, "a description of stream 0, which no stream is called");
  }
  StreamInfo info;
  info.id = id;
  info.declared = true;
  if (!read_stream_info(record.subspan(EVT_STREAM_RECORD_SIZE), &info)) {
    ledger_.add(block, fmt::format("the description of stream {} cannot be read", id));
  }
  StreamInfo& known = *now_->stream(id).info;
  if (!known.declared) {
    known.name = info.name;
    known.declared_name = std::move(info.name);
    known.thread = info.thread;
    known.process = info.process;
    known.declared = true;
  } else if (known.declared_name != info.name || known.thread != info.thread || known.process != info.process) {
    ledger_.add(block, fmt::format("stream {} again, with another description", id));
  }
}

void MetadataReader::add_strings(const Block& block) {
  Cursor in(payload_);
  const std::uint32_t count = in.u32();
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
    const std::uint32_t id = in.u32();
    const std::uint32_t size = in.u32();
    const std::string_view text = in.text(size);
    if (!in.ok()) return ledger_.add(block, "a STRINGS record that does not fit its block");
    if (size > EVT_MAX_STRING) {
      ledger_.add(block, fmt::format("string {} has {} bytes, more than {}", id, size, std::size_t{EVT_MAX_STRING}));
      continue;
    }
    if (id == 0) {
      if (size > 0) ledger_.add(block, "a text for string 0, which is the empty one");
      continue;
    }
    const auto [known, added] = now_->session->strings.try_emplace(id, text);
    if (!added && known->second != text) ledger_.add(block, fmt::format("string {} again, with another text", id));
    if (added && row_in(text)) now_->string_rows[id] = block.offset;
  }
}

// The last one for a scope, id and key counts. A later version's scopes are skipped.
void MetadataReader::add_fact(const Block& block, Bytes record) {
  Cursor in(record);
  in.u32();
  const std::uint16_t scope = in.u16();
  const std::uint16_t key_size = in.u16();
  const std::uint64_t id = in.u64();
  const std::int64_t ns = in.i64();
  const std::uint32_t value_size = in.u32();
  in.u32();
  if (scope < EVT_FACT_SCOPE_SESSION || scope > EVT_FACT_SCOPE_PART) return;
  const std::string_view key = in.text(key_size);
  const std::string_view value = in.text(value_size);
  if (!in.ok() || key.empty() || key.size() > EVT_MAX_FACT_KEY || value.size() > EVT_MAX_FACT_VALUE) {
    return ledger_.add(block, "a fact whose key or value makes no sense");
  }
  const std::uint64_t thing = scope == EVT_FACT_SCOPE_SESSION ? 0 : id;
  now_->facts.insert_or_assign({scope, thing, std::string(key)}, SessionData::FactValue{std::string(value), ns});
}

}  // namespace evt
