#include <errno.h>
#include <evt/decompression.h>
#include <evt/export/csv_lines.h>
#include <evt/export/json_lines.h>
#include <evt/export/text_form_lines.h>
#include <evt/format.h>
#include <evt/recode.h>
#include <evt/status.h>
#include <evt/trace.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/output.h"
#include "base/output_format.h"
#include "base/report.h"
#include "cmd/commands.h"
#include "cmd/convert_outputs.h"
#include "input/trace_inputs.h"
#include "text_form/text_form_reader.h"

namespace evt::tools {
namespace {

constexpr std::size_t kStep = 256 << 10;

// What evt convert reads: a trace, whose descriptor is opened, or text, which is read from the front.
class ConvertInput {
 public:
  // "-" is standard input. Of a folder, the trace that it becomes.
  static Result<ConvertInput> open(const std::string& path, Report& report) {
    if (path != "-" && is_trace_folder(path)) {
      auto opened = open_trace_folder(path);
      if (!opened) return opened.status();
      report.set_unread(path, std::move(opened->problems));
      return ConvertInput(opened->descriptor, path);
    }
    const int fd = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return Status(Code::kIo, "cannot open " + path + ": " + strerror(errno));
    return ConvertInput(fd, path == "-" ? "standard input" : path);
  }

  // REQUIRES: nothing was read yet.
  ConvertInput(ConvertInput&& other) noexcept : fd_(std::exchange(other.fd_, -1)), name_(std::move(other.name_)) {}
  ConvertInput& operator=(ConvertInput&&) = delete;
  ~ConvertInput() {
    if (fd_ > STDIN_FILENO) ::close(fd_);
  }

  // Reads until there are so many bytes in the buffer, or all. What is compressed is decompressed.
  Status look(std::size_t size) {
    Status status;
    while (buffer_.size() < std::max(size, kCompressionFront) && more(&status)) {
    }
    if (!status.ok() || compression_of(std::as_bytes(std::span(buffer_))) == nullptr) return status;
    compressed_ = std::exchange(buffer_, {});
    decompression_.emplace([this](std::byte* out, std::size_t wanted) { return read_compressed({out, wanted}); });
    while (buffer_.size() < size && more(&status)) {
    }
    // Of damage those tell who open the descriptor.
    return error_;
  }

  // Reads on; false at the end, or on an error, which is then in `status`.
  bool more(Status* status) {
    const std::size_t before = buffer_.size();
    buffer_.resize(before + kStep);
    const auto to = std::as_writable_bytes(std::span(buffer_)).subspan(before);
    const std::size_t got = decompression_ ? decompression_->read(to.data(), to.size()) : read(to);
    buffer_.resize(before + got);
    if (!error_.ok()) *status = error_;
    if (got == 0 && error_.ok() && decompression_ && decompression_->damage()) {
      const Damage& damage = *decompression_->damage();
      *status = Status(Code::kDamaged, fmt::format("at {}: {}", damage.offset, damage.reason), damage.offset);
    }
    return got > 0;
  }

  std::string& buffer() { return buffer_; }

  // For who opens the descriptor instead: what was read of it.
  Bytes already_read() const { return std::as_bytes(std::span(decompression_ ? compressed_ : buffer_)); }
  // Nobody will.
  void forget_already_read() { is_kept_ = false; }
  int descriptor() const { return fd_; }
  const std::string& name() const { return name_; }

 private:
  ConvertInput(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}
  std::size_t read(std::span<std::byte> to) {
    ssize_t n;
    do {
      n = ::read(fd_, to.data(), to.size());
    } while (n < 0 && errno == EINTR);
    // Of a folder those tell who open it.
    if (n < 0 && errno != EISDIR) error_ = Status(Code::kIo, "cannot read " + name_ + ": " + strerror(errno));
    return n > 0 ? static_cast<std::size_t>(n) : 0;
  }

  std::size_t read_compressed(std::span<std::byte> to) {
    const std::size_t known = compressed_.copy(reinterpret_cast<char*>(to.data()), to.size(), used_);
    used_ += known;
    std::size_t done = known;
    while (done < to.size()) {
      const std::size_t got = read(to.subspan(done));
      if (got == 0) break;
      done += got;
    }
    if (is_kept_) compressed_.append(reinterpret_cast<const char*>(to.data()) + known, done - known);
    if (is_kept_) used_ = compressed_.size();
    return done;
  }

