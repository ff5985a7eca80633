#include "arrow_array.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace evt::reader {
namespace {

// Parts of an Arrow schema or array.
template <typename Arrow>
struct Parts {
  std::vector<std::unique_ptr<Arrow>> children;
  std::vector<Arrow*> pointers;
  std::unique_ptr<Arrow> dictionary;
};

// Owns what a schema refers to.
struct HeldSchema : Parts<ArrowSchema> {
  std::string name;
  std::string metadata;
};

// Owns what an array refers to: the rows, and data made from them.
struct HeldArray : Parts<ArrowArray> {
  std::shared_ptr<const TableBatch> rows;
  std::vector<const void*> buffers;
  std::vector<std::uint8_t> bits;    // truth values
  std::vector<std::int32_t> places;  // in a dictionary
};

template <typename Held, typename Arrow>
void release(Arrow* arrow) {
  const std::unique_ptr<Held> held(static_cast<Held*>(arrow->private_data));
  const auto release_part = [](Arrow* part) {
    if (part != nullptr && part->release != nullptr) part->release(part);
  };
  for (const auto& child : held->children) release_part(child.get());
  release_part(held->dictionary.get());
  arrow->release = nullptr;
}

// Transfers what it refers to; from here on it owns that.
template <typename Held, typename Arrow>
void own(Arrow* arrow, std::unique_ptr<Held> held) {
  for (const auto& child : held->children) held->pointers.push_back(child.get());
  arrow->n_children = static_cast<std::int64_t>(held->children.size());
  arrow->children = held->pointers.data();
  arrow->dictionary = held->dictionary.get();
  arrow->release = &release<Held, Arrow>;
  arrow->private_data = held.release();
}

// Arrow Columnar Format, C data interface, "format" strings.
const char* format_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kBool:
      return "b";
    case ColumnKind::kSigned:
      return "l";
    case ColumnKind::kUnsigned:
      return "L";
    case ColumnKind::kFloat:
      return "g";
    case ColumnKind::kTime:
      return "tsn:UTC";
    case ColumnKind::kText:
      return "u";
    default:
      return "z";
  }
}

void append_number(std::string* to, std::size_t number) {
  const auto narrow = static_cast<std::int32_t>(number);
  to->append(reinterpret_cast<const char*>(&narrow), sizeof narrow);
}

// The schema's "metadata": pairs of key and value, each after its size.
std::string metadata_of(const Column& column) {
  std::vector<std::pair<std::string, std::string>> pairs;
  if (!column.unit.empty()) pairs.emplace_back("unit", column.unit);
  if (!column.description.empty()) pairs.emplace_back("description", column.description);
  if (pairs.empty()) return "";
  std::string metadata;
  append_number(&metadata, pairs.size());
  for (const auto& [key, value] : pairs) {
    append_number(&metadata, key.size());
    metadata += key;
    append_number(&metadata, value.size());
    metadata += value;
  }
  return metadata;
}

void fill(ArrowSchema* schema, const char* format, std::unique_ptr<HeldSchema> held) {
  *schema = {};
  schema->format = format;
  schema->name = held->name.c_str();
  schema->metadata = held->metadata.empty() ? nullptr : held->metadata.data();
  schema->flags = ARROW_FLAG_NULLABLE;
  own(schema, std::move(held));
}

void fill_column(const Column& column, ArrowSchema* schema) {
  auto held = std::make_unique<HeldSchema>();
  held->name = column.name;
  held->metadata = metadata_of(column);
  if (column.is_list) {
    Column element = column;
    element.is_list = false;
    element.name = "item";
    element.description.clear();
    held->children.push_back(std::make_unique<ArrowSchema>());
    fill_column(element, held->children.back().get());
    return fill(schema, "+l", std::move(held));
  }
  if (!column.is_dictionary) return fill(schema, format_of(column.kind), std::move(held));
  held->dictionary = std::make_unique<ArrowSchema>();
  fill(held->dictionary.get(), "u", std::make_unique<HeldSchema>());
  fill(schema, "i", std::move(held));
}

void fill(std::unique_ptr<HeldArray> held, std::size_t size, std::size_t nulls, ArrowArray* array) {
  *array = {};
  array->length = static_cast<std::int64_t>(size);
  array->null_count = static_cast<std::int64_t>(nulls);
  array->n_buffers = static_cast<std::int64_t>(held->buffers.size());
  array->buffers = held->buffers.data();
  own(array, std::move(held));
}

std::vector<std::uint8_t> bits_of(std::span<const std::uint64_t> truths) {
  std::vector<std::uint8_t> bits((truths.size() + 7) / 8);
  for (std::size_t i = 0; i < truths.size(); ++i) {
    bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | (truths[i] != 0 ? 1u : 0u) << i % 8);
  }
  return bits;
}

// Arrow Columnar Format, "Buffer Listing for Each Layout".
void fill_column(const std::shared_ptr<const TableBatch>& rows, const Column& column, const ColumnValues& values,
                 ArrowArray* array) {
  auto held = std::make_unique<HeldArray>();
  held->rows = rows;
  held->buffers.push_back(values.nulls() > 0 ? values.valid().data() : nullptr);
  if (column.is_list) {
    Column element = column;
    element.is_list = false;
    held->buffers.push_back(values.ends().data());
    held->children.push_back(std::make_unique<ArrowArray>());
    fill_column(rows, element, values.elements(), held->children.back().get());
  } else if (column.is_dictionary) {
    held->places.assign(values.numbers().begin(), values.numbers().end());
    held->buffers.push_back(held->places.data());
    Column texts = column;
    texts.is_dictionary = false;
    held->dictionary = std::make_unique<ArrowArray>();
    fill_column(rows, texts, values.dictionary(), held->dictionary.get());
  } else if (column.kind == ColumnKind::kText || column.kind == ColumnKind::kBytes) {
    held->buffers.push_back(values.ends().data());
    held->buffers.push_back(values.bytes().data());
  } else if (column.kind == ColumnKind::kBool) {
    held->bits = bits_of(values.numbers());
    held->buffers.push_back(held->bits.data());
  } else {
    held->buffers.push_back(values.numbers().data());
  }
  fill(std::move(held), values.size(), values.nulls(), array);
}

}  // namespace

void export_schema(const Table& table, ArrowSchema* to) {
  auto held = std::make_unique<HeldSchema>();
  held->name = table.name;
  for (const Column& column : table.columns) {
    held->children.push_back(std::make_unique<ArrowSchema>());
    fill_column(column, held->children.back().get());
  }
  fill(to, "+s", std::move(held));
  to->flags = 0;
}

void export_rows(TableBatch rows, ArrowArray* to) {
  const auto shared = std::make_shared<const TableBatch>(std::move(rows));
  auto held = std::make_unique<HeldArray>();
  held->buffers.push_back(nullptr);
  for (std::size_t i = 0; i < shared->columns.size(); ++i) {
    held->children.push_back(std::make_unique<ArrowArray>());
    fill_column(shared, shared->table->columns[i], shared->columns[i], held->children.back().get());
  }
  fill(std::move(held), shared->rows(), 0, to);
}

}  // namespace evt::reader
