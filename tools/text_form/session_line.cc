#include "session_line.h"

#include <evt/format.h>
#include <fmt/core.h>

#include <algorithm>

#include "text_form_parts.h"

namespace evt::tools {
namespace {

constexpr std::size_t kUuidSize = sizeof evt_session_info::uuid;

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

}  // namespace

SessionLine::SessionLine(TextFormLexer& line) {
  pairs(line, [&](const std::string& name) { return take(line, name); });
  if (!line.ok()) return;
  for (const std::string& word : words_) word_pointers_.push_back(word.c_str());
  info_.program = program_.c_str();
  info_.host = host_.c_str();
  info_.boot_id = boot_.c_str();
  info_.writer = writer_.c_str();
  info_.command_line = word_pointers_.data();
  info_.command_line_count = static_cast<std::uint32_t>(words_.size());
  info_.origins = reinterpret_cast<const std::uint8_t*>(origins_.data());
  info_.origin_count = static_cast<std::uint32_t>(origins_.size() / kUuidSize);
  info_.cut = cut_.empty() ? nullptr : cut_.c_str();
  info_.left_out = left_out_.info();
  info_.exact = 1;
}

bool SessionLine::take(TextFormLexer& line, const std::string& name) {
  if (name == "uuid") {
    own_uuid(line, info_.uuid);
  } else if (name == "start") {
    info_.start_utc_ns = line.seconds("the start");
  } else if (name == "program") {
    text(line, &program_);
  } else if (name == "pid") {
    info_.pid = line.number("the pid");
  } else if (name == "host") {
    text(line, &host_);
  } else if (name == "boot") {
    text(line, &boot_);
  } else if (name == "writer") {
    text(line, &writer_);
  } else if (name == "args") {
    words(line, &words_);
  } else if (name == "origins") {
    origins(line, &origins_);
  } else if (name == "cut") {
    text(line, &cut_);
  } else if (name == "left_out") {
    left_out_.read(line);
  } else {
    return false;
  }
  return true;
}

}  // namespace evt::tools
