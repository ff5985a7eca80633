// The C++ half of <evt/trace_macros.h>: events whose fields are the values of one line.
#pragma once

#include <evt/cpp20.h>
#include <evt/encode.h>
#include <evt/trace_site.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace evt::tracing {

template <typename T>
inline constexpr bool is_literal = false;
template <std::size_t N>
inline constexpr bool is_literal<char[N]> = true;

// A value in the form that is recorded: an integer of 8 bytes, a double, a bool or a text, which is valid as long as
// `value`.
template <typename T>
EVT_ALWAYS_INLINE_ inline auto recorded(const T& value) {
  if constexpr (std::is_same_v<std::remove_cv_t<T>, bool>) {
    return static_cast<bool>(value);
  } else if constexpr (std::is_enum_v<T>) {
    return recorded(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<double>(value);
  } else if constexpr (std::is_integral_v<T> && sizeof(T) <= sizeof(std::uint64_t)) {
    return static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(value);
  } else if constexpr (std::is_convertible_v<const T&, const char*>) {
    const char* const text = value;
    return text == nullptr ? std::string_view() : std::string_view(text);
  } else {
    static_assert(std::is_convertible_v<const T&, std::string_view>,
                  "EVT_TRACE records integers, enumerations, floating point numbers, bools and texts");
    return std::string_view(value);
  }
}
template <typename T>
using Recorded = decltype(recorded(std::declval<const T&>()));

template <typename Value>
evt_field field_of(const char* name) {
  constexpr Wire kWire = wire_of<Value>();
  const evt_field field =
      EVT_FIELD_OF(name, static_cast<std::uint16_t>(kWire.kind), static_cast<std::uint16_t>(kWire.shape), kWire.width);
  return field;
}

template <typename... Values, std::size_t N>
[[gnu::cold, gnu::noinline]] evt_at_site_ declare(evt_writer* writer, evt_site_& site, evt_place_ place,
                                                  const std::array<const char*, N>& names) {
  std::size_t i = 0;
  const std::array<evt_field, N> fields = {field_of<Values>(names[i++])...};
  return evt_first_at_site_(writer, &site, place, EVT_ROLE_NONE, fields.data(), static_cast<std::uint32_t>(N));
}

// `named`: the name and the value of each field, alternating.
template <typename Named, std::size_t... I>
EVT_ALWAYS_INLINE_ inline void trace_fields(evt_writer* writer, evt_site_& site, evt_place_ place, const Named& named,
                                            std::index_sequence<I...>) {
  static_assert((is_literal<std::remove_cvref_t<std::tuple_element_t<2 * I, Named>>> && ...),
                "names of fields are string literals");
  const std::tuple values(recorded(std::get<2 * I + 1>(named))...);
  evt_at_site_ at = evt_known_at_site_(writer, &site);
  if (EVT_UNLIKELY_(at.handle == nullptr)) {
    const std::array<const char*, sizeof...(I)> names = {std::get<2 * I>(named)...};
    at = declare<Recorded<std::remove_cvref_t<std::tuple_element_t<2 * I + 1, Named>>>...>(writer, site, place, names);
    if (at.handle == nullptr) return;
  }
  evt_row row = evt_begin(at.stream, at.handle->type);
  if (row.p == nullptr) return;
  (encoding::append(&row, std::get<I>(values)), ...);
  evt_commit(&row);
}

// Called by EVT_TRACE. `place` has the name already.
template <std::size_t N, typename... Named>
EVT_ALWAYS_INLINE_ inline void trace(evt_writer* writer, evt_site_& site, evt_place_ place, const char (&)[N],
                                     const Named&... named) {
  static_assert(sizeof...(Named) % 2 == 0, "EVT_TRACE: each field is a name and a value");
  trace_fields(writer, site, place, std::tuple<const Named&...>(named...),
               std::make_index_sequence<sizeof...(Named) / 2>());
}

// The object that EVT_SPAN declares.
class Span {
 public:
  EVT_ALWAYS_INLINE_ Span(evt_site_& site, evt_place_ place) : span_(evt_span_begin_(&site, place)) {}
  EVT_ALWAYS_INLINE_ ~Span() { evt_span_end_(&span_); }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

 private:
  const evt_span_ span_;
};

}  // namespace evt::tracing
