// Data of a trace that CTF lacks, or represents differently.
#pragma once

#include <evt/trace.h>

#include <cstdint>
#include <string>
#include <vector>

namespace evt {

struct CtfDifferences {
  bool has_meanings = false;  // roles, units, descriptions and the like
  bool has_facts = false;
  std::uint64_t flags = 0;  // fields
  std::uint64_t absent = 0;
  std::uint64_t scaled = 0;
  std::uint64_t times = 0;
  std::uint64_t names = 0;        // changed names of fields
  std::uint64_t other_forms = 0;  // events
  std::uint64_t zeros_in_texts = 0;
  std::uint64_t late = 0;
  std::uint64_t moved = 0;
  std::uint64_t impossible_stamps = 0;
  std::uint64_t undeclared = 0;
  std::uint64_t scheduled = 0;
  std::uint64_t jumps = 0;
  std::uint64_t losses = 0;
  std::uint64_t streams = 0;  // without events

  void add_type(const EventType& type);
  std::vector<std::string> sentences() const;
};

}  // namespace evt
