#include "assertions/junit_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "libtrace-view/look/texts.h"

namespace evt::tools {
namespace {

using Held = Verdict::Held;
using Judged = JudgedTrace::Judged;
using view::xml_text;

// An assertion that does not hold is a failure; one that cannot be judged is an error.
std::string case_of(const std::string& trace, const Judged& judged) {
  const auto& [held, value, why] = judged.verdict;
  const std::string opening =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml_text(trace), xml_text(judged.assertion));
  if (held == Held::kYes) return opening + "/>\n";
  const std::string message = held == Held::kNo ? "it is " + value : why;
  return fmt::format("{}>\n      <{} message=\"{}\"/>\n    </testcase>\n", opening,
                     held == Held::kNo ? "failure" : "error", xml_text(message));
}

std::string suite_of(const JudgedTrace& trace) {
  const auto count = [&](Held held) {
    return std::ranges::count(trace.assertions, held, [](const Judged& judged) { return judged.verdict.held; });
  };
  const bool is_read = trace.error.empty();
  std::string text = fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n",
                                 xml_text(trace.name), trace.assertions.size() + (is_read ? 0 : 1), count(Held::kNo),
                                 count(Held::kNotKnown) + (is_read ? 0 : 1));
  for (const Judged& judged : trace.assertions) text += case_of(trace.name, judged);
  if (!is_read) {
    text += case_of(trace.name, {"the whole trace is read", "", {Held::kNotKnown, "", trace.error}});
  }
  return text + "  </testsuite>\n";
}

}  // namespace

std::string junit_report(const std::vector<JudgedTrace>& traces) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const JudgedTrace& trace : traces) text += suite_of(trace);
  return text + "</testsuites>\n";
}

}  // namespace evt::tools
