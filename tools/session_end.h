// How a session ended, in a word for programs and in words for people.
#pragma once

#include <evt/trace.h>

namespace evt::tools {

struct SessionEnd {
  const char* word;
  const char* sentence;
};

SessionEnd end_of(const Session& session);

}  // namespace evt::tools
