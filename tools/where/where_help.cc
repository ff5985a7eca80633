#include "where_help.h"

namespace evt::tools {

std::string where_help() {
  return R"(Conditions: --where takes comparisons, joined by and, or, not and parentheses (and before or):
  depth>3 and (function=sum or not role:amount<4K)
On the left is a field of an event, or what an event has beside its fields:
  depth         a field by its name; "depth" in quotes is nothing but a field
  role:amount   a field by its role
  @time @stream @thread @type @size @ordinal    also without the @, where no event has such a field
Then one of = != < <= > >= ~ !~ and a value, in quotes if it has a space or one of ( ) = ! < > ~ & |
  numbers       10 -5 0x1f 1.5 2e3; K M G T are thousands, Ki Mi Gi Ti times 1024
  times         1.5 (seconds) 200ms 3us 5m 2h; of a moment, such as @time, what --from takes
  texts         sum or "sum", compared byte by byte; ~ matches a pattern: 'main*' (as it does labels)
  labels        of an enumeration, or its numbers; true and false
  names         of @stream and @type: = and ~ take patterns; #3 is a stream by its id
A comparison is false for an event without the field, != too. Of a sequence, one element is enough.)";
}

}  // namespace evt::tools
