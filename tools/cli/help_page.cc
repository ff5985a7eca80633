#include "cli/help_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include "cli/command_tree.h"

namespace evt::tools {
namespace {

constexpr std::size_t kMargin = 6;  // of a name behind a letter

constexpr const char* kEvents = "Which events";
constexpr const char* kOutput = "Output";
constexpr const char* kOwn = "Options";  // of the command itself
constexpr const char* kGeneral = "General";

// What options are for that several commands have.
constexpr std::pair<std::string_view, const char*> kPurposes[] = {{"from", kEvents},
                                                                  {"to", kEvents},
                                                                  {"at", kEvents},
                                                                  {"stream", kEvents},
                                                                  {"event", kEvents},
                                                                  {"where", kEvents},
                                                                  {"thread", kEvents},
                                                                  {"part", kEvents},
                                                                  {"process", kEvents},
                                                                  {"table", kOutput},
                                                                  {"session", kEvents},
                                                                  {"weight", kOutput},
                                                                  {"output", kOutput},
                                                                  {"canonical", kOutput},
                                                                  {"json", kOutput},
                                                                  {"csv", kOutput},
                                                                  {"raw", kOutput},
                                                                  {"markdown", kOutput},
                                                                  {"count", kOutput},
                                                                  {"types", kOutput},
                                                                  {"streams", kOutput},
                                                                  {"header", kOutput},
                                                                  {"utc", kOutput},
                                                                  {"fields", kOutput},
                                                                  {"format", kOutput},
                                                                  {"delta", kOutput},
                                                                  {"local", kOutput},
                                                                  {"zone", kOutput},
                                                                  {"json-safe", kOutput},
                                                                  {"relative", kOutput},
                                                                  {"top", kOutput},
                                                                  {"sort", kOutput},
                                                                  {"columns", kOutput},
                                                                  {"rows", kOutput},
                                                                  {"color", kOutput},
                                                                  {"wide", kOutput},
                                                                  {"no-pager", kOutput},
                                                                  {"help", kGeneral},
                                                                  {"quiet", kGeneral},
                                                                  {"no-rings", kGeneral},
                                                                  {"no-checkpoints", kGeneral},
                                                                  {"no-cache", kGeneral},
                                                                  {"version", kGeneral},
                                                                  {"manual", kGeneral},
                                                                  {"completion", kGeneral}};

const char* purpose_of(const CLI::Option& option) {
  for (const auto& [name, purpose] : kPurposes) {
    if (option.check_lname(std::string(name))) return purpose;
  }
  return kOwn;
}

// `  -o, --output FILE`; without a letter the name is where it is behind one.
std::string names_of(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += "-" + name + ", ";
  names.insert(0, names.empty() ? std::string(kMargin, ' ') : "  ");
  for (const std::string& name : option.get_lnames()) names += "--" + name + ", ";
  names.resize(names.size() - 2);
  const std::string value = value_of(option);
  names += (value.empty() || value[0] == '[' ? "" : " ") + value;
  // A long list of values goes on below.
  for (std::size_t begin = 0; names.size() - begin > kHelpWidth;) {
    const std::size_t bar = names.rfind('|', begin + kHelpWidth - 1);
    if (bar == names.npos || bar <= begin) break;
    names.insert(bar + 1, "\n" + std::string(kMargin, ' '));
    begin = bar + 2;
  }
  return names;
}

std::vector<const CLI::Option*> shown_options(const CLI::App& app, bool positional) {
  return app.get_options(
      [=](const CLI::Option* option) { return option->get_positional() == positional && is_shown(*option); });
}

std::string several(const CLI::Option& option) { return option.get_items_expected_max() > 1 ? "..." : ""; }

void append_options(std::string& page, const CLI::App& app) {
  for (const char* const purpose : {kEvents, kOwn, kOutput, kGeneral}) {
    std::string entries;
    for (const CLI::Option* const option : shown_options(app, false)) {
      if (purpose_of(*option) != purpose) continue;
      entries +=
          help_entry(names_of(*option), option->get_description() + (option->get_required() ? " (required)" : ""));
    }
    if (!entries.empty()) page += fmt::format("\n{}:\n{}", purpose, entries);
  }
}

constexpr std::size_t kTextColumn = 26;  // of what is beside a name

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream from(text);
  for (std::string line; std::getline(from, line);) lines.push_back(line);
  return lines;
}

std::size_t margin_of(const std::string& line) { return std::min(line.find_first_not_of(' '), line.size()); }

bool is_example(const std::string& line) { return line.starts_with("Example: ") || line.starts_with("Examples: "); }

// Where the text of `  name   text` begins; 0 if the line is no such item.
std::size_t text_of_item(const std::string& line) {
  const std::size_t gap = line.find("  ", margin_of(line));
  return gap == line.npos ? 0 : std::min(line.find_first_not_of(' ', gap), line.size());
}

class Wrapping {
 public:
  Wrapping(const std::string& text, std::size_t width) : lines_(lines_of(text)), width_(width) {}

