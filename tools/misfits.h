// Events whose payloads do not hold what their types declare: their program recorded values of other sizes than it
// declared. No checksum shows that, and readers give what is there for fields.
#pragma once

#include <evt/trace.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace evt::tools {

// Of one type.
struct Misfit {
  std::string type;
  std::uint64_t events = 0;
  std::size_t first_size = 0;  // bytes of the payload of the first one
};

// Takes the events of one session after the other.
class Misfits {
 public:
  void add(const Event& event);
  // Ends the session; by the numbers of types.
  std::vector<Misfit> finish();

 private:
  std::map<std::uint32_t, Misfit> found_;
};

std::string sentence_of(const Misfit& misfit);

}  // namespace evt::tools
