// How the page of evt view names a thread.
#pragma once

#include <evt/analysis/actors.h>

#include <string>

namespace evt::tools {

// Its name and, as tables have it, its number.
std::string thread_text(const Actors& actors, std::uint32_t thread);

}  // namespace evt::tools
