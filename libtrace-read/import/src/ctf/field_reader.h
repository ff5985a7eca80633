// Values of consecutive fields, by their classes.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "bit_reader.h"

namespace evt::ctf {

// Remembers values that later fields depend on, and those with a role. Functions return false if reading cannot
// continue: why() has the reason.
class FieldReader {
 public:
  static constexpr std::size_t kMaxText = 4 << 20;

  FieldReader(ByteSource& file, std::uint32_t slots) : bits_(file), slots_(slots) {}

  BitReader& bits() { return bits_; }
  const std::string& why() const { return why_; }
  bool goes_beyond() const { return goes_beyond_; }  // that is the reason

  // Forgets all roles and the clock: a packet begins.
  void begin_packet();
  // Forgets the class of the previous event.
  void begin_event() {
    roles_[static_cast<std::size_t>(Role::kEventClass)].reset();
    empty_ = 0;
  }
  std::optional<std::uint64_t> of(Role role) const { return roles_[static_cast<std::size_t>(role)]; }
  // Since an earlier value, of a counter that wraps after the largest that its bits can hold; 0 for one that stepped
  // back.
  std::uint64_t counted(Role role, std::uint64_t before) const;
  const std::optional<std::uint64_t>& ticks() const { return ticks_; }  // the clock's

  // Moves to where the field begins.
  bool begin(const FieldClass& field) { return bits_.align(field.align) || fail(); }
  // An integer, a bool or bits; sign-extended.
  bool number(const FieldClass& field, std::uint64_t* number);
  // A floating point number: its bits.
  bool real(const FieldClass& field, std::uint64_t* bits);
  // Number of elements of an array, after begin().
  bool length(const FieldClass& array, std::uint64_t* length);
  // The field selected in a variant or an option, after begin(); null for an empty option.
  bool choice(const FieldClass& field, const FieldClass** chosen);
  // A string, or an array that is a text or a blob; at most its first kMaxText bytes.
  bool bytes(const FieldClass& field, std::string* out);
  // Any field.
  bool skip(const FieldClass& field);
  // Calls `each()`, which returns false if it cannot continue, for each of the elements. If one has no bits, later ones
  // of its array have none either, and there may be any number: it is called for few of these.
  template <typename Each>
  bool elements(std::uint64_t count, Each each) {
    std::uint32_t empty = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t before = bits_.at();
      if (!each()) return false;
      if (bits_.at() == before && (++empty == kMaxEmpty || ++empty_ >= kMaxEmptyInEvent)) break;
    }
    return true;
  }

 private:
  static constexpr std::uint32_t kMaxEmpty = 64;  // in one array
  static constexpr std::uint32_t kMaxEmptyInEvent = 1024;

  bool fail() {
    fail("it goes beyond the end of its packet");
    goes_beyond_ = true;
    return false;
  }
  bool fail(std::string why) {
    why_ = std::move(why);
    goes_beyond_ = false;
    return false;
  }
  void take(const FieldClass& field, std::uint64_t number);
  void set_ticks(std::uint64_t number, std::uint32_t bits);

  BitReader bits_;
  std::vector<std::uint64_t> slots_;
  std::array<std::optional<std::uint64_t>, kRoles> roles_;
  std::array<std::uint32_t, kRoles> role_bits_ = {};
  std::optional<std::uint64_t> ticks_;
  std::uint32_t empty_ = 0;
  std::string why_;
  bool goes_beyond_ = false;
  std::string scratch_;
};

// Appends a field without a counterpart as text: in the form of babeltrace2, in one line; at most the first
// FieldReader::kMaxText bytes. Returns false like FieldReader.
bool append_text(FieldReader* reader, const FieldClass& field, bool is_tsdl, std::string* out);

}  // namespace evt::ctf
