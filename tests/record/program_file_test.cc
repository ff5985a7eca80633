// What the file of a program shows of how much of it can be recorded.
#include "libtrace-record/collect/program_file.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "support/folder.h"

namespace evt::testing {
namespace {

using record::look_at_program;

#if defined(__x86_64__)
constexpr std::uint16_t kMachine = EM_X86_64;
constexpr std::uint16_t kOther = EM_AARCH64;
#else
constexpr std::uint16_t kMachine = EM_AARCH64;
constexpr std::uint16_t kOther = EM_X86_64;
#endif

// With this loader, if it is not empty, and sections of these names.
std::string elf_file(std::uint16_t machine, std::string loader, const std::string& sections = "") {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_machine = machine;
  header.e_phoff = sizeof header;
  header.e_phnum = loader.empty() ? 0 : 1;
  Elf64_Phdr part{};
  part.p_type = PT_INTERP;
  part.p_offset = sizeof header + sizeof part + sizeof(Elf64_Shdr);
  part.p_filesz = loader.size();
  Elf64_Shdr names{};
  names.sh_offset = part.p_offset + loader.size();
  names.sh_type = SHT_STRTAB;
  names.sh_flags = SHF_ALLOC;
  names.sh_size = sections.size();
  header.e_shoff = sizeof header + sizeof part;
  header.e_shnum = 1;
  std::string bytes(names.sh_offset, '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, &part, sizeof part);
  std::memcpy(bytes.data() + header.e_shoff, &names, sizeof names);
  std::memcpy(bytes.data() + part.p_offset, loader.data(), loader.size());
  return bytes + sections;
}

class ProgramFile : public ::testing::Test {
 protected:
  std::string obstacle(const std::string& bytes) const {
    const std::string path = folder_.write("p", bytes);
    chmod(path.c_str(), 0755);
    const std::string found = look_at_program(path).obstacle();
    return found.substr(0, path.size()) == path ? "p" + found.substr(path.size()) : found;
  }
  Folder folder_;
};

constexpr const char* kLoader = "/lib64/ld-linux-x86-64.so.2";

TEST_F(ProgramFile, OfTheSystemsCLibraryIsNoObstacle) {
  EXPECT_EQ(obstacle(elf_file(kMachine, kLoader)), "");
  EXPECT_EQ(look_at_program("sh").obstacle(), "") << "found in PATH";
  EXPECT_EQ(look_at_program("nonesuch").path, "");
}

TEST_F(ProgramFile, NamesWhyItsCallsAreNotRecorded) {
  EXPECT_EQ(obstacle(elf_file(kMachine, "")), "p is statically linked: its calls are not recorded");
  EXPECT_EQ(obstacle(elf_file(kMachine, "", ".text .go.buildinfo")),
            "p is a Go program, which calls the system itself: its calls are not recorded");
  EXPECT_EQ(obstacle(elf_file(kMachine, kLoader, ".go.buildinfo")),
            "p is a Go program: only its calls of the C library are recorded");
  EXPECT_EQ(obstacle(elf_file(kMachine, "/lib/ld-musl-x86_64.so.1")),
            "p uses another C library (musl): its calls are not recorded");
  EXPECT_EQ(obstacle(elf_file(kOther, kLoader)), "p is of another kind of machine: its calls are not recorded");
}

TEST_F(ProgramFile, OfAScriptIsItsInterpreter) {
  const std::string interpreter = folder_.write("interpreter", elf_file(kMachine, ""));
  chmod(interpreter.c_str(), 0755);
  EXPECT_EQ(obstacle("#! " + interpreter + " -x\n"), interpreter + " is statically linked: its calls are not recorded");
  EXPECT_EQ(obstacle("#!/usr/bin/env sh\n"), "");
  EXPECT_EQ(obstacle("#!" + folder_.path() + "/p\n"), "") << "its own interpreter";
  EXPECT_EQ(obstacle("no program"), "");
}

TEST_F(ProgramFile, WithASanitizerIsAnObstacle) {
  using namespace std::string_literals;
  for (const std::string& name :
       {"libasan.so.8"s, "libtsan.so.2"s, "liblsan.so.0"s, "\0__asan_init\0"s, "\0__msan_init\0"s}) {
    EXPECT_EQ(obstacle(elf_file(kMachine, kLoader, name)), "p is built with a sanitizer: its calls are not recorded");
  }
  EXPECT_EQ(obstacle(elf_file(kMachine, kLoader, "libubsan.so.1 __asan_init_later")), "");
}

TEST_F(ProgramFile, WithMoreRightsThanItsUserIsAnObstacle) {
  const std::string path = folder_.write("s", elf_file(kMachine, kLoader));
  if (chown(path.c_str(), 12345, static_cast<gid_t>(-1)) != 0) GTEST_SKIP() << "not as this user";
  chmod(path.c_str(), 04755);
  EXPECT_EQ(look_at_program(path).obstacle(),
            path + " runs with more rights than its user (setuid): its calls are not recorded");
}

// Bytes that lie about where things are.
TEST_F(ProgramFile, OfAnyBytesIsReadWithinThem) {
  const std::string whole = elf_file(kMachine, kLoader, ".go.buildinfo");
  for (std::size_t size = 0; size <= whole.size(); ++size) obstacle(whole.substr(0, size));
  for (std::size_t at = 0; at < sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + sizeof(Elf64_Shdr); ++at) {
    std::string broken = whole;
    broken[at] = '\xFF';
    obstacle(broken);
  }
}

}  // namespace
}  // namespace evt::testing
