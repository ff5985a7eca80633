#include "cli/wrapped_text.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace evt::tools {
namespace {

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
