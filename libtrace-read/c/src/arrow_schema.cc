#include "arrow_schema.h"

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace evt::reader {
namespace {

// What a schema refers to.
struct Held {
  std::string name;
  std::string metadata;
  std::vector<std::unique_ptr<ArrowSchema>> children;
  std::vector<ArrowSchema*> pointers;
  std::unique_ptr<ArrowSchema> dictionary;
};

void release_one(ArrowSchema* schema) {
  if (schema->release != nullptr) schema->release(schema);
}

void release_schema(ArrowSchema* schema) {
  const std::unique_ptr<Held> held(static_cast<Held*>(schema->private_data));
  for (const auto& child : held->children) release_one(child.get());
  if (held->dictionary != nullptr) release_one(held->dictionary.get());
  schema->release = nullptr;
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

// The same, "metadata": pairs of key and value, each with its size in front.
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

void fill(ArrowSchema* schema, const char* format, std::unique_ptr<Held> held) {
  *schema = {};
  schema->format = format;
  schema->name = held->name.c_str();
  schema->metadata = held->metadata.empty() ? nullptr : held->metadata.data();
  schema->flags = ARROW_FLAG_NULLABLE;
  for (const auto& child : held->children) held->pointers.push_back(child.get());
  schema->n_children = static_cast<std::int64_t>(held->children.size());
  schema->children = held->pointers.data();
  schema->dictionary = held->dictionary.get();
  schema->release = &release_schema;
  schema->private_data = held.release();
}

void fill_column(const Column& column, ArrowSchema* schema) {
  auto held = std::make_unique<Held>();
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
  fill(held->dictionary.get(), "u", std::make_unique<Held>());
  fill(schema, "i", std::move(held));
}

}  // namespace

void export_schema(const Table& table, ArrowSchema* to) {
  auto held = std::make_unique<Held>();
  held->name = table.name;
  for (const Column& column : table.columns) {
    held->children.push_back(std::make_unique<ArrowSchema>());
    fill_column(column, held->children.back().get());
  }
  fill(to, "+s", std::move(held));
  to->flags = 0;
}

}  // namespace evt::reader
