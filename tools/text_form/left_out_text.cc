#include "left_out_text.h"

#include <evt/names.h>
#include <fmt/core.h>

#include "text_form_parts.h"

namespace evt::tools {

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
    return line.refuse(fmt::format("these are behind {} names", std::size_t{EVT_MAX_ORIGINS}));
  }
  more = static_cast<std::uint32_t>(line.number("how many", UINT32_MAX - EVT_MAX_ORIGINS));
}

}  // namespace evt::tools
