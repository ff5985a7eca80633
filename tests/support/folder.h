// A folder of a test's own, gone with it, and with it the rings of programs that recorded into it; and what tests that
// run beside each other have in common.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace evt::testing {

class Folder {
 public:
  Folder();  // for whose rings see keeps_dead_rings()
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  // The path of a file in it.
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }
  const std::string& path() const { return path_; }
  // Makes a file; returns its path.
  std::string write(std::string_view name, std::string_view content) const;

 private:
  std::string path_;
};

// The paths of rings whose writers wrote, or were about to write, traces in a folder.
std::vector<std::string> rings_of(const Folder& folder);
// With the segments of flight recorders.
void remove_rings_of(const Folder& folder);

// A writer puts away the rings of killed programs when there are many. A test whose programs leave some that shall stay
// keeps those tests away, until it ends, that leave many; such a one waits until it is alone.
void keeps_dead_rings();
void leaves_many_dead_rings();

std::string read_file(const std::string& path);
std::string source_file(std::string_view path);  // of this project, by its path from the top

}  // namespace evt::testing
