// Which of several traces hold a session of another.
#pragma once

#include <evt/trace.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace evt::tools {

class SeenSessions {
 public:
  // The name of a trace that was added before and has a session of this one, too; null: there is none. Until the next.
  const std::string* add(const Trace& trace, const std::string& name) {
    const std::size_t number = names_.size();
    names_.push_back(name);
    const std::string* other = nullptr;
    for (const Session& session : trace.sessions()) {
      const std::size_t first = first_.try_emplace(session.uuid, number).first->second;
      if (first != number) other = &names_[first];
    }
    return other;
  }

 private:
  std::vector<std::string> names_;
  std::map<Session::Uuid, std::size_t> first_;  // the trace that had it first
};

}  // namespace evt::tools
