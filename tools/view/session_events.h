// All events of a session, for a page that has no server to ask for them.
#pragma once

#include <string>

#include "libtrace-view/tiles/session_tiles.h"

namespace evt::tools {

// As JSON, in the order of the events:
//   types    of each type its name and the names of its fields
//   streams  the name of each
//   ns       the time of the first event as text, then how much later than the one before each of the others is
//   stream, type   of each event, by their places in the lists above
//   row      of each event the one that shows it best, or null
//   values   of each event the texts of its fields, null for a value that is not there
//   groups   of each row, by its id, the place in `members` of the events that it shows; null if there is no such row
//   members  events by their places: the first, then how far behind the one before each of the others is
//   names, threads, objects  that spans have
//   spans    of each row of spans a list: its id, and of each span eight numbers: how much later than the one before it
//            began (of the first one when, as text), how long it was, its self time, the place of the event that begins
//            it or records it as a whole, its name and its thread by their places in the lists, 1 if it is open, and
//            its object by the place in its list
//   words    that states have
//   states   of each row of a thread or cpu a list: its id, and of each stretch of a state eight numbers: when it began
//            (as for spans), how long it was, 1 if it is open, the state's key (protocol.js; null: idle), and by their
//            places in `words` its reason, its thread, its cpu and what woke it
std::string session_events_json(view::SessionTiles& tiles);

}  // namespace evt::tools
