// Decodes a payload into a struct that has a schema<T>: implements Event::as(). <evt/encode.h> writes the payload.
#pragma once

#include <evt/event_type.h>
#include <evt/little_endian.h>

#include <atomic>
#include <cstring>

#pragma GCC visibility push(default)
namespace evt {
namespace decoding {

// A small number for each T, so that a type finds its binding by an index.
inline std::size_t next_number() {
  static std::atomic<std::size_t> next{0};
  return next.fetch_add(1);
}
template <typename T>
inline const std::size_t kNumberOf = next_number();

// The latest reading of a clock up to `now` that ends in these 32 bits; if there is none since 0, the bits themselves.
inline std::uint64_t widened(std::uint64_t low, std::uint64_t now) {
  constexpr std::uint64_t kTurn = std::uint64_t{1} << 32;
  const std::uint64_t same_turn = (now & ~(kTurn - 1)) | low;
  return same_turn <= now || same_turn < kTurn ? same_turn : same_turn - kTurn;
}

// True if the file's field can be read as the program's: the same kind, and no value that would not fit.
bool compatible(const Field& file, Wire program);
std::string describe_mismatch(const EventType& type, const Field& file, Wire program);

template <Traced T>
Binding make_binding(const EventType& type) {
  Binding binding;
  if (type.name() != schema<T>.name) return binding;
  binding.matches = true;
  const auto bind_field = [&]<typename F>(const F& wanted) {
    Binding::Step step;
    std::int64_t offset = 0;  // -1: differs between payloads, or too large
    for (std::size_t i = 0; i < type.fields().size(); ++i) {
      const Field& field = type.fields()[i];
      if (field.name == wanted.name) {
        constexpr Wire kWire = wire_of<typename F::Member>();
        if (!compatible(field, kWire)) {
          binding.matches = false;
          binding.error = Status(Code::kSchema, describe_mismatch(type, field, kWire));
        }
        step.index = static_cast<std::int32_t>(i);
        const bool exact = field.shape == Shape::kFixed && field.width == kWire.width;
        step.offset = exact ? static_cast<std::int32_t>(offset) : -1;
        break;
      }
      offset = field.shape == Shape::kFixed && offset >= 0 ? offset + field.width : -1;
      if (offset > EVT_MAX_EVENT_ROW) offset = -1;
    }
    binding.steps.push_back(step);
  };
  std::apply([&](const auto&... f) { (bind_field(f), ...); }, schema<T>.fields);
  return binding;
}

// Loads a fixed value of `width` bytes, which may be fewer than M has.
template <typename M>
M load(const std::byte* p, std::size_t width, Kind kind) {
  if constexpr (std::is_same_v<M, Interned> || std::is_same_v<M, Reference> || std::is_same_v<M, Ticks32>) {
    return {evt_load_u32(p)};
  } else if constexpr (std::is_same_v<M, Ticks>) {
    return {evt_load_u64(p)};
  } else if constexpr (std::is_same_v<M, TickDelta>) {
    if (width == sizeof(std::int32_t)) return {static_cast<std::int32_t>(evt_load_u32(p))};
    return {static_cast<std::int64_t>(evt_load_u64(p))};
  } else if constexpr (std::is_same_v<M, TickDelta32>) {
    return {static_cast<std::int32_t>(evt_load_u32(p))};
  } else if constexpr (wire_of<M>().kind == Kind::kBytes) {
    M value;
    std::memcpy(&value, p, sizeof value);
    return value;
  } else {
    Field field;
    field.kind = kind;
    field.width = static_cast<std::uint32_t>(width);
    const Value value(field, Shape::kFixed, {p, width}, 1);
    if constexpr (std::is_floating_point_v<M>) {
      return static_cast<M>(value.as_double());
    } else if constexpr (std::is_same_v<M, bool>) {
      return value.as_unsigned() != 0;
    } else if constexpr (std::is_signed_v<M>) {
      return static_cast<M>(value.as_signed());
    } else {
      return static_cast<M>(value.as_unsigned());
    }
  }
}

// Like load(), if the width is that of M, which is nearly always so.
template <typename M>
M load_exact(const std::byte* p) {
  if constexpr (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !std::is_same_v<M, bool>) {
    M value;
    std::memcpy(static_cast<void*>(&value), p, sizeof value);
    return value;
  } else {
    return load<M>(p, sizeof(M), wire_of<M>().kind);
  }
}

using Copies = std::vector<std::unique_ptr<std::byte[]>>;

// Unaligned little-endian elements become a native array, which is stored in `copies`.
template <typename A, typename Convert>
std::span<const A> unpack(const Value& value, Copies& copies, Convert convert) {
  copies.push_back(std::make_unique<std::byte[]>(value.count() * sizeof(A)));
  A* const out = reinterpret_cast<A*>(copies.back().get());
  std::size_t i = 0;
  value.for_each([&](const Value& element) { new (out + i++) A(convert(element)); });
  return {out, i};
}

template <typename M>
M convert(const Value& value, Copies& copies) {
  if constexpr (std::is_same_v<M, std::string_view> || is_string<M>) {
    return M(value.as_text());
  } else if constexpr (std::is_same_v<M, LongText>) {
    return {value.as_text()};
  } else if constexpr (std::is_same_v<M, Bytes>) {
    return value.bytes();
  } else if constexpr (std::is_same_v<M, LongBytes>) {
    return {value.bytes()};
  } else if constexpr (std::is_same_v<M, std::span<const std::string_view>>) {
    return unpack<std::string_view>(value, copies, [](const Value& v) { return v.as_text(); });
  } else if constexpr (std::is_same_v<M, std::span<const Bytes>>) {
    return unpack<Bytes>(value, copies, [](const Value& v) { return v.bytes(); });
  } else if constexpr (wire_of<M>().shape == Shape::kArray) {
    using A = std::remove_const_t<typename M::element_type>;
    return unpack<A>(value, copies,
                     [](const Value& v) { return load<A>(v.bytes().data(), v.bytes().size(), v.kind()); });
  } else {
    return load<M>(value.bytes().data(), value.bytes().size(), value.kind());
  }
}

}  // namespace decoding

}  // namespace evt
#pragma GCC visibility pop
