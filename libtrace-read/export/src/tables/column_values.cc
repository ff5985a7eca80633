#include <evt/export/table.h>

#include <array>
#include <bit>
#include <functional>
#include <unordered_map>

#include "libtrace-read/text/utf8.h"

namespace evt {
namespace {

// A text with more bytes, or a list with more elements, is long.
constexpr std::size_t kLong = 1 << 16;

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

void append_utf8(std::string* to, std::string_view text) {
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string_view bytes = take_character(&text);
    *to += character.size != 0 ? bytes : kReplacement;
  }
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    if (!take_plain(&text).empty()) continue;
    if (first_character(text).size == 0) return false;
    take_character(&text);
  }
  return true;
}

Column elements_of(const Column& list) {
  Column column = list;
  column.is_list = false;
  return column;
}

Column texts() {
  Column column;
  column.kind = ColumnKind::kText;
  return column;
}

}  // namespace

// Texts, each once, and their indexes.
struct ColumnValues::Dictionary {
  std::uint64_t place_of(std::string_view text) {
    const Places::value_type*& recent = recent_[slot_of(text)];
    if (recent != nullptr && recent->first == text) return recent->second;
    auto known = places_.find(text);
    if (known == places_.end()) {
      known = places_.emplace(text, texts.size()).first;
      texts.add_text(text);
    }
    recent = &*known;
    return known->second;
  }

  ColumnValues texts{evt::texts()};

 private:
  // Hashes a text directly, so that a search makes no string of it.
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Places = std::unordered_map<std::string, std::uint64_t, TextHash, std::equal_to<>>;

  // By its address: repeated names of one thing usually have the same address.
  static std::size_t slot_of(std::string_view text) {
    return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(text.data()) * 0x9E37'79B9'7F4A'7C15 >> 56);
  }

  Places places_;
  std::array<const Places::value_type*, 256> recent_{};  // by slot_of() of requested texts
};

ColumnValues::ColumnValues(const Column& column, bool has_values)
    : is_list_(column.is_list),
      has_values_(has_values),
      has_ends_(is_list_ ||
                (!column.is_dictionary && (column.kind == ColumnKind::kText || column.kind == ColumnKind::kBytes))) {
  if (is_list_) {
    elements_ = std::make_unique<ColumnValues>(elements_of(column), has_values);
  } else if (column.is_dictionary) {
    dictionary_ = std::make_unique<Dictionary>();
  }
  if (has_ends_) ends_.push_back(0);
}

ColumnValues::ColumnValues(ColumnValues&&) noexcept = default;
ColumnValues& ColumnValues::operator=(ColumnValues&&) noexcept = default;
ColumnValues::~ColumnValues() = default;

void ColumnValues::reserve(std::size_t rows) {
  if (!has_values_) return;
  if (has_ends_) {
    ends_.reserve(rows + 1);
  } else {
    numbers_.reserve(rows);
  }
}

const ColumnValues& ColumnValues::dictionary() const { return dictionary_->texts; }

// For the row that is added, if some row is null.
void ColumnValues::add_validity(bool is_valid) {
  if (nulls_ == 0) {
    valid_.assign(size_ / 8 + 1, 0xFF);
    valid_.back() = static_cast<std::uint8_t>((1u << size_ % 8) - 1);
  } else if (size_ % 8 == 0) {
    valid_.push_back(0);
  }
  if (is_valid) {
    valid_.back() = static_cast<std::uint8_t>(valid_.back() | 1u << size_ % 8);
  } else {
    ++nulls_;
  }
}

void ColumnValues::add_null() {
  if (has_values_) {
    if (has_ends_) {
      ends_.push_back(ends_.back());
    } else {
      numbers_.push_back(0);
    }
    add_validity(false);
  }
  ++size_;
}

void ColumnValues::add_float(double value) { add_number(std::bit_cast<std::uint64_t>(value)); }

void ColumnValues::add_text(std::string_view text) {
  if (!has_values_) return add_row();
  has_long_ |= text.size() > kLong;
  if (dictionary_ != nullptr) return add_number(dictionary_->place_of(text));
  if (is_utf8(text)) {
    bytes_ += text;
  } else {
    append_utf8(&bytes_, text);
  }
  ends_.push_back(static_cast<std::int32_t>(bytes_.size()));
  add_row();
}

void ColumnValues::add_bytes(Bytes bytes) {
  if (!has_values_) return add_row();
  has_long_ |= bytes.size() > kLong;
  bytes_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  ends_.push_back(static_cast<std::int32_t>(bytes_.size()));
  add_row();
}

void ColumnValues::end_list() {
  if (!has_values_) return add_row();
  has_long_ |= elements_->size() - static_cast<std::size_t>(ends_.back()) > kLong;
  ends_.push_back(static_cast<std::int32_t>(elements_->size()));
  add_row();
}

std::span<const std::uint8_t> ColumnValues::valid() const {
  return nulls_ > 0 ? std::span<const std::uint8_t>(valid_) : std::span<const std::uint8_t>();
}

double ColumnValues::float_at(std::size_t row) const { return std::bit_cast<double>(numbers_[row]); }

std::string_view ColumnValues::piece(std::size_t row) const {
  const auto from = static_cast<std::size_t>(ends_[row]);
  return std::string_view(bytes_).substr(from, static_cast<std::size_t>(ends_[row + 1]) - from);
}

std::string_view ColumnValues::text(std::size_t row) const {
  return dictionary_ != nullptr ? dictionary_->texts.piece(static_cast<std::size_t>(numbers_[row])) : piece(row);
}

std::size_t ColumnValues::variable_size() const {
  std::size_t size = bytes_.size();
  if (elements_ != nullptr) size += elements_->size() * sizeof(std::uint64_t) + elements_->variable_size();
  if (dictionary_ != nullptr) size += dictionary_->texts.variable_size();
  return size;
}

TableBatch::TableBatch(const Table& of) : TableBatch(of, std::vector<bool>(of.columns.size(), true)) {}

TableBatch::TableBatch(const Table& of, const std::vector<bool>& has_values) : table(&of) {
  columns.reserve(of.columns.size());
  for (std::size_t i = 0; i < of.columns.size(); ++i) columns.emplace_back(of.columns[i], has_values[i]);
}

}  // namespace evt