  std::string text() {
    while (at_ < lines_.size()) {
      const std::string& line = lines_[at_];
      if (line.empty()) {
        keep();
      } else if (is_example(line)) {
        keep();
        while (at_ < lines_.size() && margin_of(lines_[at_]) > 0) keep();
      } else if (line.starts_with("  $ ")) {
        // Its output, with empty lines of its own, ends where something is at the margin.
        while (at_ < lines_.size() && (lines_[at_].empty() || margin_of(lines_[at_]) > 0)) keep();
      } else if (margin_of(line) == 0) {
        add_paragraph();
      } else {
        add_item();
      }
    }
    return std::move(out_);
  }

 private:
  void keep() { out_ += lines_[at_++] + '\n'; }

  // How many lines from here on belong together, the first included.
  template <typename Test>
  std::size_t count_of(Test belongs) const {
    std::size_t count = 1;
    while (at_ + count < lines_.size() && !lines_[at_ + count].empty() && belongs(lines_[at_ + count])) ++count;
    return count;
  }

  // Lines from here on, which are kept if they fit.
  void add(std::size_t count, std::size_t used, std::size_t margin) {
    const auto first = lines_.begin() + static_cast<std::ptrdiff_t>(at_);
    const auto last = first + static_cast<std::ptrdiff_t>(count);
    if (std::all_of(first, last, [&](const std::string& line) { return line.size() <= width_; })) {
      for (std::size_t i = 0; i < count; ++i) keep();
      return;
    }
    std::string words = first->substr(used);
    for (auto line = first + 1; line != last; ++line) words += ' ' + *line;
    out_ += first->substr(0, used) + wrapped_words(words, used, margin, width_);
    at_ += count;
  }

  void add_paragraph() {
    add(count_of([](const std::string& line) { return margin_of(line) == 0 && !is_example(line); }), 0, 0);
  }

  void add_item() {
    const std::size_t margin = margin_of(lines_[at_]);
    const std::size_t text = text_of_item(lines_[at_]);
    add(count_of([&](const std::string& line) { return margin_of(line) > margin; }), text > 0 ? text : margin,
        text > 0 ? text : margin);
  }

  std::vector<std::string> lines_;
  std::size_t width_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string usage_of(const CLI::App& app, const std::string& name) {
  std::string usage = name;
  if (!shown_options(app, false).empty()) usage += " [OPTIONS]";
  for (const CLI::Option* const word : shown_options(app, true)) {
    const std::string text = word->get_name(true) + several(*word);
    usage += word->get_required() ? " " + text : " [" + text + "]";
  }
  return app.get_require_subcommand_min() > 0 ? usage + " COMMAND" : usage;
}

std::string HelpPage::make_usage(const CLI::App* app, std::string name) const {
  return wrapped_words("Usage: " + usage_of(*app, name), 0, 7, kHelpWidth);
}

std::string HelpPage::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const {
  std::string page = wrapped_words(app->get_description(), 0, 0, kHelpWidth) + make_usage(app, std::move(name));
  std::string words;
  for (const CLI::Option* const word : shown_options(*app, true)) {
    words += help_entry("  " + word->get_name(true) + several(*word), word->get_description());
  }
  if (!words.empty()) page += "\nArguments:\n" + words;
  std::string commands;
  for (const CLI::App* const each : subcommands_of(*app))
    commands += help_entry("  " + each->get_name(), each->get_description());
  if (!commands.empty()) page += (app->get_require_subcommand_min() > 0 ? "\nCommands:\n" : "\nAnalyses:\n") + commands;
  append_options(page, *app);
  const std::string footer = app->get_footer();
  const std::size_t begin = std::min(footer.find_first_not_of('\n'), footer.size());
  return footer.empty() ? page : page + '\n' + wrapped_text(footer.substr(begin), kHelpWidth);
}

void use_help_page(CLI::App& app) {
  app.formatter(std::make_shared<HelpPage>());
  for (CLI::App* const command : app.get_subcommands(nullptr)) use_help_page(*command);
}

std::string wrapped_words(std::string_view words, std::size_t used, std::size_t margin, std::size_t width) {
  std::istringstream from{std::string(words)};
  std::string out;
  std::size_t column = used;
  bool begins = true;  // the line has no word yet
  for (std::string word; from >> word;) {
    if (!begins && column + 1 + word.size() > width) {
      out += '\n' + std::string(margin, ' ');
      column = margin;
      begins = true;
    }
    if (!begins) out += ' ';
    column += (begins ? 0 : 1) + word.size();
    out += word;
    begins = false;
  }
  return out + '\n';
}

std::string help_entry(const std::string& front, std::string_view text) {
  const bool fits = front.size() + 2 <= kTextColumn;
  const std::string gap = fits ? std::string(kTextColumn - front.size(), ' ') : "\n" + std::string(kTextColumn, ' ');
  return front + gap + wrapped_words(text, kTextColumn, kTextColumn, kHelpWidth);
}

std::string wrapped_text(const std::string& text, std::size_t width) { return Wrapping(text, width).text(); }

}  // namespace evt::tools
