#include "manual.h"

#include <evt/evt.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <span>
#include <sstream>
#include <string_view>

#include "cli/command_tree.h"
#include "cli/environment.h"
#include "cli/help_page.h"

namespace evt::tools {
namespace {

constexpr std::size_t kManualWidth = 73;  // a page of 80 columns has a margin of seven

// A text that roff shows as it is.
std::string literal(const std::string& text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

// -o, --output FILE
std::string synopsis_of(const CLI::Option& option) {
  std::string names;
  const auto add = [&](const std::string& name) {
    names += (names.empty() ? "" : ", ") + ("\\fB" + literal(name) + "\\fR");
  };
  for (const std::string& name : option.get_snames()) add("-" + name);
  for (const std::string& name : option.get_lnames()) add("--" + name);
  const std::string value = value_of(option);
  if (!value.empty()) names += (value[0] == '[' ? "\\fI" : " \\fI") + literal(value) + "\\fR";
  return names;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

void append_option_list(std::string& page, const CLI::App& command) {
  page += ".SH OPTIONS\n";
  for (const CLI::Option* const option : command.get_options()) {
    if (!is_shown(*option)) continue;
    if (option->get_positional()) {
      fmt::format_to(std::back_inserter(page), ".TP\n\\fI{}\\fR\n{}\n", literal(option->get_name(true)),
                     literal(option->get_description()));
    } else {
      fmt::format_to(std::back_inserter(page), ".TP\n{}\n{}\n", synopsis_of(*option),
                     literal(option->get_description()));
    }
  }
}

// The footer of a command as sections of its page. Paragraphs that begin with a word and a colon are sections of their
// own; lists and examples are kept line by line.
class Footer {
 public:
  explicit Footer(std::string* page) : page_(*page) {}

  void append(const std::string& footer) {
    std::istringstream lines(footer);
    for (std::string line; std::getline(lines, line);) append_line(line);
    keep_lines(false);
  }

 private:
  enum class Section : std::uint8_t { kProse, kExitStatus, kConditions, kExamples, kColumns, kAsPrinted };

  // Whether lines are shown as they are.
  void keep_lines(bool wanted) {
    if (wanted != is_kept_) page_ += wanted ? ".nf\n" : ".fi\n";
    is_kept_ = wanted;
  }

  void begin(Section section, const std::string& title) {
    keep_lines(false);
    page_ += ".SH " + upper(title) + "\n";
    section_ = section;
    has_section_ = true;
    has_gap_ = false;
  }

  // What is behind the title of a section, if the line begins one.
  std::string without_title(const std::string& line) {
    const std::string title = line.substr(0, line.find(':'));
    const bool has_more = line.size() > title.size() + 1;
    const std::string rest = has_more ? line.substr(title.size() + 2) : "";
    if (title == "Conditions")
      begin(Section::kConditions, title);
    else if (title == "Exit status")
      begin(Section::kExitStatus, title);
    else if (title == "Columns" || title == "Tables")
      begin(Section::kColumns, title);
    else if (title == "Examples" || title == "Example")
      begin(has_more ? Section::kExamples : Section::kAsPrinted, title);
    else
      return line;
    return rest;
  }

  void append_line(const std::string& whole) {
    if (whole.empty() && section_ == Section::kAsPrinted) {
      page_ += ".sp\n";
      return;
    }
    if (whole.empty()) {
      has_gap_ = true;
      if (section_ != Section::kExitStatus) section_ = Section::kProse;
      return;
    }
    const std::string line = without_title(whole);
    if (line.empty()) return;
    if (!has_section_) begin(Section::kProse, "Description");
    const std::size_t indent = line.find_first_not_of(' ');
    const bool is_prose = section_ == Section::kProse || section_ == Section::kExitStatus;
    keep_lines(!is_prose || indent > 0);
    if (has_gap_) page_ += ".PP\n";
    has_gap_ = false;
    const std::size_t margin = section_ == Section::kConditions ? 0 : section_ == Section::kExamples ? indent : 2;
    page_ += literal(line.substr(std::min(margin, indent))) + "\n";
  }

  std::string& page_;
  Section section_ = Section::kProse;
  bool has_section_ = false;
  bool is_kept_ = false;
  bool has_gap_ = false;
};

bool has_words(const CLI::App& command) {
  const auto options = command.get_options();
  return std::ranges::any_of(options, [](const CLI::Option* each) { return each->get_positional(); });
}

// Of the environment, or of files, what the command uses.
void append_surroundings(std::string& page, const char* title, std::span<const Surrounding> all,
                         std::string_view command) {
  std::string entries;
  for (const Surrounding& each : all) {
    if (!is_of(each, command)) continue;
    entries += fmt::format(".TP\n\\fB{}\\fR\n{}\n", literal(each.name), literal(each.what));
  }
  page += fmt::format(".SH {}\n", title) + entries;
}

// A section at the end: other pages, in order.
std::string see_also(const std::string& name) {
  std::string pages;
  for (const char* const page : {"evt(1)", "evtrace(3)", "evtrace(5)"}) {
    const std::string_view whole(page);
    if (whole.substr(0, whole.size() - 3) == name) continue;
    pages += pages.empty() ? ".SH SEE ALSO\n" : ",\n";
    pages += fmt::format("\\fB{}\\fR{}", whole.substr(0, whole.size() - 3), whole.substr(whole.size() - 3));
  }
  return pages + "\n";
}

}  // namespace

std::string manual_page(const CLI::App& command, const std::string& name) {
  std::string dashed = name;
  std::ranges::replace(dashed, ' ', '-');
  std::string spaced = name;
  std::ranges::replace(spaced, '-', ' ');
  std::string page = fmt::format(".TH {} 1 \"\" \"evtrace {}\" \"User Commands\"\n", upper(dashed), EVT_VERSION);
  page += ".SH NAME\n" + literal(dashed) + " \\- " + literal(command.get_description()) + "\n";
  const auto subcommands = subcommands_of(command);
  page += ".SH SYNOPSIS\n\\fB" + literal(spaced) + "\\fR " +
          (subcommands.empty() || has_words(command) ? "[\\fIOPTION\\fR]..." : "\\fISUBCOMMAND\\fR ...");
  for (const CLI::Option* const option : command.get_options()) {
    if (option->get_positional())
      page += " \\fI" + literal(option->get_name(true)) + "\\fR" + (option->get_items_expected_max() > 1 ? "..." : "");
  }
  page += "\n";
  if (!subcommands.empty()) {
    page += ".SH SUBCOMMANDS\n";
    for (const CLI::App* const each : subcommands) {
      fmt::format_to(std::back_inserter(page), ".TP\n\\fB{}\\-{}\\fR(1)\n{}\n", literal(dashed),
                     literal(each->get_name()), literal(each->get_description()));
    }
  }
  append_option_list(page, command);
  Footer(&page).append(wrapped_text(command.get_footer(), kManualWidth));
  const std::string used_by = dashed == "evt" ? dashed : dashed.substr(4);  // behind evt-
  append_surroundings(page, "ENVIRONMENT", environment_variables(), used_by);
  append_surroundings(page, "FILES", files_of_evt(), used_by);
  return page + see_also(dashed);
}

}  // namespace evt::tools
