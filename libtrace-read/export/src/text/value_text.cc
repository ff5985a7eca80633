#include <evt/export/value_text.h>

#include "event_text.h"
#include "libtrace-read/export/src/json/plain_value.h"

namespace evt {
namespace {

// Whatever text there is, all of it.
class WholeStyle : public ValueStyle {
 public:
  const std::string* name_of(const Event& event, std::uint32_t id) override { return event.session().text({id}); }
};

}  // namespace

std::string value_text(const Event& event, const Value& value) {
  WholeStyle style;
  return text_from([&](TextBuffer& out) { append_value(out, event, value, style); });
}

std::string value_json(const Event& event, const Value& value) {
  TextBuffer made;
  return text_from([&](TextBuffer& out) { append_json_value(out, event, value, made); });
}

}  // namespace evt
