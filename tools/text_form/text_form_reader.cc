#include "text_form_reader.h"

#include <evt/evt_copy.h>
#include <fmt/core.h>

#include "session_line.h"
#include "text_events.h"
#include "text_form_parts.h"

namespace evt::tools {
namespace {

constexpr std::size_t kMostSkipped = 100;

}  // namespace

bool TextFormReader::add(std::string_view text) {
  if (!status_.ok()) return false;
  ++line_number_;
  if (text.ends_with('\r')) text.remove_suffix(1);
  TextFormLexer line(text);
  if (!line.at_end() && line.peek() != '#') {
    parse(line);
    if (line.ok() && !line.at_end()) line.fail("expected the end of the line");
  }
  for (const std::string& skipped : line.skipped()) {
    if (skipped_.size() < kMostSkipped) skipped_.push_back(fmt::format("line {}, {}", line_number_, skipped));
  }
  if (!line.ok() && status_.ok()) {
    status_ = Status(Code::kInvalid, fmt::format("line {}, {}", line_number_, line.error()));
  }
  return status_.ok();
}

Status TextFormReader::finish() {
  if (status_.ok() && !header_seen_) status_ = Status(Code::kInvalid, "the text is empty: expected `evtrace text 1`");
  if (status_.ok() && writer_ == nullptr) status_ = Status(Code::kInvalid, "the text has no session line");
  end_session();
  return status_;
}

void TextFormReader::parse(TextFormLexer& line) {
  if (!header_seen_) return header(line);
  if (line.at_digit() || line.peek() == '-') {
    if (in_session(line)) TextEvents(*declared_).read(line);
    return;
  }
  const std::string keyword = line.word("an event line, or one of session, type, stream, string, fact, truncated");
  if (keyword == "session") return session(line);
  if (keyword == "truncated") return truncated(line);
  if (TextDeclarations::knows(keyword)) {
    if (in_session(line)) declared_->read(keyword, line);
    return;
  }
  line.refuse(fmt::format("expected an event line, or one of session, type, stream, string, fact, truncated; found {}",
                          keyword));
}

void TextFormReader::header(TextFormLexer& line) {
  const bool named = line.word("`evtrace text 1`") == "evtrace" && line.word("`evtrace text 1`") == "text";
  if (line.ok() && (!named || line.number("version 1 of the text form") != 1)) line.refuse("expected `evtrace text 1`");
  header_seen_ = true;
}

void TextFormReader::session(TextFormLexer& line) {
  end_session();
  const std::size_t start = line.place();
  const SessionLine facts(line);
  if (line.ok() && facts.id() != 0 && !session_ids_.insert(facts.id()).second) {
    line.fail_at(start, "another session of this text has a uuid that ends with the same 8 bytes");
  }
  if (line.ok()) open(facts.info());
}

void TextFormReader::open(const evt_session_info& info) {
  evt_clock clock = {};
  clock.hz = 1'000'000'000;
  clock.start_ticks = kStartTicks;
  evt_options options = {};
  options.flush_inline = 1;
  options.session = &info;
  options.clock = &clock;
  // Events after a failed write cannot be recorded: that is the consequence, not what is to be reported.
  options.on_error = [](void* self, const evt_error* first) {
    Status& status = static_cast<TextFormReader*>(self)->status_;
    if (status.ok()) status = Status(Code::kIo, first->message);
  };
  options.on_error_context = this;
  evt_error error;
  writer_ = sink_ != nullptr ? evt_open_sink(sink_, sink_context_, &options, &error)
                             : evt_open_fd(descriptor_, &options, &error);
  if (writer_ != nullptr) declared_.emplace(writer_);
  if (writer_ == nullptr && status_.ok()) status_ = Status(Code::kIo, error.message);
}

bool TextFormReader::in_session(TextFormLexer& line) {
  if (writer_ == nullptr || truncated_) line.refuse_all("expected a session line before this one");
  return line.ok();
}

void TextFormReader::end_session() {
  if (writer_ == nullptr) return;
  evt_error error;
  if (truncated_) {
    evt_close_truncated(writer_, &error);
  } else {
    evt_close(writer_, &error);
  }
  if (error.code != EVT_OK && status_.ok()) status_ = Status(static_cast<Code>(error.code), error.message);
  writer_ = nullptr;
  truncated_ = false;
  declared_.reset();
}

void TextFormReader::truncated(TextFormLexer& line) {
  if (in_session(line)) truncated_ = true;
}

}  // namespace evt::tools
