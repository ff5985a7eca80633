// Payloads of metadata blocks -> what a session states about itself: its identity, clocks, types, streams, strings and
// facts.
#pragma once

#include <evt/format.h>

#include <string>

#include "libtrace-read/core/src/block/ledger.h"
#include "session_data.h"

namespace evt {

// Invalid parts are noted as damage and left out. Refers to the ledger while it lives.
class MetadataReader {
 public:
  // `reads_drafts`: accepts sessions of a draft of this version.
  MetadataReader(Ledger& ledger, bool reads_drafts) : ledger_(ledger), reads_drafts_(reads_drafts) {}

  static bool knows(std::uint16_t type) {
    return (type >= EVT_BLOCK_SESSION && type <= EVT_BLOCK_STRINGS) || type == EVT_BLOCK_SYNC ||
           type == EVT_BLOCK_FACTS;
  }

  // True if a later version may store it as zstd does.
  static bool may_be_packed(const BlockHeader& header) {
    const bool has_records =
        (header.type >= EVT_BLOCK_TYPES && header.type <= EVT_BLOCK_STRINGS) || header.type == EVT_BLOCK_FACTS;
    return has_records && header.codec == EVT_CODEC_ZSTD;
  }

  // Adds the payload's contents to the session. Blocks may repeat others. REQUIRES: a type that it knows.
  void read(const Block& block, Bytes payload, SessionData& to);
  // The version of a session that this reader is too old for; empty if there is none.
  const std::string& other_version() const { return other_version_; }

 private:
  void add_session(const Block& block);
  void add_clock(const Block& block);
  void add_sync(const Block& block);
  // Adds a record of a block whose records begin with their size.
  using AddRecord = void (MetadataReader::*)(const Block& block, Bytes record);
  void add_records(const Block& block, std::size_t least_size, const char* of, AddRecord add);
  void add_type(const Block& block, Bytes record);
  void add_stream(const Block& block, Bytes record);
  void add_strings(const Block& block);
  void add_fact(const Block& block, Bytes record);

  Ledger& ledger_;
  bool reads_drafts_;
  std::string other_version_;
  // The current block.
  SessionData* now_ = nullptr;
  Bytes payload_;
};

}  // namespace evt
