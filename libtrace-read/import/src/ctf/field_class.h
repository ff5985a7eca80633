// Descriptions of fields from the metadata of CTF: how the bits of each lie in a packet, and what they mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace evt::ctf {

enum class FieldKind : std::uint8_t {
  kInteger,      // unsigned or signed, 1 to 64 bits
  kBool,         // CTF 2: bits, true if one is set
  kBits,         // CTF 2: bits that are not a number
  kVariableInt,  // CTF 2: LEB128
  kFloat,        // 32 or 64 bits
  kString,       // up to a byte 0
  kStructure,
  kArray,   // its length is in the metadata, or in an earlier integer
  kOption,  // there, or not
  kVariant,
};

enum class ByteOrder : std::uint8_t { kOfTrace, kLittle, kBig };

// What a reader of packets does with the value.
enum class Role : std::uint8_t {
  kNone,
  kMagic,
  kStreamClass,
  kEventClass,
  kPacketSize,   // bits, with its padding
  kContentSize,  // bits
  kTime,         // sets the clock, or the lowest bits of it
  kEndTime,
  kDiscarded,  // events, since the beginning
  kSequence,   // number of the packet
  kCpu,
};
constexpr std::size_t kRoles = 11;

// The roots of a packet and of an event, in their order.
enum class Scope : std::uint8_t { kPacketHeader, kPacketContext, kEventHeader, kCommonContext, kContext, kPayload };
constexpr std::size_t kScopes = 6;

// The place of the integer that determines a length or a choice, as in the metadata.
struct Location {
  std::optional<Scope> scope;     // else it is in an enclosing structure
  std::vector<std::string> path;  // names of members
  // For a relative one: how many structures up the first name is; without a number, the first structure that has it.
  std::optional<std::size_t> up;
};

// Both ends are included; bits of an int64 if values are signed.
struct Range {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

struct FieldClass;
using FieldPtr = std::unique_ptr<FieldClass>;

// A member of a structure, or an option of a variant.
struct Member {
  std::string name;
  FieldPtr field;
  std::vector<Range> ranges;  // values of the choice that select this option
};

struct Label {
  std::string text;
  Range range;
};

// All of a field except nested ones.
struct FieldFacts {
  static constexpr std::uint32_t kNoSlot = UINT32_MAX;

  FieldKind kind = FieldKind::kInteger;
  Role role = Role::kNone;
  ByteOrder order = ByteOrder::kOfTrace;
  bool is_signed = false;
  bool is_enumeration = false;
  bool is_hexadecimal = false;     // how it is shown
  bool is_character = false;       // an integer: an array of these is a text
  bool is_text = false;            // an array: its bytes are a text
  bool is_blob = false;            // an array: its bytes are not numbers
  bool is_length_fixed = false;    // an array
  bool is_placed = false;          // it was met: later fields may depend on it
  std::uint32_t bits = 0;          // for numbers
  std::uint64_t align = 1;         // bits: a power of two
  std::uint64_t length = 0;        // for an array, if it is fixed
  std::uint32_t slot = kNoSlot;    // where its value is kept for fields that depend on it
  std::uint32_t source = kNoSlot;  // the slot that determines the length or the choice
  bool is_source_signed = false;
  std::string clock;  // for kTime in TSDL: its name
  std::vector<Label> labels;
  Location location;     // for a length or a choice
  std::size_t line = 0;  // in the metadata
};

struct FieldClass : FieldFacts {
  // Numbers that choose an option, in order; signed ones with their highest bit flipped.
  struct Choice {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::uint32_t option = 0;
  };

  explicit FieldClass(FieldKind of_kind) { kind = of_kind; }

  FieldPtr clone() const;

  std::vector<Member> members;  // in structures and variants; in an option, one
  std::vector<Choice> choices;  // for these, once all metadata is known
  FieldPtr element;             // for an array
};

// Names as shown: TSDL prefixes an underscore to those that might be its keywords.
std::string shown_name(const std::string& name, bool is_tsdl);

}  // namespace evt::ctf
