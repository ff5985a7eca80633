#include "program_file.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vector>

namespace evt::record {
namespace {

constexpr int kMostScripts = 4;            // whose interpreter is a script
constexpr std::size_t kMostHeaders = 256;  // in an ELF file
constexpr std::uint64_t kMostNames = 16 << 20;

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool read(void* to, std::size_t size, std::uint64_t at) const {
    return pread(fd_, to, size, static_cast<off_t>(at)) == static_cast<ssize_t>(size);
  }
  std::string front(std::size_t most) const {
    std::string text(most, '\0');
    const ssize_t size = pread(fd_, text.data(), most, 0);
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
  }

 private:
  int fd_;
};

std::string found_in_path(const std::string& word) {
  if (word.find('/') != word.npos) return access(word.c_str(), F_OK) == 0 ? word : "";
  const char* const path = getenv("PATH");
  std::string rest = path != nullptr ? path : "/bin:/usr/bin";
  for (std::size_t at = 0; at <= rest.size();) {
    const std::size_t end = std::min(rest.find(':', at), rest.size());
    const std::string folder = end > at ? rest.substr(at, end - at) : ".";
    const std::string candidate = folder + "/" + word;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    at = end + 1;
  }
  return "";
}

// The names that it needs and exports.
std::string dynamic_names(const Descriptor& file, const Elf64_Ehdr& header) {
  std::string names;
  const std::size_t count = std::min<std::size_t>(header.e_shnum, kMostHeaders);
  for (std::size_t i = 0; i < count; ++i) {
    Elf64_Shdr section;
    if (!file.read(&section, sizeof section, header.e_shoff + i * sizeof section)) break;
    if (section.sh_type != SHT_STRTAB || (section.sh_flags & SHF_ALLOC) == 0 || section.sh_size > kMostNames) continue;
    names.resize(section.sh_size);
    if (!file.read(names.data(), names.size(), section.sh_offset)) names.clear();
  }
  return names;
}

bool names_sanitizer(const std::string& names) {
  using namespace std::string_literals;
  for (const std::string& name : {"libasan.so"s, "libtsan.so"s, "liblsan.so"s, "\0__asan_init\0"s, "\0__tsan_init\0"s,
                                  "\0__msan_init\0"s, "\0__lsan_init\0"s}) {
    if (names.find(name) != names.npos) return true;
  }
  return false;
}

// The interpreter of a script; empty of others. `#!/usr/bin/env NAME` is NAME.
std::string interpreter_of(const std::string& front) {
  if (!front.starts_with("#!")) return "";
  std::vector<std::string> words(1);
  for (const char c : front.substr(2, front.find('\n') - 2)) {
    if (c != ' ' && c != '\t') {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  const bool is_env = words[0].ends_with("/env") && words.size() > 1 && !words[1].starts_with("-");
  return is_env ? words[1] : words[0];
}

void look_at_elf(const Descriptor& file, const Elf64_Ehdr& header, ProgramFile* found) {
#if defined(__x86_64__)
  constexpr auto kMachine = EM_X86_64;
#elif defined(__aarch64__)
  constexpr auto kMachine = EM_AARCH64;
#else
  constexpr auto kMachine = EM_NONE;
#endif
  found->is_other_machine =
      header.e_ident[EI_CLASS] != ELFCLASS64 || (kMachine != EM_NONE && header.e_machine != kMachine);
  if (found->is_other_machine) return;
  std::string loader;
  const std::size_t count = std::min<std::size_t>(header.e_phnum, kMostHeaders);
  for (std::size_t i = 0; i < count; ++i) {
    Elf64_Phdr part;
    if (!file.read(&part, sizeof part, header.e_phoff + i * sizeof part)) break;
    if (part.p_type != PT_INTERP || part.p_filesz > 4096) continue;
    loader.resize(part.p_filesz);
    if (!file.read(loader.data(), loader.size(), part.p_offset)) loader.clear();
  }
  found->is_static = loader.empty();
  found->has_other_libc = loader.find("musl") != loader.npos;
  found->has_sanitizer = names_sanitizer(dynamic_names(file, header));
  // The section in which Go describes a build.
  Elf64_Shdr names;
  if (header.e_shstrndx >= header.e_shnum ||
      !file.read(&names, sizeof names, header.e_shoff + header.e_shstrndx * sizeof names) || names.sh_size > 1 << 20) {
    return;
  }
  std::string text(names.sh_size, '\0');
  if (file.read(text.data(), text.size(), names.sh_offset)) found->is_go = text.find(".go.buildinfo") != text.npos;
}

std::string go_calls_system(const std::string& path) {
  return path + " is a Go program, which calls the system itself";
}

// No library is loaded into it, for this reason; empty: one is.
std::string why_not_loaded(const ProgramFile& file) {
  if (file.path.empty()) return "";
  if (file.is_other_machine) return file.path + " is of another kind of machine";
  if (file.gains_rights) return file.path + " runs with more rights than its user (setuid)";
  if (file.is_static && file.is_go) return go_calls_system(file.path);
  if (file.is_static) return file.path + " is statically linked";
  if (file.has_other_libc) return file.path + " uses another C library (musl)";
  if (file.has_sanitizer) return file.path + " is built with a sanitizer";
  return "";
}

}  // namespace

ProgramFile look_at_program(const std::string& word) {
  ProgramFile found;
  std::string wanted = word;
  for (int scripts = 0; scripts < kMostScripts; ++scripts) {
    found = {};
    found.path = found_in_path(wanted);
    if (found.path.empty()) return found;
    struct stat facts;
    if (stat(found.path.c_str(), &facts) == 0) {
      const bool is_others = facts.st_uid != geteuid() && (facts.st_mode & S_ISUID) != 0;
      found.gains_rights = is_others || ((facts.st_mode & S_ISGID) != 0 && facts.st_gid != getegid());
    }
    const Descriptor file(found.path);
    Elf64_Ehdr header;
    if (file.read(&header, sizeof header, 0) && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0) {
      look_at_elf(file, header, &found);
      return found;
    }
    const std::string interpreter = interpreter_of(file.front(256));
    if (interpreter.empty()) return found;
    wanted = interpreter;
  }
  return found;
}

std::string ProgramFile::obstacle() const {
  if (const std::string why = why_not_loaded(*this); !why.empty()) return why + ": its calls are not recorded";
  return is_go ? path + " is a Go program: only its calls of the C library are recorded" : "";
}

std::string ProgramFile::samples_obstacle() const {
  const std::string why = why_not_loaded(*this);
  return why.empty() && is_go ? go_calls_system(path) : why;
}

}  // namespace evt::record
