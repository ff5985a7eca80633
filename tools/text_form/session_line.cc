#include "session_line.h"

#include <evt/names.h>
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
  const bool zeros = std::ranges::all_of(bytes, [](char c) { return c == 0; });
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
  *out = line.quoted("a string");
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

void LeftOutText::read(TextFormLexer& line) {
  is_stated_ = true;
  // What is not limited.
  info_.from_ns = INT64_MIN;
  info_.to_ns = INT64_MAX;
  line.expect('[');
  pairs(line, [&](const std::string& name) { return take(line, name); });
  line.expect(']');
  info_.streams = streams_.pointers.data();
  info_.stream_count = streams_.count();
  info_.types = types_.pointers.data();
  info_.type_count = types_.count();
  if (info_.has_range == 0) info_.from_ns = info_.to_ns = 0;
}

bool LeftOutText::take(TextFormLexer& line, const std::string& name) {
  if (name == "from") {
    info_.from_ns = line.seconds("a time");
    info_.has_range = 1;
  } else if (name == "to") {
    info_.to_ns = line.seconds("a time");
    info_.has_range = 1;
  } else if (name == "streams") {
    streams_.read(line);
  } else if (name == "more_streams") {
    streams_.read_more(line);
  } else if (name == "types") {
    types_.read(line);
  } else if (name == "more_types") {
    types_.read_more(line);
  } else if (name == "sampled") {
    sampled(line);
  } else if (name == "one_in") {
    info_.one_in = line.number("how many");
  } else if (name == "others") {
    expect_true(line);
    info_.others = 1;
  } else {
    return false;
  }
  return true;
}

void LeftOutText::sampled(TextFormLexer& line) {
  if (line.at_digit()) {
    info_.sampled_by = static_cast<std::uint16_t>(line.number("a way to sample", UINT16_MAX));
    return;
  }
  const std::string text = line.word("a way to sample");
  for (const NamedNumber& each : named_numbers(NumberList::kSampling)) {
    if (text == each.name) info_.sampled_by = each.number;
  }
  if (info_.sampled_by == EVT_SAMPLED_NONE) line.refuse(fmt::format("{} is no way to sample", text));
}

void LeftOutText::Names::read(TextFormLexer& line) {
  const std::size_t start = line.place();
  line.expect('[');
  while (line.ok() && !line.take(']')) {
    texts.push_back(line.quoted("a name"));
    refuse_nul(line, texts.back());
  }
  if (texts.size() > EVT_MAX_ORIGINS) {
    line.fail_at(start, fmt::format("a session has at most {} of these names", std::size_t{EVT_MAX_ORIGINS}));
  }
  pointers.clear();
  for (const std::string& text : texts) pointers.push_back(text.c_str());
}

void LeftOutText::Names::read_more(TextFormLexer& line) {
  if (texts.size() != EVT_MAX_ORIGINS) {
    return line.refuse(fmt::format("expected {} names before this", std::size_t{EVT_MAX_ORIGINS}));
  }
  more = static_cast<std::uint32_t>(line.number("how many", UINT32_MAX - EVT_MAX_ORIGINS));
}

}  // namespace evt::tools
