// Status of what cannot be read as its header promises.
#pragma once

#include <evt/status.h>

#include <string>
#include <utility>

namespace evt {

inline Status damaged(std::string reason) { return {Code::kDamaged, std::move(reason)}; }

}  // namespace evt
