// Files, sockets, locks: the present owner of each number, and how many there were.
#pragma once

#include <evt/analysis/usage.h>

#include <map>
#include <tuple>
#include <vector>

#include "flat_map.h"

namespace evt {

// For one session. Objects and resources are identified by indexes in its EventNames. Memory grows with open objects,
// and with their distinct records: a file that is opened a thousand times by its name counts once.
class Objects {
 public:
  static constexpr std::uint32_t kNone = Actor::kNone;

  using Target = Usage::Target;
  using Opened = Usage::Opened;
  struct Found {
    std::uint32_t target = 0;
    std::uint64_t limit = 0;  // the object's
  };

  // Takes an event of roles objectOpen, objectName and objectClose, with the part of the session that its numbers
  // belong to. `counts`: in opened().
  void take(const RoleEvent& event, std::uint32_t part, bool counts, EventNames* names);
  // For an event that names an object, or 0, and a resource, or kNone: then it is the object's.
  Found find(std::uint64_t number, std::uint32_t part, std::uint32_t resource);
  // Open objects stay open.
  void restart();

  const std::vector<Target>& targets() const { return targets_; }
  const std::vector<Opened>& opened() const { return opened_; }

 private:
  struct Object {
    std::uint32_t resource = kNone;
    std::uint32_t name = kNone;
    std::uint32_t target = kNone;
    std::uint64_t limit = 0;
    bool is_open = false;
    bool counts = false;
  };

  void open(std::uint64_t number, std::uint32_t part, const Object& object);
  void name(std::uint64_t number, std::uint32_t part, std::uint32_t name);
  void close(std::uint64_t number, std::uint32_t part);
  FlatMap<Object>& of_part(std::uint32_t part);
  Opened& count_of(std::uint32_t resource);
  std::uint32_t target_of(const Target& target);

  std::vector<FlatMap<Object>> parts_;   // by part; the first for sessions that have none
  FlatMap<std::uint32_t> by_resource_;   // targets without an object
  FlatMap<std::uint32_t> count_places_;  // in opened_, by resource
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t, std::uint32_t>, std::uint32_t> known_;
  std::vector<Target> targets_;
  std::vector<Opened> opened_;
};

// The name of an event's resource; Objects::kNone if it names none.
std::uint32_t resource_of(const Event& event, EventNames* names);

}  // namespace evt
