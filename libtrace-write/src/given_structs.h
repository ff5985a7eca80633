// Converts structures of a program to those of this version: a program that was compiled with other headers has shorter
// or longer ones. Missing members are zero; members that this version does not know are left out, and noted.
#pragma once

#include <evt/evt.h>

#include <cstddef>
#include <cstdint>

namespace evt {

// Returns the program's own structure if its sizes are those of this version, as nearly always; else a copy, which
// lives as long as this object. Null for null, and if there is no memory for a copy.
class GivenStructs {
 public:
  explicit GivenStructs(const evt_sizes_& sizes);
  GivenStructs(const GivenStructs&) = delete;
  GivenStructs& operator=(const GivenStructs&) = delete;
  ~GivenStructs();

  const evt_options* options(const evt_options* given);
  const evt_event_type* type(const evt_event_type* given);
  const evt_stream_info* stream(const evt_stream_info* given);
  const evt_fact_info* fact(const evt_fact_info* given);
  const evt_snapshot_options* snapshot_options(const evt_snapshot_options* given);  // has its own size

  bool lacks_memory() const { return lacks_memory_; }
  // A sentence about values that were left out; empty: none.
  const char* left_out() const { return left_out_; }

 private:
  struct Chunk;

  template <typename T>
  T* copies(const T* given, std::size_t size, std::size_t count, const char* name);
  template <typename T>
  const T* one(const T* given, std::size_t size, const char* name);
  const evt_session_info* session(const evt_session_info* given);
  const evt_field* fields(const evt_field* given, std::uint32_t count);
  const evt_facet* facets(const evt_facet* given, std::uint32_t count);
  void note_rest(const std::uint8_t* given, std::size_t known, std::size_t size, const char* name);

  evt_sizes_ sizes_ = {};
  Chunk* chunks_ = nullptr;
  bool lacks_memory_ = false;
  char left_out_[160] = "";
};

// Copies as many bytes of the totals as the program's structure has.
void give_counts(const evt_counts& counts, void* out, std::size_t size);

}  // namespace evt
