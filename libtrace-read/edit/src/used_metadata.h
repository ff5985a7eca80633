// The part of a session's metadata that the rows of a part of it need, put before them.
#pragma once

#include <set>
#include <span>
#include <unordered_set>

#include "format-spec/src/row/row_reader.h"
#include "libtrace-read/core/src/base/record_list.h"
#include "trace_output.h"

namespace evt {

// Refers to its arguments while it lives.
class UsedMetadata {
 public:
  // Facts of streams and types are used with these, described or not; an `anonymous` session has none, and no names of
  // code in stacks.
  UsedMetadata(const Session& session, bool anonymous, TraceOutput& out);

  // Marks all that the session describes. REQUIRES: its SESSION block has been put.
  void use_all();
  // Facts of the session, its clocks and parts. REQUIRES: its SESSION block has been put.
  void use_other_facts();
  // Marks what the next rows use.
  void use_stream(std::uint32_t id);
  void use_type(std::uint32_t number);
  bool has_texts(std::uint32_t number) const { return texts_.contains(number); }
  void use_texts(const RowView& row) { use_texts(row.number(), row.fields()); }
  // The rows among them use types and texts in turn.
  void use_texts(std::uint32_t number, Bytes fields);
  // Puts what is used and not described yet. Call it before the rows are put.
  void put();

  // Adds a twin called `name`, with the fields and role of another type, if any, and one more field; returns its
  // number. If `name` is `twin_of`, it is a twin of itself.
  std::uint32_t add_type(const std::string& name, const std::string& description, const EventType* like,
                         const std::string& twin_of, const evt_field& last);

 private:
  void use_text(std::uint32_t id);
  void use_facts(std::uint16_t scope, std::uint32_t id);
  void add_fact(const Fact& fact);
  void put(RecordList& records, std::uint16_t type);

  const Session& session_;
  std::span<const Fact> facts_;
  bool anonymous_;
  TraceOutput& out_;
  std::unordered_map<std::uint32_t, const EventType*> types_;  // by number
  std::unordered_map<std::uint32_t, const EventType*> texts_;  // types with interned fields
  std::unordered_set<std::uint32_t> used_types_;
  std::set<std::uint32_t> streams_;  // used
  std::set<std::uint32_t> strings_;  // used
  std::uint32_t next_number_ = EVT_TYPE_FIRST_FREE;
  std::set<std::uint32_t> numbers_;  // that are taken
  RecordList type_records_;
  RecordList stream_records_;
  RecordList string_records_;
  RecordList fact_records_;
};

}  // namespace evt
