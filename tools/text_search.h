// Events that have a text in them, as users look for it.
#pragma once

#include <evt/export/text_buffer.h>
#include <evt/trace.h>

#include <string>
#include <string_view>
#include <vector>

#include "libtrace-read/export/src/base/memo.h"

namespace evt::tools {

// Looks for some texts, of which one is enough, in the name of the type and of the stream and in each value of an
// event, as evt dump shows it but without quotes and whole; or compares each of these with patterns (* ? [a-z]), which
// describe all of it. Refers to the trace at hand. One thread at a time.
class TextSearch {
 public:
  // Upper and lower case of ASCII are the same if `ignore_case`.
  TextSearch(std::vector<std::string> texts, std::vector<std::string> patterns, bool ignore_case);

  // Events of this trace follow.
  void begin();
  // Also of any event when there is nothing to look for.
  bool finds(const Event& event);

 private:
  bool is_in(std::string_view text) const;
  bool value_has_it(const Event& event, const Value& value);

  std::vector<std::string> texts_;
  std::vector<std::string> patterns_;
  bool ignore_case_;
  bool may_be_in_number_;
  Memo<const StreamInfo*, bool> streams_;
  TypeMemo<bool> types_;
  TextBuffer made_;
};

}  // namespace evt::tools
