#include <evt/export/parquet_file.h>
#include <zstd.h>

#include <new>
#include <string>
#include <vector>

#include "column_chunk.h"
#include "thrift_writer.h"

namespace evt {
namespace {

constexpr std::string_view kMagic = "PAR1";
constexpr int kZstd = 6;      // CompressionCodec
constexpr int kOptional = 1;  // FieldRepetitionType
constexpr int kRepeated = 2;
constexpr int kDataPage = 0;  // PageType
constexpr int kDictionaryPage = 2;

// SchemaElement of a leaf.
void add_leaf(ThriftWriter& out, const Column& column, std::string_view name) {
  out.begin_element();
  out.i32(1, parquet_type(column.kind));
  out.i32(3, kOptional);
  out.text(4, name);
  switch (column.kind) {
    case ColumnKind::kText:
      out.i32(6, 0);  // ConvertedType UTF8
      out.begin(10);  // LogicalType STRING
      out.begin(1);
      out.end();
      out.end();
      break;
    case ColumnKind::kTime:
      out.begin(10);
      out.begin(8);         // TIMESTAMP
      out.truth(1, false);  // so that it is a TIMESTAMP_NS
      out.begin(2);
      out.begin(3);  // NANOS
      out.end();
      out.end();
      out.end();
      out.end();
      break;
    case ColumnKind::kUnsigned:
    case ColumnKind::kSigned:
      out.i32(6, column.kind == ColumnKind::kUnsigned ? 14 : 18);  // UINT_64, INT_64
      out.begin(10);
      out.begin(10);  // INTEGER
      out.i8(1, 64);
      out.truth(2, column.kind == ColumnKind::kSigned);
      out.end();
      out.end();
      break;
    default:
      break;
  }
  out.end();
}

void add_group(ThriftWriter& out, std::string_view name, int repetition, int children, bool is_list) {
  out.begin_element();
  out.i32(3, repetition);
  out.text(4, name);
  out.i32(5, children);
  if (is_list) {
    out.i32(6, 3);  // ConvertedType LIST
    out.begin(10);
    out.begin(3);
    out.end();
    out.end();
  }
  out.end();
}

}  // namespace

class ParquetFile::Impl {
 public:
  explicit Impl(const Table& table) : table_(&table) {}

  void begin(TextBuffer& out) { append(out, kMagic); }

  void add(TextBuffer& out, const TableBatch& rows) {
    RowGroup& group = groups_.emplace_back();
    group.rows = rows.rows();
    for (std::size_t i = 0; i < rows.columns.size(); ++i) {
      group.chunks.push_back(write(out, column_chunk(table_->columns[i], rows.columns[i])));
    }
  }

  void end(TextBuffer& out) {
    const std::string footer = this->footer();
    append(out, footer);
    std::string size;
    for (unsigned bits = 0; bits < 32; bits += 8) size += static_cast<char>(footer.size() >> bits);
    append(out, size);
    append(out, kMagic);
  }

 private:
  struct WrittenChunk {
    std::size_t offset = 0;
    std::size_t data_offset = 0;
    bool has_dictionary = false;
    std::size_t size = 0;
    std::size_t uncompressed = 0;
    ColumnChunk facts;  // without its pages
  };

  struct RowGroup {
    std::size_t rows = 0;
    std::vector<WrittenChunk> chunks;
  };

  void append(TextBuffer& out, std::string_view bytes) {
    out += bytes;
    offset_ += bytes.size();
  }

  WrittenChunk write(TextBuffer& out, ColumnChunk chunk) {
    WrittenChunk written;
    written.offset = written.data_offset = offset_;
    if (chunk.encoding == kParquetRleDictionary) {
      written.has_dictionary = true;
      written.uncompressed += write_page(
          out, chunk.dictionary,
          [&](ThriftWriter& head) {
            head.begin(7);  // DictionaryPageHeader
            head.i32(1, static_cast<std::int64_t>(chunk.dictionary_values));
            head.i32(2, kParquetPlain);
            head.end();
          },
          kDictionaryPage);
      written.data_offset = offset_;
    }
    written.uncompressed += write_page(
        out, chunk.data,
        [&](ThriftWriter& head) {
          head.begin(5);  // DataPageHeader
          head.i32(1, static_cast<std::int64_t>(chunk.values));
          head.i32(2, chunk.encoding);
          head.i32(3, kParquetRle);
          head.i32(4, kParquetRle);
          head.end();
        },
        kDataPage);
    written.size = offset_ - written.offset;
    chunk.data.clear();
    chunk.dictionary.clear();
    written.facts = std::move(chunk);
    return written;
  }

