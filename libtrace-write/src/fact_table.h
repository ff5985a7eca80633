// Facts of a session: the last value of each key of each thing. What readers need is in records, one a fact.
#pragma once

#include <evt/evt.h>

#include "format-spec/src/base/buffer.h"
#include "hash_index.h"

namespace evt {

// Not thread-safe: only the thread that holds the writer's lock uses it.
class FactTable {
 public:
  FactTable() = default;
  FactTable(const FactTable&) = delete;
  FactTable& operator=(const FactTable&) = delete;
  ~FactTable() { release(); }

  // An anonymous session records none.
  void leave_out() { left_out_ = true; }
  bool leaves_out() const { return left_out_; }

  // Takes a fact, and appends its record to `records`, unless its key has this value already. False with `error` filled
  // when it has no meaning, or there is no room for it.
  bool state(const evt_fact_info& fact, Buffer& records, evt_error* error);
  // Appends the last record of each.
  void append_all(Buffer& records) const;
  // When no fact will come any more.
  void release();

 private:
  std::uint8_t* const* all() const { return reinterpret_cast<std::uint8_t* const*>(records_.data()); }
  std::size_t count() const { return records_.size() / sizeof(std::uint8_t*); }
  bool keep(std::uint64_t known, std::uint64_t hash, const Buffer& record);

  Buffer records_;  // of pointers to them
  HashIndex by_key_;
  std::size_t bytes_ = 0;  // of all records
  bool left_out_ = false;
};

}  // namespace evt
