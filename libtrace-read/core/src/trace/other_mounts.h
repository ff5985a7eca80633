// Programs that see other files than this process, such as those in containers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace evt {

// What programs of one mount namespace, with one root folder, see.
struct OtherMounts {
  std::string root;                                  // their root folder as this process sees it, /proc/1234/root
  std::map<std::uint64_t, std::uint64_t> processes;  // numbers in their own namespaces, and here

  // The root folder as such a process sees it, if there is one: it may outlive the others.
  std::string root_of(std::uint64_t number_there) const {
    const std::uint64_t here = process_here(number_there);
    return here == 0 ? root : "/proc/" + std::to_string(here) + "/root";
  }
  // 0: there is no such process.
  std::uint64_t process_here(std::uint64_t number_there) const {
    const auto found = processes.find(number_there);
    return found == processes.end() ? 0 : found->second;
  }
};

// Those of all programs into whose files this process may look, without its own.
std::vector<OtherMounts> find_other_mounts();

}  // namespace evt
