#include "field_reader.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace evt::ctf {
namespace {

void append(std::string* out, std::string_view text) {
  *out += text.substr(0, FieldReader::kMaxText - std::min(out->size(), FieldReader::kMaxText));
}

bool append_number(FieldReader* reader, const FieldClass& field, std::string* out) {
  std::uint64_t number = 0;
  if (!reader->number(field, &number)) return false;
  if (field.kind == FieldKind::kBool) {
    append(out, number != 0 ? "true" : "false");
  } else if (field.kind == FieldKind::kBits) {
    append(out, fmt::format("{:#x}", number));
  } else {
    append(out, field.is_signed ? fmt::format("{}", static_cast<std::int64_t>(number)) : fmt::format("{}", number));
  }
  return true;
}

bool append_real(FieldReader* reader, const FieldClass& field, std::string* out) {
  std::uint64_t bits = 0;
  if (!reader->real(field, &bits)) return false;
  append(out, field.bits == 32 ? fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                               : fmt::format("{}", std::bit_cast<double>(bits)));
  return true;
}

bool append_elements(FieldReader* reader, const FieldClass& array, bool is_tsdl, std::string* out) {
  std::uint64_t count = 0;
  if (!reader->begin(array) || !reader->length(array, &count)) return false;
  append(out, "[");
  bool is_first = true;
  const bool is_whole = reader->elements(count, [&] {
    if (!is_first) append(out, ", ");
    is_first = false;
    return append_text(reader, *array.element, is_tsdl, out);
  });
  append(out, "]");
  return is_whole;
}

}  // namespace

void FieldReader::begin_packet() {
  roles_ = {};
  ticks_.reset();
  empty_ = 0;
}

// The lowest bits of a clock belong to a time that is later than the one before.
void FieldReader::set_ticks(std::uint64_t number, std::uint32_t bits) {
  if (bits >= 64) {
    ticks_ = number;
    return;
  }
  const std::uint64_t before = ticks_.value_or(0);
  const std::uint64_t all = std::uint64_t{1} << bits;
  std::uint64_t next = (before & ~(all - 1)) | number;
  if (next < before) next += all;
  ticks_ = next;
}

void FieldReader::take(const FieldClass& field, std::uint64_t number) {
  if (field.slot != FieldClass::kNoSlot) slots_[field.slot] = number;
  if (field.role == Role::kNone) return;
  if (field.role == Role::kTime) set_ticks(number, field.bits);
  roles_[static_cast<std::size_t>(field.role)] = number;
  role_bits_[static_cast<std::size_t>(field.role)] = field.bits;
}

std::uint64_t FieldReader::counted(Role role, std::uint64_t before) const {
  const auto place = static_cast<std::size_t>(role);
  const std::uint64_t now = roles_[place].value_or(before);
  if (role_bits_[place] >= 64) return now < before ? 0 : now - before;
  const std::uint64_t mask = (std::uint64_t{1} << role_bits_[place]) - 1;
  const std::uint64_t counted = (now - before) & mask;
  return counted > mask / 2 ? 0 : counted;
}

bool FieldReader::number(const FieldClass& field, std::uint64_t* number) {
  if (!begin(field)) return false;
  if (field.kind == FieldKind::kVariableInt) {
    if (!bits_.variable_number(field.is_signed, number)) {
      return fail("it has an integer of variable length without its end, or of more than 64 bits");
    }
  } else {
    if (!bits_.number(field.bits, field.order, number)) return fail();
    if (field.is_signed && field.bits < 64 && (*number >> (field.bits - 1) & 1) != 0) {
      *number |= UINT64_MAX << field.bits;
    }
  }
  take(field, *number);
  return true;
}

bool FieldReader::real(const FieldClass& field, std::uint64_t* bits) {
  return begin(field) && (bits_.number(field.bits, field.order, bits) || fail());
}

bool FieldReader::length(const FieldClass& array, std::uint64_t* length) {
  *length = array.is_length_fixed ? array.length : slots_[array.source];
  // Not one by one, if there cannot be so many.
  const std::uint64_t bits = array.element->kind == FieldKind::kVariableInt ? 8 : array.element->bits;
  return bits == 0 || *length <= (bits_.end() - std::min(bits_.at(), bits_.end())) / bits || fail();
}

