// Which code each process has at which address, through fork, exec and what it maps later.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace evt::record {

// A file, or a part of it, mapped as code.
struct CodeMapping {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t offset = 0;  // where `begin` is in the file
  std::string path;          // as the kernel has it: "/usr/bin/x", "[vdso]", "//anon"
  ino_t inode = 0;
};

// Times are those of the kernel's records, in whatever order these come: that of one cpu may be later.
class ProcessMaps {
 public:
  void add(std::uint32_t process, std::uint64_t ns, CodeMapping mapping);
  // It has another program, and none of its mappings from before.
  void become(std::uint32_t process, std::uint64_t ns);
  // A child begins with the mappings of its parent.
  void fork(std::uint32_t process, std::uint32_t parent, std::uint64_t ns);
  // What is known about a process, at any time.
  void forget(std::uint32_t process) { images_.erase(process); }

  // What a process had at an address then; null: no code that is known. Valid until the next change.
  const CodeMapping* find(std::uint32_t process, std::uint64_t ns, std::uint64_t address) const;

 private:
  struct Mapped {
    std::uint64_t ns = 0;
    CodeMapping mapping;
  };
  // From exec to exec.
  struct Image {
    std::uint64_t ns = 0;
    std::vector<Mapped> mapped;
    std::uint32_t parent = 0;  // whose mappings it has too, up to `ns`; 0: none
  };

  Image& image_at(std::uint32_t process, std::uint64_t ns);

  std::map<std::uint32_t, std::vector<Image>> images_;  // in the order of their times
};

}  // namespace evt::record
