// The event types and texts of several sessions -> those of one.
#pragma once

#include <evt/session.h>

#include <functional>
#include <map>
#include <set>
#include <unordered_map>

namespace evt {

// New numbers for one session. Refers to the session.
struct IdRemap {
  std::unordered_map<std::uint32_t, std::uint32_t> types;    // that change
  std::unordered_map<std::uint32_t, std::uint32_t> strings;  // that change
  // By their old numbers: types with an interned field.
  std::unordered_map<std::uint32_t, const EventType*> with_texts;
};

// Types are the same if they have one name and one begins with all fields of the other; the longer list counts. Others
// of that name stay separate types, which share the name. Numbers are kept if they are free.
class SchemaUnion {
 public:
  // Takes in what the session has, but for rows in strings: see take_session(). The same session again gives the same,
  // whatever came between.
  IdRemap take(const Session& session);
  // A string, which has that id if it is free; the id that it has here.
  std::uint32_t take(std::uint32_t id, const std::string& text);
  // Maps a number in rows or fields of that session that it does not describe to one that nothing describes here
  // either.
  std::uint32_t undescribed_type(std::uint32_t number);
  std::uint32_t undescribed_string(std::uint32_t id);

  std::size_t strings() const { return strings_.size(); }
  // Payloads of TYPES and of STRINGS blocks that describe everything so far, in the order of their numbers.
  using Put = std::function<void(Bytes)>;
  void put_types(const Put& put) const;
  void put_strings(const Put& put) const;

 private:
  struct Type {
    std::uint32_t number = 0;
    std::string name;
    std::string description;
    Role role = Role::kNone;
    std::vector<Field> fields;
    TypeMeaning meaning;
  };

  std::uint32_t take(const EventType& type);
  std::uint32_t free_number(std::uint32_t wanted);

  std::map<std::uint32_t, Type> types_;  // by number
  std::unordered_map<std::string, std::vector<std::uint32_t>> types_by_name_;
  std::uint32_t next_type_ = EVT_TYPE_FIRST_FREE;
  std::unordered_map<std::uint32_t, std::uint32_t> undescribed_types_;
  std::set<std::uint32_t> taken_by_undescribed_;
  std::unordered_map<std::string, std::uint32_t> strings_;
  std::map<std::uint32_t, const std::string*> strings_by_id_;  // in strings_
  std::uint32_t next_string_ = 1;
  std::unordered_map<std::uint32_t, std::uint32_t> undescribed_strings_;
  std::set<std::uint32_t> strings_of_nobody_;  // what these are here
};

}  // namespace evt