bool FieldReader::choice(const FieldClass& field, const FieldClass** chosen) {
  const std::uint64_t number = slots_[field.source];
  const std::uint64_t ordered = field.is_source_signed ? number ^ std::uint64_t{1} << 63 : number;
  *chosen = nullptr;
  const auto next = std::ranges::upper_bound(field.choices, ordered, {}, &FieldClass::Choice::low);
  const bool is_found = next != field.choices.begin() && ordered <= std::prev(next)->high;
  if (is_found) *chosen = field.members[std::prev(next)->option].field.get();
  // A bool selects an option without ranges.
  if (field.kind == FieldKind::kOption && field.choices.empty() && number != 0) *chosen = field.members[0].field.get();
  if (is_found || field.kind == FieldKind::kOption) return true;
  return fail(field.is_source_signed ? fmt::format("it has a variant, and none of its options is for {}",
                                                   static_cast<std::int64_t>(number))
                                     : fmt::format("it has a variant, and none of its options is for {}", number));
}

bool FieldReader::bytes(const FieldClass& field, std::string* out) {
  if (!begin(field)) return false;
  if (field.kind == FieldKind::kString) return bits_.text(kMaxText, out) || fail();
  std::uint64_t count = 0;
  const std::size_t before = out->size();
  if (!length(field, &count)) return false;
  if (!bits_.bytes(count, kMaxText, out)) return fail();
  // Texts in arrays end at a byte 0 if they are shorter.
  if (field.is_text) out->resize(std::min(out->size(), out->find('\0', before)));
  return true;
}

bool FieldReader::skip(const FieldClass& field) {
  std::uint64_t unused = 0;
  switch (field.kind) {
    case FieldKind::kFloat:
      return real(field, &unused);
    case FieldKind::kString:
      scratch_.clear();
      return bytes(field, &scratch_);
    case FieldKind::kStructure:
      return begin(field) &&
             std::ranges::all_of(field.members, [this](const Member& member) { return skip(*member.field); });
    case FieldKind::kArray: {
      const bool is_bytes =
          field.element->bits == 8 && field.element->align == 8 && field.element->kind == FieldKind::kInteger;
      if (is_bytes) {
        scratch_.clear();
        return bytes(field, &scratch_);
      }
      std::uint64_t count = 0;
      return begin(field) && length(field, &count) && elements(count, [&] { return skip(*field.element); });
    }
    case FieldKind::kOption:
    case FieldKind::kVariant: {
      const FieldClass* chosen = nullptr;
      return begin(field) && choice(field, &chosen) && (chosen == nullptr || skip(*chosen));
    }
    default:
      return number(field, &unused);
  }
}

bool append_text(FieldReader* reader, const FieldClass& field, bool is_tsdl, std::string* out) {
  switch (field.kind) {
    case FieldKind::kFloat:
      return append_real(reader, field, out);
    case FieldKind::kString: {
      std::string text;
      if (!reader->bytes(field, &text)) return false;
      append(out, text);
      return true;
    }
    case FieldKind::kStructure: {
      if (!reader->begin(field)) return false;
      append(out, "{");
      for (const Member& member : field.members) {
        append(out,
               fmt::format("{}{} = ", &member != field.members.data() ? ", " : "", shown_name(member.name, is_tsdl)));
        if (!append_text(reader, *member.field, is_tsdl, out)) return false;
      }
      append(out, "}");
      return true;
    }
    case FieldKind::kArray: {
      if (!field.is_text) return append_elements(reader, field, is_tsdl, out);
      std::string text;
      if (!reader->bytes(field, &text)) return false;
      append(out, text);
      return true;
    }
    case FieldKind::kOption:
    case FieldKind::kVariant: {
      const FieldClass* chosen = nullptr;
      if (!reader->begin(field) || !reader->choice(field, &chosen)) return false;
      return chosen == nullptr || append_text(reader, *chosen, is_tsdl, out);
    }
    default:
      return append_number(reader, field, out);
  }
}

}  // namespace evt::ctf
