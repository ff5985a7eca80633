#include "report.h"

#include <fmt/core.h>

#include <cstdio>

#include "libtrace-read/text/text_syntax.h"
#include "terminal.h"

namespace evt::tools {
namespace {

bool quiet = false;

}  // namespace

void Report::be_quiet() { quiet = true; }
bool Report::is_quiet() { return quiet; }

std::string Report::line(const std::string& sentence, bool is_error) const {
  // Names in sentences come from users and files.
  const bool is_red = is_error && Terminal::colors_messages();
  return text_from([&](TextBuffer& out) {
    if (is_red) out += "\x1b[31m";
    out += command_;
    out += ": ";
    if (is_red) out += "\x1b[0m";
    append_harmless(out, sentence);
    out += '\n';
  });
}

void Report::print(const std::string& sentence, bool is_error) const {
  const std::string text = line(sentence, is_error);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void Report::say(const std::string& sentence) const {
  if (!quiet) print(sentence, false);
}

void Report::say_if_shortened() const {
  if (!Terminal::take_shortened()) return;
  say(fmt::format("strings were truncated to {} columns; --wide shows all", Terminal::columns()));
}

int Report::say_missing(const std::vector<std::string>& sentences) const {
  for (const std::string& sentence : sentences) say(sentence);
  return sentences.empty() ? kExitOk : kExitPartly;
}

int Report::usage(const std::string& sentence) const {
  print(sentence, true);
  return kExitUsage;
}

int Report::no_answer(const Status& status) const {
  print(status.message(), true);
  return kExitNoAnswer;
}

void Report::say_left_out(const std::string& name, const Trace& trace, bool keeps_copyable) const {
  const std::string sentence = left_out_sentence(trace, keeps_copyable);
  if (!sentence.empty()) say(name + ": " + sentence);
}

const std::vector<std::string>& Report::unread(const std::string& name) const {
  static const std::vector<std::string> none;
  const auto found = unread_.find(name);
  return found == unread_.end() ? none : found->second;
}

int Report::finish(const std::string& name, const Trace& trace) const {
  const std::string front = name + ": ";
  const int status = say_missing(unread(name));
  for (std::string& sentence : trace_sentences(trace, unknown_times_, shows_ends_)) say(sentence.insert(0, front));
  return trace.status().ok() ? status : kExitPartly;
}

}  // namespace evt::tools
