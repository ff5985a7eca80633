// The events that record_cache.cc records and report_cache.cc knows; the part between the marks is in
// docs/guide/record.md.
#pragma once

// [snippet: events]
#include <evt/schema.h>

struct CacheHit {
  std::uint64_t page = 0;
};
struct CacheMiss {
  std::uint64_t page = 0;
  std::uint32_t size = 0;
};

template <>
inline constexpr auto evt::schema<CacheHit> = evt::event("cache.hit", "a page was in the cache",
                                                         evt::field("page", &CacheHit::page));
template <>
inline constexpr auto evt::schema<CacheMiss> = evt::event("cache.miss", "a page had to be read",
                                                          evt::field("page", &CacheMiss::page),
                                                          evt::field("size", &CacheMiss::size, evt::Role::kAmount,
                                                                     evt::Unit::kBytes));
// [end]
