#include "report.h"

#include <cstdio>

#include "libtrace-read/export/src/base/text_syntax.h"
#include "trace_sentences.h"

namespace evt::tools {
void Report::say(const std::string& sentence) const {
  // Names in sentences come from users and files.
  const std::string line = text_from([&](TextBuffer& out) {
    out += command_;
    out += ": ";
    append_harmless(out, sentence);
    out += '\n';
  });
  std::fwrite(line.data(), 1, line.size(), stderr);
}

int Report::usage(const std::string& sentence) const {
  say(sentence);
  std::fputs("Run with --help for more information.\n", stderr);
  return kExitUsage;
}

int Report::no_answer(const Status& status) const {
  say(status.message());
  return kExitNoAnswer;
}

void Report::say_left_out(const std::string& name, const Trace& trace, bool keeps_copyable) const {
  const std::string sentence = left_out_sentence(trace, keeps_copyable);
  if (!sentence.empty()) say(name + ": " + sentence);
}

int Report::finish(const std::string& name, const Trace& trace) const {
  const std::string front = name + ": ";
  for (std::string& sentence : trace_sentences(trace, losses_, unknown_times_)) say(sentence.insert(0, front));
  return trace.status().ok() ? kExitOk : kExitPartly;
}

}  // namespace evt::tools
