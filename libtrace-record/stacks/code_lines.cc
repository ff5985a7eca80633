#include "code_lines.h"

#include <fmt/core.h>
#include <stdio.h>

#include <fstream>
#include <iterator>
#include <string>

namespace evt::record {
namespace {

constexpr std::string_view kNoFile = "//anon";  // as the kernel's records call it

bool read_line(const std::string& line, CodeMapping* mapping) {
  unsigned long begin = 0;
  unsigned long end = 0;
  unsigned long offset = 0;
  unsigned long inode = 0;
  char rights[5] = "";
  int path = 0;
  const int found =
      sscanf(line.c_str(), "%lx-%lx %4s %lx %*x:%*x %lu %n", &begin, &end, rights, &offset, &inode, &path);
  if (found != 5 || rights[2] != 'x' || begin >= end) return false;
  const std::string name = line.substr(static_cast<std::size_t>(path));
  *mapping = {begin, end, offset, name.empty() ? std::string(kNoFile) : name, inode};
  return true;
}

}  // namespace

std::vector<CodeMapping> code_in_lines(std::string_view lines) {
  std::vector<CodeMapping> code;
  for (std::size_t end = 0; (end = lines.find('\n')) != lines.npos; lines.remove_prefix(end + 1)) {
    CodeMapping mapping;
    if (read_line(std::string(lines.substr(0, end)), &mapping)) code.push_back(std::move(mapping));
  }
  return code;
}

std::vector<CodeMapping> code_of_process(std::uint32_t process) {
  std::ifstream in(fmt::format("/proc/{}/maps", process));
  return code_in_lines(std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()));
}

}  // namespace evt::record
