#include "manual.h"

#include <evt/evt.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

namespace evt::tools {
namespace {

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
  const bool takes_value = option.get_items_expected_max() > 0;
  std::string type = option.get_type_name();
  type = type.substr(0, type.find(':'));
  if (takes_value && !type.empty()) names += " \\fI" + literal(type) + "\\fR";
  return names;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

void append_options(std::string& page, const CLI::App& command) {
  page += ".SH OPTIONS\n";
  for (const CLI::Option* const option : command.get_options()) {
    if (option->get_group().empty()) continue;  // not in its help
    if (option->get_positional()) {
      fmt::format_to(std::back_inserter(page), ".TP\n\\fI{}\\fR\n{}\n", literal(option->get_name(true)),
                     literal(option->get_description()));
    } else {
      fmt::format_to(std::back_inserter(page), ".TP\n{}\n{}\n", synopsis_of(*option),
                     literal(option->get_description()));
    }
  }
}

// Of a footer: paragraphs that begin with a word and a colon become sections.
void append_footer(std::string& page, const std::string& footer) {
  std::istringstream lines(footer);
  bool is_output = false;                  // of an example: its empty lines are its own
  std::size_t margin = std::string::npos;  // spaces in front of each line that are left out, at most
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    const std::string title = line.substr(0, colon);
    const bool is_section =
        title == "Conditions" || title == "Example" || title == "Examples" || title == "Exit status";
    const bool is_heading = line == "Columns:" || line == "Example:" || line.starts_with("Tables: ");
    if (is_heading) {
      page += ".SH " + upper(line.substr(0, line.find(':'))) + "\n.nf\n";
      margin = 2;
      is_output = line == "Example:";
      if (!line.starts_with("Tables: ")) continue;
      line = line.substr(colon + 2);
    } else if (colon != line.npos && is_section) {
      page += (is_output ? ".fi\n" : "") + (".SH " + upper(title)) + "\n";
      is_output = false;
      if (title != "Exit status") page += ".nf\n";
      line = line.substr(colon + 2);
      margin = title == "Conditions" ? 0 : std::string::npos;
    } else if (line.empty()) {
      page += is_output ? ".sp\n" : ".fi\n";
      continue;
    }
    page += literal(line.substr(std::min({margin, line.find_first_not_of(' '), line.size()}))) + "\n";
  }
  page += ".fi\n";
}

std::vector<const CLI::App*> subcommands_of(const CLI::App& app) {
  const auto all = app.get_subcommands([](const CLI::App*) { return true; });
  return {all.begin(), all.end()};
}

bool has_words(const CLI::App& command) {
  const auto options = command.get_options();
  return std::any_of(options.begin(), options.end(), [](const CLI::Option* each) { return each->get_positional(); });
}

}  // namespace

std::string manual_page(const CLI::App& command, const std::string& name) {
  std::string dashed = name;
  std::replace(dashed.begin(), dashed.end(), ' ', '-');
  std::string spaced = name;
  std::replace(spaced.begin(), spaced.end(), '-', ' ');
  std::string page = fmt::format(".TH {} 1 \"\" \"evtrace {}\" \"User Commands\"\n", upper(dashed), EVT_VERSION);
  page += ".SH NAME\n" + literal(dashed) + " \\- " + literal(command.get_description()) + "\n";
  const auto subcommands = subcommands_of(command);
  page += ".SH SYNOPSIS\n\\fB" + literal(spaced) + "\\fR " +
          (subcommands.empty() || has_words(command) ? "[\\fIOPTION\\fR]... " : "\\fISUBCOMMAND\\fR ...");
  for (const CLI::Option* const option : command.get_options()) {
    if (option->get_positional())
      page += "\\fI" + literal(option->get_name(true)) + "\\fR" + (option->get_items_expected_max() > 1 ? "... " : " ");
  }
  page += "\n";
  if (!subcommands.empty()) {
    page += ".SH SUBCOMMANDS\n";
    for (const CLI::App* const each : subcommands) {
      fmt::format_to(std::back_inserter(page), ".TP\n\\fB{}\\-{}\\fR(1)\n{}\n", literal(dashed),
                     literal(each->get_name()), literal(each->get_description()));
    }
  }
  append_options(page, command);
  append_footer(page, command.get_footer());
  if (dashed != "evt") page += ".SH SEE ALSO\n\\fBevt\\fR(1)\n";
  return page;
}

}  // namespace evt::tools
