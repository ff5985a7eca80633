#include "log_type.h"

#include <algorithm>
#include <cctype>
#include <deque>

#include "format-spec/src/session/metadata_records.h"

namespace evt::eventlog {
namespace {

constexpr std::size_t kMaxName = 64;
// Numbers from here on belong to the format.
constexpr std::uint32_t kFirst = EVT_TYPE_FIRST_FREE;

// A name made from a description: its words, in lower case.
std::string name_of(const std::string& description, std::uint16_t id) {
  std::string name;
  for (const char c : description) {
    if (name.size() == kMaxName) break;
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return "eventlog." + (name.empty() ? "type_" + std::to_string(id) : name);
}

std::size_t size_in(FieldForm form, std::uint8_t thread_size) {
  return form == FieldForm::kThread ? thread_size : size_of(form);
}

bool takes_all(FieldForm form) {
  return form == FieldForm::kText || form == FieldForm::kBytes || form == FieldForm::kTextsZ;
}

// The row's field for a field of a log.
evt_field field_of(const KnownField& known, std::uint8_t thread_size) {
  evt_field field = {};
  field.name = known.name;
  field.role = static_cast<std::uint16_t>(known.role);
  field.unit = static_cast<std::uint16_t>(known.unit);
  field.kind = EVT_KIND_TEXT;
  field.shape = EVT_SHAPE_COUNTED16;
  switch (known.form) {
    case FieldForm::kTime:
      field.kind = EVT_KIND_TICKS;
      field.shape = EVT_SHAPE_FIXED;
      field.width = 8;
      break;
    case FieldForm::kBytes:
      field.kind = EVT_KIND_BYTES;
      break;
    case FieldForm::kTextsZ:
      field.shape = EVT_SHAPE_LIST;
      break;
    case FieldForm::kStack:
      field.kind = EVT_KIND_UNSIGNED;
      field.shape = EVT_SHAPE_ARRAY;
      field.width = 4;
      break;
    default:
      if (known.form >= FieldForm::kText) break;
      field.kind = EVT_KIND_UNSIGNED;
      field.shape = EVT_SHAPE_FIXED;
      field.width = static_cast<std::uint32_t>(size_in(known.form, thread_size));
  }
  return field;
}

std::uint8_t* put_counted(std::uint8_t* out, const std::uint8_t* bytes, std::size_t size) {
  evt_store_u16(out, static_cast<std::uint16_t>(size));
  if (size > 0) std::memcpy(out + 2, bytes, size);
  return out + 2 + size;
}

// The length of a text that ends at a zero, or at the end.
std::size_t length_of(const std::uint8_t* p, const std::uint8_t* end) {
  return static_cast<std::size_t>(std::find(p, end, 0) - p);
}

std::uint8_t* put_texts(std::uint8_t* out, const std::uint8_t* p, const std::uint8_t* end) {
  std::uint8_t* const count_at = out;
  std::uint16_t count = 0;
  out += 2;
  while (p < end && count < UINT16_MAX) {
    const std::size_t length = length_of(p, end);
    out = put_counted(out, p, length);
    ++count;
    p += std::min<std::size_t>(length + 1, static_cast<std::size_t>(end - p));
  }
  evt_store_u16(count_at, count);
  return out;
}

bool tells_of_a_session(std::uint16_t id) {
  return id == kRtsIdentifier || id == kProgramInvocation || id == kProgramArguments || id == kProcessId ||
         id == kWallClockTime;
}

}  // namespace

LogType::LogType(std::uint32_t place, std::uint16_t id, bool variable, std::uint16_t size, std::string description,
                 std::uint8_t thread_size)
    : id_(id),
      size_(size),
      variable_(variable),
      number_(kFirst + id < EVT_TYPE_FIRST_RESERVED ? kFirst + id : 0x10000u + id),
      place_(place),
      thread_size_(thread_size),
      description_(std::move(description)),
      known_(find_known_type(id, variable, size, description_)) {
  name_ = known_ != nullptr ? known_->name : name_of(description_, id);
  add_steps(thread_size);
  only_numbers_ = !variable && rest_ == 0;
  tells_of_session_ = known_ != nullptr && tells_of_a_session(known_->id);
}

// Logs of older versions have fewer fields, those of later ones may have more bytes: these are copied unchanged.
void LogType::add_steps(std::uint8_t thread_size) {
  if (known_ != nullptr) {
    std::size_t at = 0;
    for (const KnownField& field : known_->known_fields()) {
      const std::size_t size = size_in(field.form, thread_size);
      if (!variable_ && at + size > size_) break;
      at += size;
      steps_.push_back({field.form, static_cast<std::uint16_t>(size)});
      ++known_fields_;
    }
    rest_ = variable_ ? 0 : size_ - at;
  } else {
    rest_ = variable_ ? 0 : size_;
  }
}

// A later version may have added bytes after the known fields.
bool LogType::has_rest() const {
  if (!variable_) return rest_ > 0;
  return steps_.empty() || !takes_all(steps_.back().form);
}

void LogType::append_record(Buffer& out, std::string_view runtime) const {
  std::vector<evt_field> fields;
  std::deque<std::vector<evt_label>> labels;
  for (std::size_t i = 0; i < known_fields_; ++i) {
    const KnownField& known = known_->fields[i];
    evt_field& field = fields.emplace_back(field_of(known, thread_size_));
    const bool is_stop = known_->role == Role::kThreadStop && known.role == Role::kReason;
    const std::span<const Label> texts = is_stop ? stop_labels(runtime) : labels_of(*known_, known.name);
    if (texts.empty()) continue;
    std::vector<evt_label>& own = labels.emplace_back();
    for (const Label& label : texts) own.push_back({label.value, label.text});
    field.kind = EVT_KIND_ENUMERATION;
    field.label_count = static_cast<std::uint32_t>(own.size());
    field.labels = own.data();
  }
  if (has_rest()) {
    evt_field rest = EVT_FIELD_BYTES(known_ != nullptr ? "more" : "payload");
    if (!variable_) rest.shape = EVT_SHAPE_FIXED, rest.width = static_cast<std::uint32_t>(rest_);
    fields.push_back(rest);
  }
  evt_event_type type = {};
  type.name = name_.c_str();
  type.description = description_.c_str();
  type.role = known_ != nullptr ? static_cast<std::uint16_t>(known_->role) : std::uint16_t{EVT_ROLE_NONE};
  type.field_count = static_cast<std::uint32_t>(fields.size());
  type.fields = fields.data();
  append_type_record(out, type, number());
}

// A payload that ends before its last field makes such a row.
std::uint8_t* LogType::translate_any(const std::uint8_t* payload, std::size_t size, std::uint8_t* out) const {
  const std::uint8_t* p = payload;
  const std::uint8_t* const end = payload + size;
  for (const Step& step : steps_) {
    const auto left = static_cast<std::size_t>(end - p);
    if (left < step.size) return out;
    switch (step.form) {
      case FieldForm::kU8:
        *out++ = *p;
        break;
      case FieldForm::kU16:
        evt_store_u16(out, load_u16(p));
        out += 2;
        break;
      case FieldForm::kU32:
        evt_store_u32(out, load_u32(p));
        out += 4;
        break;
      case FieldForm::kThread:
        if (step.size == 4) {
          evt_store_u32(out, load_u32(p));
        } else {
          evt_store_u64(out, load_u64(p));
        }
        out += step.size;
        break;
      case FieldForm::kU64:
      case FieldForm::kTime:
        evt_store_u64(out, load_u64(p));
        out += 8;
        break;
      case FieldForm::kText:
      case FieldForm::kBytes:
        out = put_counted(out, p, left);
        p = end;
        break;
      case FieldForm::kTextBut4:
        out = put_counted(out, p, left < 4 ? left : left - 4);
        p = left < 4 ? end : end - 4;
        break;
      case FieldForm::kTextZ: {
        if (left == 0) return out;
        const std::size_t length = length_of(p, end);
        out = put_counted(out, p, length);
        p += std::min(length + 1, left);
        break;
      }
      case FieldForm::kTextsZ:
        out = put_texts(out, p, end);
        p = end;
        break;
      case FieldForm::kStack: {
        const std::size_t count = std::min<std::size_t>(*p, (left - 1) / 4);
        evt_store_u16(out, static_cast<std::uint16_t>(count));
        out += 2;
        for (std::size_t i = 0; i < count; ++i, out += 4) evt_store_u32(out, load_u32(p + 1 + 4 * i));
        p += 1 + 4 * count;
        continue;
      }
      case FieldForm::kNone:
        break;
    }
    p += step.size;
  }
  const auto left = static_cast<std::size_t>(end - p);
  if (!variable_) {
    std::memcpy(out, p, left);
    return out + left;
  }
  return left > 0 || known_ == nullptr ? put_counted(out, p, left) : out;
}

}  // namespace evt::eventlog
