#include "column_chunk.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "packed_numbers.h"

namespace evt {
namespace {

// Longer texts have no statistics.
constexpr std::size_t kMostStatistics = 256;

bool is_text(ColumnKind kind) { return kind == ColumnKind::kText || kind == ColumnKind::kBytes; }

void append_u32(std::string* to, std::size_t value) {
  const auto narrow = static_cast<std::uint32_t>(value);
  for (unsigned bits = 0; bits < 32; bits += 8) *to += static_cast<char>(narrow >> bits);
}

std::string plain(std::uint64_t value) {
  std::string bytes;
  for (unsigned bits = 0; bits < 64; bits += 8) bytes += static_cast<char>(value >> bits);
  return bytes;
}

void append_plain_text(std::string* to, std::string_view text) {
  append_u32(to, text.size());
  *to += text;
}

// Appends them after their size.
void append_levels(std::string* to, const std::vector<std::uint32_t>& levels, std::uint32_t most) {
  std::string packed;
  append_hybrid(&packed, levels, width_of(most));
  append_u32(to, packed.size());
  *to += packed;
}

void append_booleans(std::string* to, const std::vector<std::uint64_t>& numbers) {
  for (std::size_t at = 0; at < numbers.size(); at += 8) {
    unsigned bits = 0;
    for (std::size_t i = at; i < std::min(at + 8, numbers.size()); ++i)
      bits |= static_cast<unsigned>(numbers[i] & 1) << (i - at);
    *to += static_cast<char>(bits);
  }
}

// Values of the rows that are not null.
std::vector<std::uint64_t> numbers_of(const ColumnValues& values) {
  if (values.nulls() == 0) return {values.numbers().begin(), values.numbers().end()};
  std::vector<std::uint64_t> there;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values.is_null(i)) there.push_back(values.number(i));
  }
  return there;
}

template <typename Number, typename From>
void note_range(const std::vector<std::uint64_t>& numbers, From from, ColumnChunk* chunk) {
  if (numbers.empty()) return;
  const auto [least, greatest] =
      std::minmax_element(numbers.begin(), numbers.end(), [&](auto a, auto b) { return from(a) < from(b); });
  chunk->least = plain(*least);
  chunk->greatest = plain(*greatest);
}

void note_range_of(ColumnKind kind, const std::vector<std::uint64_t>& numbers, ColumnChunk* chunk) {
  if (kind == ColumnKind::kUnsigned)
    return note_range<std::uint64_t>(
        numbers, [](auto bits) { return bits; }, chunk);
  if (kind != ColumnKind::kFloat) {
    return note_range<std::int64_t>(
        numbers, [](auto bits) { return static_cast<std::int64_t>(bits); }, chunk);
  }
  // A NaN has no place in an order: then there is no range.
  const auto is_nan = [](std::uint64_t bits) { return std::isnan(std::bit_cast<double>(bits)); };
  if (std::ranges::any_of(numbers, is_nan)) return;
  note_range<double>(
      numbers, [](auto bits) { return std::bit_cast<double>(bits); }, chunk);
  if (!chunk->least) return;
  // parquet.thrift: write a least value of 0 as -0, a greatest as +0.
  if (*chunk->least == plain(0)) chunk->least = plain(std::bit_cast<std::uint64_t>(-0.0));
  if (*chunk->greatest == plain(std::bit_cast<std::uint64_t>(-0.0))) chunk->greatest = plain(0);
}

void append_numbers(ColumnKind kind, const std::vector<std::uint64_t>& numbers, ColumnChunk* chunk) {
  if (kind == ColumnKind::kBool) {
    append_booleans(&chunk->data, numbers);
    if (numbers.empty()) return;
    const auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
    chunk->least = std::string(1, static_cast<char>(*least & 1));
    chunk->greatest = std::string(1, static_cast<char>(*greatest & 1));
    return;
  }
  note_range_of(kind, numbers, chunk);
  if (kind == ColumnKind::kFloat) {
    for (const std::uint64_t bits : numbers) chunk->data += plain(bits);
    return;
  }
  chunk->encoding = kParquetDelta;
  append_deltas(&chunk->data, numbers);
}

