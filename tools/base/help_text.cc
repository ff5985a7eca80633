#include "help_text.h"

#include <algorithm>
#include <iterator>

namespace evt::tools {
namespace {

struct HelpText {
  std::string_view name;
  const char* text;
};

constexpr HelpText kHelpTexts[] = {
#include "help_texts.inc"
};

}  // namespace

std::string help_text(std::string_view name) {
  const auto* const found = std::ranges::find_if(kHelpTexts, [&](const HelpText& each) { return each.name == name; });
  return found != std::end(kHelpTexts) ? found->text : "";
}

}  // namespace evt::tools
