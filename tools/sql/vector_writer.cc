#include "sql/vector_writer.h"

#include <bit>
#include <cstring>

namespace evt::tools {
namespace {

using duckdb::Api;
using duckdb::Vector;

static_assert(std::endian::native == std::endian::little, "bits of rows are bytes, and words of DuckDB");

// By ColumnKind.
constexpr duckdb::Type kTypesOfColumns[] = {duckdb::kBoolean,     duckdb::kBigint,  duckdb::kUbigint, duckdb::kDouble,
                                            duckdb::kTimestampNs, duckdb::kVarchar, duckdb::kBlob};

void set_null(std::uint64_t* valid, std::size_t row) { valid[row / 64] &= ~(std::uint64_t{1} << row % 64); }

// From any row on.
void write_nulls(const Api& api, const ColumnValues& values, std::size_t from, std::size_t rows, Vector to) {
  if (values.nulls() == 0) return;
  api.vector_ensure_validity_writable(to);
  std::uint64_t* const valid = api.vector_get_validity(to);
  if (from % 8 == 0) {
    std::memcpy(valid, values.valid().data() + from / 8, (rows + 7) / 8);
    return;
  }
  for (std::size_t i = 0; i < rows; ++i) {
    if (values.is_null(from + i)) set_null(valid, i);
  }
}

void write_text(const Api& api, Vector to, duckdb::Text* texts, std::size_t row, std::string_view text) {
  if (text.size() > duckdb::Text::kMostInside) {
    return api.vector_assign_string_element_len(to, row, text.data(), text.size());
  }
  duckdb::Text& out = texts[row];
  out = {};
  out.size = static_cast<std::uint32_t>(text.size());
  if (!text.empty()) std::memcpy(out.inside, text.data(), text.size());
}

void write_texts(const Api& api, const ColumnValues& values, std::size_t from, std::size_t rows, Vector to) {
  auto* const texts = static_cast<duckdb::Text*>(api.vector_get_data(to));
  for (std::size_t i = 0; i < rows; ++i) {
    write_text(api, to, texts, i, values.is_null(from + i) ? std::string_view() : values.text(from + i));
  }
}

// The vector has values; each row becomes the one at its place.
template <typename Place>
void slice(const Api& api, std::size_t rows, Place place_of, Vector to) {
  const duckdb::Selection places = api.create_selection_vector(rows);
  std::uint32_t* const place = api.selection_vector_get_data_ptr(places);
  for (std::size_t i = 0; i < rows; ++i) place[i] = static_cast<std::uint32_t>(place_of(i));
  api.slice_vector(to, places, rows);
  api.destroy_selection_vector(places);
}

// Texts once, and of each row the place of its text: DuckDB groups and compares places then. Behind the texts is null.
void write_dictionary(const Api& api, const ColumnValues& values, std::size_t from, std::size_t rows, Vector to) {
  const std::size_t null_at = values.dictionary().size();
  write_texts(api, values.dictionary(), 0, null_at, to);
  if (values.nulls() > 0) {
    api.vector_ensure_validity_writable(to);
    set_null(api.vector_get_validity(to), null_at);
  }
  slice(
      api, rows, [&](std::size_t i) { return values.is_null(from + i) ? null_at : values.number(from + i); }, to);
}

void write_plain(const Api& api, const Column& column, const ColumnValues& values, std::size_t from, std::size_t rows,
                 Vector to) {
  write_nulls(api, values, from, rows, to);
  if (column.kind == ColumnKind::kText || column.kind == ColumnKind::kBytes) {
    return write_texts(api, values, from, rows, to);
  }
  void* const data = api.vector_get_data(to);
  if (column.kind != ColumnKind::kBool) {
    if (rows > 0) std::memcpy(data, values.numbers().data() + from, rows * sizeof(std::uint64_t));
    return;
  }
  for (std::size_t i = 0; i < rows; ++i) static_cast<std::uint8_t*>(data)[i] = values.number(from + i) != 0 ? 1 : 0;
}

void write_lists(const Api& api, const Column& column, const ColumnValues& values, std::size_t from, std::size_t rows,
                 Vector to) {
  write_nulls(api, values, from, rows, to);
  const auto ends = values.ends().subspan(from, rows + 1);
  const std::int32_t first = ends.front();
  const auto elements = static_cast<std::size_t>(ends.back() - first);
  auto* const entries = static_cast<duckdb::ListEntry*>(api.vector_get_data(to));
  for (std::size_t i = 0; i < rows; ++i) {
    entries[i] = {static_cast<std::uint64_t>(ends[i] - first), static_cast<std::uint64_t>(ends[i + 1] - ends[i])};
  }
  api.list_vector_reserve(to, elements);
  api.list_vector_set_size(to, elements);
  write_plain(api, column, values.elements(), static_cast<std::size_t>(first), elements, api.list_vector_get_child(to));
}

}  // namespace

duckdb::LogicalType logical_type_of(const Api& api, const Column& column) {
  duckdb::LogicalType type = api.create_logical_type(kTypesOfColumns[static_cast<std::size_t>(column.kind)]);
  if (!column.is_list) return type;
  const duckdb::LogicalType list = api.create_list_type(type);
  api.destroy_logical_type(&type);
  return list;
}

void write_rows(const Api& api, const Column& column, const ColumnValues& values, std::size_t from, std::size_t rows,
                Vector to) {
  if (column.is_list) return write_lists(api, column, values, from, rows, to);
  // Worth it where few texts differ; and they are to have room.
  const bool are_few = column.is_dictionary && values.dictionary().size() < rows / 2;
  if (are_few && values.dictionary().size() < api.vector_size()) {
    return write_dictionary(api, values, from, rows, to);
  }
  write_plain(api, column, values, from, rows, to);
}

void write_same(const Api& api, std::string_view text, std::size_t rows, Vector to) {
  write_text(api, to, static_cast<duckdb::Text*>(api.vector_get_data(to)), 0, text);
  slice(
      api, rows, [](std::size_t) { return 0; }, to);
}

}  // namespace evt::tools
