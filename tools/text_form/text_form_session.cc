// Lines that begin sessions.
#include <evt/format.h>
#include <fmt/core.h>

#include <algorithm>

#include "text_form_parts.h"
#include "text_form_reader.h"

namespace evt::tools {
namespace {

constexpr std::size_t kUuidSize = sizeof evt_session_info::uuid;

struct Facts {
  std::string program;
  std::string host;
  std::string boot;
  std::string writer;
  std::vector<std::string> words;
  std::string origins;  // one uuid behind the other
  evt_session_info info = {};
};

std::string uuid(TextFormLexer& line) {
  std::string bytes = line.hex("the uuid");
  if (line.ok() && bytes.size() != kUuidSize) line.refuse("a uuid has 16 bytes");
  return bytes;
}

void own_uuid(TextFormLexer& line, std::uint8_t* out) {
  const std::string bytes = uuid(line);
  const bool zeros = std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == 0; });
  if (line.ok() && zeros) line.refuse("a uuid of zeros is none: without uuid= the session gets a random one");
  std::copy_n(bytes.begin(), std::min(bytes.size(), kUuidSize), out);
}

void words(TextFormLexer& line, std::vector<std::string>* out) {
  line.expect('[');
  while (line.ok() && !line.take(']')) out->push_back(line.quoted("a word of the command line"));
  for (const std::string& word : *out) refuse_nul(line, word);
}

// The writer would leave out what is too much, and the text would not come back.
void origins(TextFormLexer& line, std::string* out) {
  const std::size_t start = line.place();
  line.expect('[');
  while (line.ok() && !line.take(']')) *out += uuid(line);
  if (out->size() <= kUuidSize * EVT_MAX_ORIGINS) return;
  line.fail_at(start, fmt::format("a session has at most {} origins", std::size_t{EVT_MAX_ORIGINS}));
}

void text(TextFormLexer& line, std::string* out) {
  *out = line.quoted("a text");
  refuse_nul(line, *out);
}

bool fact(TextFormLexer& line, const std::string& name, Facts* out) {
  if (name == "uuid") {
    own_uuid(line, out->info.uuid);
  } else if (name == "start") {
    out->info.start_utc_ns = line.seconds("the start");
  } else if (name == "program") {
    text(line, &out->program);
  } else if (name == "pid") {
    out->info.pid = line.number("the pid");
  } else if (name == "host") {
    text(line, &out->host);
  } else if (name == "boot") {
    text(line, &out->boot);
  } else if (name == "writer") {
    text(line, &out->writer);
  } else if (name == "args") {
    words(line, &out->words);
  } else if (name == "origins") {
    origins(line, &out->origins);
  } else {
    return false;
  }
  return true;
}

}  // namespace

void TextFormReader::session(TextFormLexer& line) {
  end_session();
  Facts facts;
  const std::size_t start = line.place();
  pairs(line, [&](const std::string& name) { return fact(line, name, &facts); });
  const std::uint64_t id = evt_load_u64(facts.info.uuid);
  if (line.ok() && id != 0 && !session_ids_.insert(id).second) {
    line.fail_at(start, "another session of this text has a uuid that begins with the same 8 bytes");
  }
  if (!line.ok()) return;
  std::vector<const char*> words;
  for (const std::string& word : facts.words) words.push_back(word.c_str());
  facts.info.program = facts.program.c_str();
  facts.info.host = facts.host.c_str();
  facts.info.boot_id = facts.boot.c_str();
  facts.info.writer = facts.writer.c_str();
  facts.info.command_line = words.data();
  facts.info.command_line_count = static_cast<std::uint32_t>(facts.words.size());
  facts.info.origins = reinterpret_cast<const std::uint8_t*>(facts.origins.data());
  facts.info.origin_count = static_cast<std::uint32_t>(facts.origins.size() / kUuidSize);
  facts.info.exact = 1;
  open(facts.info);
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
  if (writer_ == nullptr && status_.ok()) status_ = Status(Code::kIo, error.message);
}

}  // namespace evt::tools
