#include "arrow_array.h"

#include <memory>
#include <vector>

namespace evt::reader {
namespace {

// What an array refers to: the rows, and what is made of them.
struct Held {
  std::shared_ptr<const TableBatch> rows;
  std::vector<const void*> buffers;
  std::vector<std::uint8_t> bits;    // of truth values
  std::vector<std::int32_t> places;  // in a dictionary
  std::vector<std::unique_ptr<ArrowArray>> children;
  std::vector<ArrowArray*> pointers;
  std::unique_ptr<ArrowArray> dictionary;
};

void release_one(ArrowArray* array) {
  if (array->release != nullptr) array->release(array);
}

void release_array(ArrowArray* array) {
  const std::unique_ptr<Held> held(static_cast<Held*>(array->private_data));
  for (const auto& child : held->children) release_one(child.get());
  if (held->dictionary != nullptr) release_one(held->dictionary.get());
  array->release = nullptr;
}

void fill(std::unique_ptr<Held> held, std::size_t size, std::size_t nulls, ArrowArray* array) {
  *array = {};
  array->length = static_cast<std::int64_t>(size);
  array->null_count = static_cast<std::int64_t>(nulls);
  for (const auto& child : held->children) held->pointers.push_back(child.get());
  array->n_buffers = static_cast<std::int64_t>(held->buffers.size());
  array->buffers = held->buffers.data();
  array->n_children = static_cast<std::int64_t>(held->children.size());
  array->children = held->pointers.data();
  array->dictionary = held->dictionary.get();
  array->release = &release_array;
  array->private_data = held.release();
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
  auto held = std::make_unique<Held>();
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

void export_rows(TableBatch rows, ArrowArray* to) {
  const auto shared = std::make_shared<const TableBatch>(std::move(rows));
  auto held = std::make_unique<Held>();
  held->buffers.push_back(nullptr);
  for (std::size_t i = 0; i < shared->columns.size(); ++i) {
    held->children.push_back(std::make_unique<ArrowArray>());
    fill_column(shared, shared->table->columns[i], shared->columns[i], held->children.back().get());
  }
  fill(std::move(held), shared->rows(), 0, to);
}

}  // namespace evt::reader
