// Values of fields, one behind the other as their classes say.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "bit_reader.h"

namespace evt::ctf {

// Remembers what later fields go by, and what has a role. What returns false cannot go on: why() says what is wrong.
class FieldReader {
 public:
  static constexpr std::size_t kMaxText = 4 << 20;

  FieldReader(ByteSource& file, std::uint32_t slots) : bits_(file), slots_(slots) {}

  BitReader& bits() { return bits_; }
  const std::string& why() const { return why_; }

  // Forgets all roles and the clock: a packet begins.
  void begin_packet();
  // Forgets the class of the event before.
  void begin_event() {
    roles_[static_cast<std::size_t>(Role::kEventClass)].reset();
    empty_ = 0;
  }
  std::optional<std::uint64_t> of(Role role) const { return roles_[static_cast<std::size_t>(role)]; }
  const std::optional<std::uint64_t>& ticks() const { return ticks_; }  // of the clock

  // To where the field begins.
  bool begin(const FieldClass& field) { return bits_.align(field.align) || fail(); }
  // An integer, a bool or bits; sign-extended.
  bool number(const FieldClass& field, std::uint64_t* number);
  // A floating point number: its bits.
  bool real(const FieldClass& field, std::uint64_t* bits);
  // How many elements an array has, behind begin().
  bool length(const FieldClass& array, std::uint64_t* length);
  // What a variant or an option has, behind begin(); null if an option has nothing.
  bool choice(const FieldClass& field, const FieldClass** chosen);
  // A string, or an array that is a text or a blob; of more than kMaxText bytes the first.
  bool bytes(const FieldClass& field, std::string* out);
  // Any field.
  bool skip(const FieldClass& field);
  // Calls `each()`, which returns false where it cannot go on, for each of the elements; for few of those that have no
  // bits, which may be any number.
  template <typename Each>
  bool elements(std::uint64_t count, Each each) {
    for (std::uint64_t i = 0; i < count && empty_ < kMaxEmpty; ++i) {
      const std::uint64_t before = bits_.at();
      if (!each()) return false;
      if (bits_.at() == before) ++empty_;
    }
    return true;
  }

 private:
  static constexpr std::uint32_t kMaxEmpty = 1024;  // of one event

  bool fail() { return fail("it goes beyond the end of its packet"); }
  bool fail(std::string why) {
    why_ = std::move(why);
    return false;
  }
  void take(const FieldClass& field, std::uint64_t number);
  void set_ticks(std::uint64_t number, std::uint32_t bits);

  BitReader bits_;
  std::vector<std::uint64_t> slots_;
  std::array<std::optional<std::uint64_t>, kRoles> roles_;
  std::optional<std::uint64_t> ticks_;
  std::uint32_t empty_ = 0;
  std::string why_;
  std::string scratch_;
};

}  // namespace evt::ctf
