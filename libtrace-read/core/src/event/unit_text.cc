#include <evt/unit_text.h>

namespace evt {

std::string unit_text(const Field& field) {
  switch (field.unit) {
    case Unit::kNanoseconds:
      return "ns";
    case Unit::kMicroseconds:
      return "us";
    case Unit::kMilliseconds:
      return "ms";
    case Unit::kSeconds:
      return "s";
    case Unit::kBytes:
      return "B";
    case Unit::kPercent:
      return "%";
    case Unit::kHertz:
      return "Hz";
    case Unit::kBytesPerSecond:
      return "B/s";
    default:
      return field.unit_text;
  }
}

}  // namespace evt
