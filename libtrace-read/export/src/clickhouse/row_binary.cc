#include <evt/export/row_binary.h>
#include <evt/little_endian.h>

#include <vector>

namespace evt {
namespace {

constexpr std::size_t kLongestSize = 10;  // a LEB128 of 64 bits

char* store_size(char* to, std::size_t size) {
  for (; size >= 0x80; size >>= 7) *to++ = static_cast<char>(size | 0x80);
  *to++ = static_cast<char>(size);
  return to;
}

// One column of a batch, from which rows take their values in turn.
class RowBinaryColumn {
 public:
  RowBinaryColumn(const Column& column, const ColumnValues& values)
      : values_(&values), form_(form_of(column)), may_be_null_(column.may_be_null) {
    if (form_ == Form::kWord) {
      const ColumnValues& texts = values.dictionary();
      words_.reserve(texts.size());
      for (std::size_t i = 0; i < texts.size(); ++i) {
        words_.emplace_back(text_from([&](TextBuffer& word) { append_text(word, texts.text(i)); }));
      }
    } else if (form_ == Form::kList) {
      Column element = column;
      element.is_list = false;
      elements_.emplace_back(element, values.elements());
    }
  }

  static constexpr std::size_t kLongestNumber = 9;

  // Numbers are stored at `to`, which has room for them; everything else is appended to `out`. Returns where the next
  // value goes, with room for `most` bytes.
  [[gnu::always_inline]] char* append(TextBuffer& out, char* to, std::size_t row, std::size_t most) const {
    switch (form_) {
      case Form::kByte:
        return put_number(to, row, 1);
      case Form::kNumber:
        return put_number(to, row, 8);
      case Form::kWord:
        out.end_at(to);
        append_word(out, row);
        return out.room(most);
      default:
        out.end_at(to);
        append_long(out, row);
        return out.room(most);
    }
  }

 private:
  enum class Form : std::uint8_t { kByte, kNumber, kWord, kText, kList };

  static Form form_of(const Column& column) {
    if (column.is_list) return Form::kList;
    if (column.is_dictionary) return Form::kWord;
    if (column.kind == ColumnKind::kText || column.kind == ColumnKind::kBytes) return Form::kText;
    return column.kind == ColumnKind::kBool ? Form::kByte : Form::kNumber;
  }

  // After a byte that is 1 for null, if the column may be null: nothing else follows a null.
  char* put_number(char* to, std::size_t row, std::size_t size) const {
    if (may_be_null_) {
      const bool is_null = values_->is_null(row);
      *to++ = is_null ? 1 : 0;
      if (is_null) return to;
    }
    evt_store_u64(to, values_->numbers()[row]);
    return to + size;
  }
  void append_word(TextBuffer& out, std::size_t row) const {
    if (values_->is_null(row)) return out.push_back(1);
    out += words_[static_cast<std::size_t>(values_->numbers()[row])];
  }

  [[gnu::noinline]] void append_long(TextBuffer& out, std::size_t row) const {
    if (form_ == Form::kText) {
      if (values_->is_null(row)) return out.push_back(1);
      return append_text(out, values_->text(row));
    }
    const auto from = static_cast<std::size_t>(values_->ends()[row]);
    const auto to = static_cast<std::size_t>(values_->ends()[row + 1]);
    out.end_at(store_size(out.room(kLongestSize), to - from));
    for (std::size_t i = from; i < to; ++i) {
      out.end_at(elements_.front().append(out, out.room(kLongestNumber), i, 0));
    }
  }

  void append_text(TextBuffer& out, std::string_view text) const {
    if (may_be_null_) out.push_back(0);
    out.end_at(store_size(out.room(kLongestSize), text.size()));
    out += text;
  }

  const ColumnValues* values_;
  Form form_;
  bool may_be_null_;
  std::vector<CachedText> words_;          // words of the dictionary, in the form of rows
  std::vector<RowBinaryColumn> elements_;  // for a list: one
};

}  // namespace

void append_row_binary(TextBuffer& out, const TableBatch& rows) {
  std::vector<RowBinaryColumn> columns;
  columns.reserve(rows.columns.size());
  for (std::size_t i = 0; i < rows.columns.size(); ++i) columns.emplace_back(rows.table->columns[i], rows.columns[i]);
  const std::size_t most = columns.size() * RowBinaryColumn::kLongestNumber;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    char* to = out.room(most);
    for (const RowBinaryColumn& column : columns) to = column.append(out, to, row, most);
    out.end_at(to);
  }
}

}  // namespace evt