  int fd_;
  std::string name_;
  std::string buffer_;
  Status error_;  // of the descriptor
  std::optional<Decompression> decompression_;
  std::string compressed_;
  std::size_t used_ = 0;  // of these
  bool is_kept_ = true;
};

constexpr std::string_view kTextBegins = "evtrace text";
constexpr std::size_t kLongestLine = 64 << 20;

Status read_lines(ConvertInput& input, TextFormReader& reader) {
  Status status;
  input.forget_already_read();
  bool more = true;
  while (more && status.ok()) {
    std::string& buffer = input.buffer();
    std::size_t at = 0;
    for (std::size_t end = buffer.find('\n'); end != std::string::npos; end = buffer.find('\n', at)) {
      if (!reader.add(std::string_view(buffer).substr(at, end - at))) return reader.status();
      at = end + 1;
    }
    buffer.erase(0, at);
    if (buffer.size() > kLongestLine) return {Code::kInvalid, "a line is longer than 64 MiB"};
    more = input.more(&status);
  }
  if (status.ok() && !input.buffer().empty() && !reader.add(input.buffer())) return reader.status();
  return status;
}

int text_to_trace(ConvertInput& input, const ConvertArguments& options, const Report& report) {
  auto output = FileOutput::open(options.output, OutputMode::of(options.inputs));
  if (!output) return report.no_answer(output.status());
  const evt_sink write = [](void* to, const void* bytes, std::size_t size) {
    return static_cast<FileOutput*>(to)->write(bytes, size);
  };
  TextFormReader reader(write, &*output);
  const Status read = read_lines(input, reader);
  const Status finished = reader.finish();
  if (!output->status().ok()) return report.no_answer(output->status());
  if (read.code() == Code::kIo) return report.no_answer(read);
  const Status& error = read.ok() ? finished : read;
  if (!error.ok()) return report.no_answer({error.code(), fmt::format("{}: {}", input.name(), error.message())});
  const Status completed = output->complete();
  if (!completed.ok()) return report.no_answer(completed);
  for (const std::string& skipped : reader.skipped()) report.say(fmt::format("{}: {}", input.name(), skipped));
  return reader.skipped().empty() ? kExitOk : kExitPartly;
}

// Whether a trace is made of it, unless something else is asked for: it is a file of another format.
bool is_imported(std::string_view front) { return !front.empty() && front.find(EVT_MAGIC) == std::string_view::npos; }

std::unique_ptr<EventLines> lines_of(OutputFormat format, const Trace& trace, const Selection& selection) {
  if (format == OutputFormat::kJson) return json_lines({});
  if (format == OutputFormat::kCsv) {
    return csv_lines({}, {&trace}, [&](const EventType& type) { return selection.wants_type(type); });
  }
  return text_form_lines();
}

std::unique_ptr<TimelineExport> picture_of(OutputFormat format, const ConvertArguments& options, Trace& trace) {
  const auto weight = [&] { return options.weight ? *options.weight : usual_weight(trace); };
  switch (format) {
    case OutputFormat::kChrome:
      return chrome_json();
    case OutputFormat::kPerfetto:
      return perfetto_trace();
    case OutputFormat::kFolded:
      return folded_stacks(weight());
    case OutputFormat::kSpeedscope:
      return speedscope(weight());
    case OutputFormat::kPprof:
      return pprof(weight());
    default:
      return waveform();
  }
}

int trace_to_lines(Trace& trace, OutputFormat format, const ConvertArguments& options, Report& report,
                   const std::string& name) {
  std::optional<FileOutput> file;
  if (options.output != "-") {
    auto opened = FileOutput::open(options.output, OutputMode::of(options.inputs));
    if (!opened) return report.no_answer(opened.status());
    file.emplace(*std::move(opened));
  }
  TextOutput out(file ? file->descriptor() : STDOUT_FILENO, file ? file->name() : "standard output");
  const auto lines = lines_of(format, trace, options.selection);
  EventOptions wanted;
  wanted.markers = true;
  wanted.ends = wanted.by_ns = format == OutputFormat::kText;
  options.selection.narrow(&wanted);
  lines->begin(out.text(), name, trace);
  Events events = trace.events(wanted);
  const Event* event = nullptr;
  while (out.drain() && (event = events.next()) != nullptr) {
    if (!options.selection.wants(*event)) continue;
    report.count_unknown_times(*event);
    lines->append(out.text(), *event);
  }
  lines->end(out.text());
  if (!out.flush()) return report.no_answer(out.status());
  if (file) {
    const Status completed = file->complete(format != OutputFormat::kText);
    if (!completed.ok()) return report.no_answer(completed);
  }
  if (format == OutputFormat::kText) report.say_left_out(name, trace, false);
  return report.finish(name, trace);
}

// The same trace, its events stored in another form.
int trace_to_trace(const std::string& name, const std::function<Result<Trace>(const TakeBytes&)>& recoded_into,
                   const ConvertArguments& options, const Report& report) {
  auto output = FileOutput::open(options.output, OutputMode::of(options.inputs));
  if (!output) return report.no_answer(output.status());
  const auto recoded = recoded_into([&](Bytes bytes) { return output->write(bytes.data(), bytes.size()); });
  if (!output->status().ok()) return report.no_answer(output->status());
  if (!recoded) return report.no_answer(recoded.status());
  const Status completed = output->complete();
  if (!completed.ok()) return report.no_answer(completed);
  return report.finish(name, *recoded);
}

Form form_of(const ConvertArguments& options) { return options.rows ? Form::kRows : Form::kColumns; }

// Of several inputs, `seen` has the sessions of those before.
int convert_trace(Result<Trace> trace, OutputFormat format, const std::string& name, ConvertArguments& options,
                  Report& report, SeenSessions* seen) {
  if (!trace) return report.no_answer(trace.status());
  if (const Status resolved = options.selection.resolve({&*trace}); !resolved.ok()) {
    return report.usage(resolved.message());
  }
  options.selection.look_at(*trace);
  // The files of a session have its name.
  const std::string* const other = format == OutputFormat::kParquet ? seen->add(*trace, name) : nullptr;
  if (other != nullptr) {
    return report.no_answer({Code::kInvalid, fmt::format("{} has a session of {}, too, whose tables it would replace: "
                                                         "convert both as one trace, that of `cat {} {}`",
                                                         name, *other, *other, name)});
  }
  const int exit = format == OutputFormat::kCtf       ? convert_to_ctf(*trace, options, report, name)
                   : format == OutputFormat::kParquet ? convert_to_parquet(*trace, options, report, name)
                   : is_picture(format)
                       ? convert_timeline(*trace, *picture_of(format, options, *trace), options, report, name)
                       : trace_to_lines(*trace, format, options, report, name);
  if (exit >= kExitUsage) return exit;
  return std::max(exit, report.say_missing(options.selection.nowhere_in({&*trace})));
}

// The segments of a session, or what a program writes.
int convert_segments(const TraceInput& input, ConvertArguments& options, SeenSessions* seen) {
  Report report("evt convert");
  const Status status = check_files(input.paths(), options.output);
  if (!status.ok()) return report.usage(status.message());
  const bool to_trace = options.columns || options.rows;
  const OutputFormat format = options.format.value_or(to_trace ? OutputFormat::kTrace : OutputFormat::kText);
  if (format == OutputFormat::kTrace) {
    const auto recoded_into = [&](const TakeBytes& take) { return recode(input.paths(), form_of(options), take); };
    return trace_to_trace(input.name(), recoded_into, options, report);
  }
  return convert_trace(options.reading.open(input, report, kReadWhole), format, input.name(), options, report, seen);
}

int convert_file(const std::string& path, ConvertArguments& options, SeenSessions* seen) {
  Report report("evt convert");
  auto input = ConvertInput::open(path, report);
  if (!input) return report.no_answer(input.status());
  Status status = input->look(kTextBegins.size());
  if (!status.ok()) return report.no_answer(status);
  status = check_files({path}, options.output);
  if (!status.ok()) return report.usage(status.message());
  const bool is_text = input->buffer().starts_with(kTextBegins);
  if (is_text) {
    const bool is_plain = !options.columns && !options.rows;
    if (is_plain && options.format.value_or(OutputFormat::kTrace) == OutputFormat::kTrace) {
      return text_to_trace(*input, options, report);
    }
    return report.usage(fmt::format("{} is the text form of a trace, which becomes a trace first{}", input->name(),
                                    is_plain ? "" : ", without --columns and --rows"));
  }
  const Bytes already_read = input->already_read();
  const bool to_trace = options.columns || options.rows || is_imported(input->buffer());
  const OutputFormat format = options.format.value_or(to_trace ? OutputFormat::kTrace : OutputFormat::kText);
  if (format == OutputFormat::kTrace) {
    const auto recoded_into = [&](const TakeBytes& take) {
      return recode(input->descriptor(), input->name(), already_read, form_of(options), take);
    };
    return trace_to_trace(input->name(), recoded_into, options, report);
  }
  ReadOptions reading = options.reading.with(kReadWhole);
  reading.already_read = already_read;
  return convert_trace(Trace::open(input->descriptor(), input->name(), reading), format, input->name(), options, report,
                       seen);
}

}  // namespace

int run_convert(ConvertArguments& options) {
  if (options.format && is_for_clickhouse(*options.format)) return convert_to_clickhouse(options);
  const std::vector<TraceInput> inputs = trace_inputs(options.inputs);
  const std::string last = inputs.back().first();
  if (inputs.size() == 2 && format_by_suffix(last) && access(last.c_str(), F_OK) != 0) {
    return Report("evt convert").usage(fmt::format("expected one trace, found {} too; write -o {}", last, last));
  }
  if (inputs.size() > 1 && options.format != OutputFormat::kParquet) {
    return Report("evt convert")
        .usage(fmt::format("expected one, found {} too; several become tables (.parquet), or one trace by evt merge",
                           inputs[1].name()));
  }
  int exit = kExitOk;
  SeenSessions seen;
  for (const TraceInput& input : inputs) {
    exit = std::max(exit, input.is_one_file() ? convert_file(input.first(), options, &seen)
                                              : convert_segments(input, options, &seen));
  }
  return exit;
}

}  // namespace evt::tools
