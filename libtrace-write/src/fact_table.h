// Facts of a session: the last value of each key of each thing. Records for readers hold one fact each.
#pragma once

#include <evt/evt.h>

#include "format-spec/src/base/buffer.h"
#include "hash_index.h"

namespace evt {

// A fact of the session. Refers to both texts.
evt_fact_info fact_of_session(const char* key, const char* value, std::int64_t ns);

// Not thread-safe: only the thread that holds the writer's lock uses it.
class FactTable {
 public:
  FactTable() = default;
  FactTable(const FactTable&) = delete;
  FactTable& operator=(const FactTable&) = delete;
  ~FactTable() { release(); }

  // Records no facts, for an anonymous session.
  void leave_out() { left_out_ = true; }
  bool leaves_out() const { return left_out_; }

  // Takes a fact, and appends its record to `records`, unless its key has this value already. Returns false with
  // `error` filled if it is not valid, or there is no room for it.
  bool state(const evt_fact_info& fact, Buffer& records, evt_error* error);
  // Appends the last record of each.
  void append_all(Buffer& records) const;
  // Called when no more facts will come.
  void release();

 private:
  std::uint8_t* const* all() const { return reinterpret_cast<std::uint8_t* const*>(records_.data()); }
  std::size_t count() const { return records_.size() / sizeof(std::uint8_t*); }
  bool keep(std::uint64_t known, std::uint64_t hash, const Buffer& record);

  Buffer records_;  // pointers to them
  HashIndex by_key_;
  std::size_t bytes_ = 0;  // size of all records
  bool left_out_ = false;
};

}  // namespace evt