void append_texts(const ColumnValues& values, ColumnChunk* chunk) {
  std::string_view least;
  std::string_view greatest;
  bool has_any = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values.is_null(i)) continue;
    const std::string_view text = values.text(i);
    append_plain_text(&chunk->data, text);
    least = has_any ? std::min(least, text) : text;
    greatest = has_any ? std::max(greatest, text) : text;
    has_any = true;
  }
  if (!has_any || std::max(least.size(), greatest.size()) > kMostStatistics) return;
  chunk->least = std::string(least);
  chunk->greatest = std::string(greatest);
}

void append_places(const ColumnValues& values, ColumnChunk* chunk) {
  const ColumnValues& texts = values.dictionary();
  ColumnChunk in_dictionary;
  append_texts(texts, &in_dictionary);
  chunk->dictionary = std::move(in_dictionary.data);
  chunk->dictionary_values = texts.size();
  chunk->least = std::move(in_dictionary.least);
  chunk->greatest = std::move(in_dictionary.greatest);
  chunk->encoding = kParquetRleDictionary;
  const unsigned width = std::max(1u, width_of(texts.size() > 0 ? texts.size() - 1 : 0));
  const std::vector<std::uint64_t> numbers = numbers_of(values);
  chunk->data += static_cast<char>(width);
  append_hybrid(&chunk->data, std::vector<std::uint32_t>(numbers.begin(), numbers.end()), width);
}

void append_values(const Column& column, const ColumnValues& values, ColumnChunk* chunk) {
  if (column.is_dictionary) {
    append_places(values, chunk);
  } else if (is_text(column.kind)) {
    append_texts(values, chunk);
  } else {
    append_numbers(column.kind, numbers_of(values), chunk);
  }
}

// A list is null, or empty, or has elements, each of which may be null: Nested Encoding, after Dremel.
void append_list_levels(const ColumnValues& values, ColumnChunk* chunk) {
  std::vector<std::uint32_t> repetitions;
  std::vector<std::uint32_t> definitions;
  for (std::size_t row = 0; row < values.size(); ++row) {
    const auto from = static_cast<std::size_t>(values.ends()[row]);
    const auto to = static_cast<std::size_t>(values.ends()[row + 1]);
    if (from == to) {
      repetitions.push_back(0);
      definitions.push_back(values.is_null(row) ? 0 : 1);
    }
    for (std::size_t i = from; i < to; ++i) {
      repetitions.push_back(i > from ? 1 : 0);
      definitions.push_back(values.elements().is_null(i) ? 2 : 3);
    }
  }
  chunk->values = repetitions.size();
  chunk->nulls =
      static_cast<std::size_t>(std::ranges::count_if(definitions, [](std::uint32_t level) { return level < 3; }));
  append_levels(&chunk->data, repetitions, 1);
  append_levels(&chunk->data, definitions, 3);
}

}  // namespace

int parquet_type(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kBool:
      return kParquetBoolean;
    case ColumnKind::kFloat:
      return kParquetDouble;
    case ColumnKind::kText:
    case ColumnKind::kBytes:
      return kParquetByteArray;
    default:
      return kParquetInt64;
  }
}

ColumnChunk column_chunk(const Column& column, const ColumnValues& values) {
  ColumnChunk chunk;
  if (column.is_list) {
    append_list_levels(values, &chunk);
    Column element = column;
    element.is_list = false;
    append_values(element, values.elements(), &chunk);
    return chunk;
  }
  std::vector<std::uint32_t> definitions(values.size(), 1);
  for (std::size_t i = 0; values.nulls() > 0 && i < values.size(); ++i) definitions[i] = values.is_null(i) ? 0 : 1;
  append_levels(&chunk.data, definitions, 1);
  chunk.values = values.size();
  chunk.nulls = values.nulls();
  append_values(column, values, &chunk);
  return chunk;
}

}  // namespace evt
