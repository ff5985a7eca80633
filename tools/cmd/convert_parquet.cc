#include <errno.h>
#include <evt/export/parquet_file.h>
#include <evt/export/tables.h>
#include <fmt/chrono.h>
#include <fmt/core.h>
#include <string.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/output.h"
#include "base/progress.h"
#include "cmd/convert_outputs.h"
#include "libtrace-read/text/session_key.h"
#include "libtrace-read/text/shown.h"

namespace evt::tools {
namespace {

// Of a row group, as DuckDB makes them.
constexpr std::size_t kMostRows = 122'880;
// Files that are open at a time: tables beyond that are written in another reading.
constexpr std::size_t kMostFiles = 64;

std::string day_of(const Session& session) {
  const std::chrono::sys_time<std::chrono::nanoseconds> start{std::chrono::nanoseconds(session.start_utc_ns)};
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(start)};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

// 64-bit FNV-1a (by Fowler, Noll and Vo): the same on all machines, for ever.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xCBF2'9CE4'8422'2325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01B3;
  return hash;
}

// Does not split an escape; no other name has this end.
std::string shortened(const std::string& name) {
  constexpr std::size_t kMost = 255;
  constexpr std::size_t kFront = 230;
  if (name.size() <= kMost) return name;
  const std::size_t escape = name.rfind('%', kFront - 1);
  const bool splits = escape != std::string::npos && escape + 3 > kFront;
  return fmt::format("{}~{:016x}", name.substr(0, splits ? escape : kFront), hash_of(name));
}

// `key=value`, Hive's name for the folder of a value: all but letters, digits, `-`, `_` and `.` becomes `%XX`. A name
// beyond 255 bytes, which no file system accepts, is replaced by its beginning, `~` and a hash of all.
std::string partition_name(std::string_view key, std::string_view value) {
  std::string name = fmt::format("{}=", key);
  if (value.empty()) return name + "__HIVE_DEFAULT_PARTITION__";
  for (const char c : value) {
    const bool is_plain =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_' || c == '.';
    name += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return shortened(name);
}

// A file in the making.
class TableFile {
 public:
  static Result<std::unique_ptr<TableFile>> open(const std::string& path, const OutputMode& mode,
                                                 const evt::Table& table) {
    if (!mode.make_folders(path.substr(0, path.rfind('/')))) {
      return Status(Code::kIo, fmt::format("cannot make the folder of {}: {}", path, strerror(errno)));
    }
    auto file = FileOutput::open(path, mode);
    if (!file) return file.status();
    auto made = std::unique_ptr<TableFile>(new TableFile(*std::move(file), table));
    made->parquet_.begin(made->text_);
    return made;
  }

  Status add(const TableBatch& rows) {
    parquet_.add(text_, rows);
    return write();
  }
  Status complete() {
    parquet_.end(text_);
    if (Status written = write(); !written.ok()) return written;
    return file_.complete();
  }

 private:
  TableFile(FileOutput file, const evt::Table& table) : file_(std::move(file)), parquet_(table) {}

  Status write() {
    file_.write(text_.text().data(), text_.size());
    text_.clear();
    return file_.status();
  }

  FileOutput file_;
  ParquetFile parquet_;
  TextBuffer text_;
};

class TablesFolder {
 public:
  TablesFolder(Trace& trace, const ConvertArguments& options)
      : trace_(&trace), tables_({&trace_, 1}), mode_(OutputMode::of(options.inputs)) {
    folder_ = options.output;
    reading_.range = [&](const Session& session) { return options.selection.range(session); };
    reading_.most_rows = kMostRows;
    reading_.split_sessions = true;
    for (const Session& session : trace.sessions()) sessions_[session_key(session)] = &session;
  }

  Status write() {
    std::vector<const evt::Table*> all;
    for (const evt::Table& table : tables_.all()) all.push_back(&table);
    for (std::size_t i = 0; i < all.size(); i += kMostFiles) {
      const std::size_t count = std::min(kMostFiles, all.size() - i);
      if (const Status written = write(std::span(all).subspan(i, count)); !written.ok()) return written;
    }
    return {};
  }

 private:
  using Place = std::pair<const evt::Table*, const Session*>;

  Status write(std::span<const evt::Table* const> tables) {
    Tables::Rows rows = tables_.read(tables, reading_);
    while (const TableBatch* const batch = rows.next()) {
      progress_.show(++batches_, 0);
      const Session* const session = sessions_.at(batch->columns.front().number(0));
      auto& file = files_[{batch->table, session}];
      if (file == nullptr) {
        auto opened = TableFile::open(path_of(*batch->table, *session), mode_, *batch->table);
        if (!opened) return opened.status();
        file = *std::move(opened);
      }
      if (const Status written = file->add(*batch); !written.ok()) return written;
    }
    for (auto& [place, file] : files_) {
      if (const Status completed = file->complete(); !completed.ok()) return completed;
    }
    files_.clear();
    return rows.status().code() == Code::kIo ? rows.status() : Status();
  }

  std::string path_of(const evt::Table& table, const Session& session) const {
    return fmt::format("{}/{}/{}/{}/{}.parquet", folder_, partition_name("table", table.name),
                       partition_name("date", day_of(session)), partition_name("host", session.host),
                       uuid_text(session.uuid));
  }

  Trace* trace_;
  Tables tables_;
  OutputMode mode_;
  std::string folder_;
  Tables::Options reading_;
  std::map<std::uint64_t, const Session*> sessions_;
  std::map<Place, std::unique_ptr<TableFile>> files_;
  Progress progress_;
  std::uint64_t batches_ = 0;
};

}  // namespace

int convert_to_parquet(Trace& trace, const ConvertArguments& options, Report& report, const std::string& name) {
  if (const Status written = TablesFolder(trace, options).write(); !written.ok()) return report.no_answer(written);
  return report.finish(name, trace);
}

}  // namespace evt::tools
