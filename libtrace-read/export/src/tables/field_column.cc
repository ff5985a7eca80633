#include "field_column.h"

#include <evt/unit_text.h>

#include <cmath>

#include "libtrace-read/text/plain_value.h"

namespace evt {
namespace {

ColumnKind kind_of(const Field& field) {
  switch (field.known() ? field.kind : Kind::kBytes) {
    case Kind::kUnsigned:
      return field.scale == 0 ? ColumnKind::kUnsigned : ColumnKind::kFloat;
    case Kind::kSigned:
      return field.scale == 0 ? ColumnKind::kSigned : ColumnKind::kFloat;
    case Kind::kFloat:
      return ColumnKind::kFloat;
    case Kind::kBool:
      return ColumnKind::kBool;
    case Kind::kEnumeration:
    case Kind::kInterned:
    case Kind::kText:
      return ColumnKind::kText;
    case Kind::kTicks:
    case Kind::kTickDelta:
      return ColumnKind::kSigned;
    default:
      return ColumnKind::kBytes;
  }
}

bool is_time(const Field& field) {
  return field.known() && (field.kind == Kind::kTicks || field.kind == Kind::kTickDelta);
}

double scaled(const Value& value) {
  const double power = std::pow(10.0, std::abs(value.field().scale));
  const double number =
      value.kind() == Kind::kSigned ? static_cast<double>(value.as_signed()) : static_cast<double>(value.as_unsigned());
  return value.field().scale < 0 ? number / power : number * power;
}

void add_scalar(const Event& event, const Value& value, ColumnKind kind, ColumnValues* values, TextBuffer* made) {
  if (value.is_absent() || !event.is_known(value)) return values->add_null();
  switch (kind) {
    case ColumnKind::kBool:
      return values->add_bool(value.as_unsigned() != 0);
    case ColumnKind::kUnsigned:
      return values->add_unsigned(value.as_unsigned());
    case ColumnKind::kFloat:
      return values->add_float(value.kind() == Kind::kFloat ? value.as_double() : scaled(value));
    case ColumnKind::kBytes:
      return values->add_bytes(value.bytes());
    case ColumnKind::kText: {
      TextBuffer plain;
      const auto text = append_unless_text(plain, event, value, *made);
      return values->add_text(text ? *text : plain.text());
    }
    default:
      if (value.kind() == Kind::kTicks) return values->add_signed(event.ticks_to_ns(event.ticks_in(value)));
      if (value.kind() == Kind::kTickDelta) return values->add_signed(event.delta_to_ns(value.as_signed()));
      return values->add_signed(value.as_signed());
  }
}

}  // namespace

Column column_of(const Field& field) {
  Column column;
  column.name = field.name;
  column.kind = kind_of(field);
  column.is_list = field.shape == Shape::kArray || field.shape == Shape::kList;
  column.is_dictionary = column.kind == ColumnKind::kText && field.kind != Kind::kText;
  column.unit = is_time(field) ? "ns" : unit_text(field);
  column.description = field.description;
  return column;
}

Column column_of_both(const Column& a, const Column& b) {
  Column both = a;
  if (a.kind != b.kind || a.is_list != b.is_list) {
    both.kind = ColumnKind::kText;
    both.is_list = false;
  }
  both.is_dictionary = both.kind == ColumnKind::kText && !both.is_list && a.is_dictionary && b.is_dictionary;
  if (a.unit != b.unit) both.unit.clear();
  if (both.description.empty()) both.description = b.description;
  return both;
}

void add_value(const Event& event, const Value& value, const Column& column, ColumnValues* values, TextBuffer* made) {
  if (column.is_list) {
    value.for_each([&](const Value& element) { add_scalar(event, element, column.kind, &values->elements(), made); });
    return values->end_list();
  }
  if (!value.is_sequence()) return add_scalar(event, value, column.kind, values, made);
  TextBuffer json;
  append_json_value(json, event, value, *made);
  values->add_text(json.text());
}

}  // namespace evt