  // Returns its size without compression, with its header.
  template <typename AddHeader>
  std::size_t write_page(TextBuffer& out, const std::string& page, AddHeader add_header, int type) {
    packed_.resize(ZSTD_compressBound(page.size()));
    const std::size_t size = ZSTD_compress(packed_.data(), packed_.size(), page.data(), page.size(), 3);
    if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // the only possible error here
    ThriftWriter head;
    head.i32(1, type);
    head.i32(2, static_cast<std::int64_t>(page.size()));
    head.i32(3, static_cast<std::int64_t>(size));
    add_header(head);
    head.finish();
    append(out, head.bytes());
    append(out, std::string_view(packed_).substr(0, size));
    return head.bytes().size() + page.size();
  }

  // FileMetaData.
  std::string footer() const {
    ThriftWriter out;
    out.i32(1, 2);
    std::size_t elements = 1;
    for (const Column& column : table_->columns) elements += column.is_list ? 3 : 1;
    out.list_of_structs(2, elements);
    out.begin_element();
    out.text(4, "schema");
    out.i32(5, static_cast<std::int64_t>(table_->columns.size()));
    out.end();
    for (const Column& column : table_->columns) {
      if (column.is_list) {
        add_group(out, column.name, kOptional, 1, true);
        add_group(out, "list", kRepeated, 1, false);
      }
      add_leaf(out, column, column.is_list ? std::string_view("element") : std::string_view(column.name));
    }
    std::size_t rows = 0;
    for (const RowGroup& group : groups_) rows += group.rows;
    out.i64(3, static_cast<std::int64_t>(rows));
    out.list_of_structs(4, groups_.size());
    for (const RowGroup& group : groups_) add_group_of_rows(out, group);
    out.text(6, "evtrace");
    // ColumnOrder of each leaf: defines least and greatest.
    out.list_of_structs(7, table_->columns.size());
    for (std::size_t i = 0; i < table_->columns.size(); ++i) {
      out.begin_element();
      out.begin(1);
      out.end();
      out.end();
    }
    out.finish();
    return out.bytes();
  }

  void add_group_of_rows(ThriftWriter& out, const RowGroup& group) const {
    std::size_t uncompressed = 0;
    for (const WrittenChunk& chunk : group.chunks) uncompressed += chunk.uncompressed;
    out.begin_element();
    out.list_of_structs(1, group.chunks.size());
    for (std::size_t i = 0; i < group.chunks.size(); ++i) add_chunk(out, table_->columns[i], group.chunks[i]);
    out.i64(2, static_cast<std::int64_t>(uncompressed));
    out.i64(3, static_cast<std::int64_t>(group.rows));
    out.end();
  }

  static void add_chunk(ThriftWriter& out, const Column& column, const WrittenChunk& chunk) {
    out.begin_element();
    out.i64(2, static_cast<std::int64_t>(chunk.offset));
    out.begin(3);  // ColumnMetaData
    out.i32(1, parquet_type(column.kind));
    std::vector<int> encodings = {kParquetRle, chunk.facts.encoding};
    if (chunk.has_dictionary) encodings.push_back(kParquetPlain);
    out.list_of_i32(2, encodings);
    std::vector<std::string> path = {column.name};
    if (column.is_list) path.insert(path.end(), {"list", "element"});
    out.list_of_texts(3, path);
    out.i32(4, kZstd);
    out.i64(5, static_cast<std::int64_t>(chunk.facts.values));
    out.i64(6, static_cast<std::int64_t>(chunk.uncompressed));
    out.i64(7, static_cast<std::int64_t>(chunk.size));
    out.i64(9, static_cast<std::int64_t>(chunk.data_offset));
    if (chunk.has_dictionary) out.i64(11, static_cast<std::int64_t>(chunk.offset));
    out.begin(12);  // Statistics
    out.i64(3, static_cast<std::int64_t>(chunk.facts.nulls));
    if (chunk.facts.greatest) out.text(5, *chunk.facts.greatest);
    if (chunk.facts.least) out.text(6, *chunk.facts.least);
    out.end();
    out.end();
    out.end();
  }

  const Table* table_;
  std::size_t offset_ = 0;
  std::vector<RowGroup> groups_;
  std::string packed_;
};

ParquetFile::ParquetFile(const Table& table) : impl_(std::make_unique<Impl>(table)) {}
void ParquetFile::begin(TextBuffer& out) { impl_->begin(out); }
void ParquetFile::add(TextBuffer& out, const TableBatch& rows) { impl_->add(out, rows); }
void ParquetFile::end(TextBuffer& out) { impl_->end(out); }

}  // namespace evt
