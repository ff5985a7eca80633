#include "cut_words.h"

#include <algorithm>

#include "described_type.h"

namespace evt {
namespace {

constexpr std::size_t kMostOfBlock = 4 << 20;  // bytes of records in one block of them, but for one record

}  // namespace

CutWords::CutWords(const Session& session, TraceOutput& out) : session_(session), out_(out) {
  for (const EventType& type : session.types) {
    types_[type.number()] = &type;
    numbers_.insert(type.number());
    const bool has_text = std::any_of(type.fields().begin(), type.fields().end(), [](const Field& field) {
      return field.known() && field.kind == Kind::kInterned;
    });
    if (has_text) texts_[type.number()] = &type;
  }
}

void CutWords::use_stream(std::uint32_t id) {
  if (!streams_.insert(id).second) return;
  const StreamInfo* const stream = session_.stream(id);
  if (stream == nullptr || !stream->declared) return;
  evt_stream_info info = {};
  info.name = stream->name.c_str();
  info.id = id;
  info.thread = stream->thread;
  info.process = stream->process;
  if (stream_count_++ == 0) stream_records_.append_u32(0);
  append_stream_record(stream_records_, info);
}

void CutWords::use_type(std::uint32_t number) {
  const auto found = types_.find(number);
  if (found == types_.end()) return;
  const EventType& type = *found->second;
  DescribedType described;
  described.take(type.fields(), type.role());
  if (type_count_++ == 0) type_records_.append_u32(0);
  append_type_record(type_records_, described.as(name_for_encoder(type.name()).c_str(), type.description().c_str()),
                     number);
  types_.erase(found);
}

void CutWords::use_texts(std::uint32_t number, Bytes fields) {
  const auto found = texts_.find(number);
  if (found == texts_.end()) return;
  FieldWalker walker(found->second->fields(), fields);
  while (const auto value = walker.next()) {
    if (value->kind() != Kind::kInterned) continue;
    for (std::size_t i = 0; i + sizeof(std::uint32_t) <= value->bytes().size(); i += sizeof(std::uint32_t)) {
      const std::uint32_t id = evt_load_u32(value->bytes().data() + i);
      const auto text = session_.strings.find(id);
      if (text == session_.strings.end() || !strings_.insert(id).second) continue;
      if (string_records_.size() >= kMostOfBlock) end(string_records_, &string_count_, EVT_BLOCK_STRINGS);
      if (string_count_++ == 0) string_records_.append_u32(0);
      append_string_record(string_records_, id, text->second.data(), static_cast<std::uint32_t>(text->second.size()));
    }
  }
}

void CutWords::put() {
  end(type_records_, &type_count_, EVT_BLOCK_TYPES);
  end(stream_records_, &stream_count_, EVT_BLOCK_STREAMS);
  end(string_records_, &string_count_, EVT_BLOCK_STRINGS);
}

void CutWords::end(Buffer& records, std::uint32_t* count, std::uint16_t type) {
  if (*count == 0) return;
  if (records.ok()) {
    evt_store_u32(records.data(), *count);
    out_.add_metadata(type, records);
  }
  records.clear();
  *count = 0;
}

std::uint32_t CutWords::add_type(const std::string& name, const std::string& description, const EventType* like,
                                 const evt_field& last) {
  while (numbers_.contains(next_number_)) {
    next_number_ = next_number_ + 1 == EVT_ROW_TIME_BASE ? 0x10000 : next_number_ + 1;
  }
  const std::uint32_t number = next_number_;
  numbers_.insert(number);
  DescribedType type;
  if (like != nullptr) type.take(like->fields(), like->role());
  type.fields.push_back(last);
  if (type_count_++ == 0) type_records_.append_u32(0);
  append_type_record(type_records_,
                     type.as(name_for_encoder(name.substr(0, EVT_MAX_TYPE_NAME)).c_str(), description.c_str()), number);
  return number;
}

}  // namespace evt
