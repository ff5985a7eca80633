#include "used_metadata.h"

#include <evt/described_type.h>

#include <algorithm>

#include "anonymous.h"
#include "fact_description.h"
#include "libtrace-read/core/src/event/interned_fields.h"

namespace evt {
UsedMetadata::UsedMetadata(const Session& session, bool anonymous, TraceOutput& out)
    : session_(session), facts_(anonymous ? std::span<const Fact>() : session.facts), anonymous_(anonymous), out_(out) {
  for (const EventType& type : session.types) {
    types_[type.number()] = &type;
    numbers_.insert(type.number());
    if (has_interned(type)) texts_[type.number()] = &type;
  }
}

void UsedMetadata::use_all() {
  use_other_facts();
  for (const EventType& type : session_.types) use_type(type.number());
  for (const StreamInfo& stream : session_.streams) use_stream(stream.id);
  if (anonymous_) return;  // rows will use those that are not left out
  std::vector<std::uint32_t> texts;
  for (const auto& [id, text] : session_.strings) texts.push_back(id);
  std::sort(texts.begin(), texts.end());
  for (const std::uint32_t id : texts) use_text(id);
}

void UsedMetadata::use_other_facts() {
  for (const Fact& fact : facts_) {
    if (fact.scope != EVT_FACT_SCOPE_STREAM && fact.scope != EVT_FACT_SCOPE_TYPE) add_fact(fact);
  }
}

void UsedMetadata::add_fact(const Fact& fact) {
  append_fact_record(fact_records_.next(), to_message(fact, session_.start_ns));
  if (fact_records_.is_full()) put(fact_records_, EVT_BLOCK_FACTS);
}

void UsedMetadata::use_facts(std::uint16_t scope, std::uint32_t id) {
  const auto is_before = [](const Fact& fact, std::pair<std::uint16_t, std::uint64_t> of) {
    return std::pair(fact.scope, fact.id) < of;
  };
  for (auto fact = std::lower_bound(facts_.begin(), facts_.end(), std::pair<std::uint16_t, std::uint64_t>(scope, id),
                                    is_before);
       fact != facts_.end() && fact->scope == scope && fact->id == id; ++fact) {
    add_fact(*fact);
  }
}

void UsedMetadata::use_stream(std::uint32_t id) {
  if (!streams_.insert(id).second) return;
  use_facts(EVT_FACT_SCOPE_STREAM, id);
  const StreamInfo* const stream = session_.stream(id);
  if (stream == nullptr || !stream->declared) return;
  evt_stream_info info = {};
  info.name = stream->declared_name.c_str();
  info.id = id;
  info.thread = stream->thread;
  info.process = stream->process;
  append_stream_record(stream_records_.next(), info);
}

void UsedMetadata::use_type(std::uint32_t number) {
  if (!used_types_.insert(number).second) return;
  use_facts(EVT_FACT_SCOPE_TYPE, number);
  const auto found = types_.find(number);
  if (found == types_.end()) return;
  const EventType& type = *found->second;
  DescribedType described;
  described.take(type.fields(), type.role());
  TypeMeaning meaning = type.meaning();
  if (anonymous_) meaning.source_file = meaning.source_function = "";
  if (anonymous_) meaning.source_line = 0;
  described.take(meaning);
  append_type_record(type_records_.next(),
                     described.as(name_for_encoder(type.name()).c_str(), type.description().c_str()), number);
}

void UsedMetadata::use_texts(std::uint32_t number, Bytes fields) {
  const auto found = texts_.find(number);
  if (found == texts_.end()) return;
  const EventType& type = *found->second;
  for_each_interned(type, fields, [&](const std::byte* at, const Field& field) {
    if (!anonymous_ || !names_code(type, field)) use_text(evt_load_u32(at));
  });
}

void UsedMetadata::use_text(std::uint32_t id) {
  const auto text = session_.strings.find(id);
  if (text == session_.strings.end() || !strings_.insert(id).second) return;
  const auto row = row_in(text->second);
  const auto type = row ? types_.find(row->number()) : types_.end();
  if (anonymous_ && type != types_.end() && states_code(*type->second)) return;
  append_string_record(string_records_.next(), id, text->second.data(),
                       static_cast<std::uint32_t>(text->second.size()));
  if (string_records_.is_full()) put(string_records_, EVT_BLOCK_STRINGS);
  if (!row) return;
  use_type(row->number());
  use_texts(*row);
}

void UsedMetadata::put() {
  put(type_records_, EVT_BLOCK_TYPES);
  put(stream_records_, EVT_BLOCK_STREAMS);
  put(string_records_, EVT_BLOCK_STRINGS);
  put(fact_records_, EVT_BLOCK_FACTS);
}

void UsedMetadata::put(RecordList& records, std::uint16_t type) {
  records.put([&](Bytes payload) { out_.add_metadata(type, payload); });
}

std::uint32_t UsedMetadata::add_type(const std::string& name, const std::string& description, const EventType* like,
                                     const std::string& twin_of, const evt_field& last) {
  while (numbers_.contains(next_number_)) {
    next_number_ = next_number_ + 1 == EVT_ROW_TIME_BASE ? 0x10000 : next_number_ + 1;
  }
  const std::uint32_t number = next_number_;
  numbers_.insert(number);
  const std::string short_name = name_for_encoder(name).substr(0, EVT_MAX_TYPE_NAME);
  TypeMeaning meaning;
  if (like != nullptr) meaning.facets = like->meaning().facets;
  meaning.twin_of = twin_of == name ? short_name : name_for_encoder(twin_of);
  DescribedType type;
  if (like != nullptr) type.take(like->fields(), like->role());
  type.take(meaning);
  type.add(last);
  append_type_record(type_records_.next(), type.as(short_name.c_str(), description.c_str()), number);
  return number;
}

}  // namespace evt
