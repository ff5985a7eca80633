// Status of bytes that cannot be read as their header promises.
#pragma once

#include <evt/status.h>

#include <string>
#include <utility>

namespace evt {

inline Status damaged(std::string reason) { return {Code::kDamaged, std::move(reason)}; }

}  // namespace evt
