#include "imported_types.h"

#include <evt/format.h>

#include "format-spec/src/session/metadata_records.h"
#include "libtrace-read/core/src/base/record_list.h"

namespace evt {
namespace {

std::string record_of(const evt_event_type& type, std::uint32_t number) {
  Buffer record;
  append_type_record(record, type, number);
  return {reinterpret_cast<const char*>(record.data()), record.size()};
}

}  // namespace

std::uint32_t ImportedTypes::add(evt_event_type type) {
  const std::string record = record_of(type, 0);
  const auto before = numbers_.find(record);
  if (before != numbers_.end()) return before->second;
  if (records_.size() == kMax || size_ + record.size() > kMaxSize) return 0;
  size_ += record.size();
  std::string name = type.name;
  for (std::uint32_t& count = names_[type.name];;) {
    if (++count > 1) name = type.name + ("." + std::to_string(count));
    if (count == 1 || names_.find(name) == names_.end()) break;
  }
  names_.try_emplace(name, 1);
  type.name = name.c_str();
  const auto number = static_cast<std::uint32_t>(EVT_TYPE_FIRST_FREE + records_.size());
  numbers_.emplace(record, number);
  records_.push_back(record_of(type, number));
  return number;
}

void ImportedTypes::put(const std::function<void(std::span<const std::byte>)>& put) const {
  RecordList list;
  for (const std::string& record : records_) {
    list.next().append(record.data(), record.size());
    if (list.is_full()) list.put(put);
  }
  list.put(put);
}

}  // namespace evt
