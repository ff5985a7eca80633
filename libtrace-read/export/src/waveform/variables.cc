#include "variables.h"

#include <map>
#include <set>

namespace evt {
namespace {

std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-';
    text += is_plain ? c : '_';
  }
  return text.empty() ? "_" : text;
}

// Names of one scope, each once.
class UsedNames {
 public:
  std::string unused(const std::string& name) {
    std::string wanted = name;
    for (std::size_t& next = next_[name]; !used_.insert(wanted).second;) {
      wanted = name + "_" + std::to_string(next + 2);
      ++next;
    }
    return wanted;
  }

 private:
  std::set<std::string> used_;
  std::map<std::string, std::size_t> next_;  // next number to append, by name
};

constexpr const char* kTypes[] = {"reg 3 ", "integer 64 ", "real 64 ", "wire 1 ", "event 1 "};

}  // namespace

std::size_t Variables::add(Type type, std::string_view scope) {
  if (all_.size() == kMost) {
    ++left_out_;
    return kMost;
  }
  all_.push_back({type, std::string(scope), {}});
  return all_.size() - 1;
}

void Variables::name(std::size_t variable, std::string_view name) {
  if (variable < all_.size()) all_[variable].name = name;
}

void Variables::append_code(TextBuffer& out, std::size_t variable) {
  do {
    out += static_cast<char>('!' + variable % 94);
    variable /= 94;
  } while (variable > 0);
}

void Variables::append_declarations(TextBuffer& out) const {
  std::map<std::string, std::vector<std::size_t>> scopes;
  for (std::size_t i = 0; i < all_.size(); ++i) scopes[all_[i].scope].push_back(i);
  UsedNames used_scopes;
  for (const auto& [scope, variables] : scopes) {
    out += "$scope module ";
    out += used_scopes.unused(plain(scope));
    out += " $end\n";
    UsedNames used;
    for (const std::size_t i : variables) {
      out += "$var ";
      out += kTypes[static_cast<std::size_t>(all_[i].type)];
      append_code(out, i);
      out += ' ';
      out += used.unused(plain(all_[i].name));
      out += " $end\n";
    }
    out += "$upscope $end\n";
  }
}

}  // namespace evt
