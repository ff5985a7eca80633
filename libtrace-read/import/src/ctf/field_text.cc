#include "field_text.h"

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
