#include "call_bytes.h"

namespace evt::record {
namespace {

constexpr CallBytes NONE = CallBytes::kNone;
constexpr CallBytes READS = CallBytes::kReads;
constexpr CallBytes WRITES = CallBytes::kWrites;

constexpr struct {
  std::string_view group;
  std::string_view name;
  CallBytes bytes;
} kCalls[] = {
#define CALL(group, name, bytes) {#group, #name, bytes},
#include "libtrace-record/recorded/calls.def"
};

}  // namespace

CallBytes bytes_of(std::string_view function) {
  for (const auto& call : kCalls) {
    if (call.name == function) return call.bytes;
  }
  return CallBytes::kNone;
}

bool is_counted_by_system(std::string_view function) {
  for (const auto& call : kCalls) {
    if (call.name == function) return call.group == "FILES";
  }
  return false;
}

}  // namespace evt::record
