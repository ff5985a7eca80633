// Events of one class of a CTF trace as an event type.
#pragma once

#include <babeltrace2/babeltrace.h>
#include <evt/emit.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "known_events.h"

namespace evt::ctf {

// What runs where, and texts that have numbers: of the whole trace.
struct Surroundings {
  evt_writer* writer = nullptr;
  bool has_waking = false;
  std::unordered_map<std::uint64_t, std::uint64_t> running;  // the thread of each cpu
};

// Fields of the contexts and of the payload, in this order; structures are flattened (`a.b`), what has no counterpart
// becomes text.
class EventLayout {
 public:
  // Declares the type, with another name than the class's if that is taken by one with other fields. The first event of
  // the class shows what contexts it has.
  EventLayout(Surroundings& surroundings, const bt_event* event);

  // `ticks`: of the writer's clock.
  void write(evt_stream* stream, const bt_event* event, std::uint64_t ticks);
  const std::string& error() const { return error_; }

 private:
  struct Labels {
    std::deque<std::string> texts;
    std::vector<evt_label> all;
  };

  void add(const bt_field_class* type, const std::string& name);
  void add_members(const bt_field_class* type, const std::string& front);
  void add_number(const bt_field_class* type, const std::string& name, std::uint16_t kind);
  void add_labels(const bt_field_class* type, evt_field* field);
  evt_field& add_field(const std::string& name, std::uint16_t kind, std::uint16_t shape, std::uint32_t width);
  bool has(std::string_view name) const;
  void declare(const bt_event* event);
  void write_field(evt_row* row, const bt_field* field);
  void write_members(evt_row* row, const bt_field* field);
  void write_array(evt_row* row, const bt_field* field);
  void write_added(evt_row* row, const bt_event* event);

  Surroundings& surroundings_;
  KnownEvent known_;
  std::string name_;
  std::deque<std::string> names_;
  std::deque<Labels> labels_;
  std::vector<evt_field> fields_;
  const evt_type* type_ = nullptr;
  std::string error_;
  std::uint32_t function_ = 0;  // the id of its name
  std::string text_;            // of a field in the making
};

}  // namespace evt::ctf
