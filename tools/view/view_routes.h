// What the page asks for, as paths of its server:
//   GET /v1/trace                                        the sessions, as JSON
//   GET /v1/progress                                     how much of the traces was read, as an event stream
//   GET /v1/look                                         waits for more of a trace that grows; as JSON
//   GET /v1/rows?s=SESSION                               its rows and the names in it, as JSON
//   GET /v1/tiles?s=&l=LEVEL&i=INDEX&r=1-3,7             up to 64 rows of one tile (libtrace-view/tiles/tile.h)
//   GET /v1/stats?s=&from=NS&to=NS                       tables, as JSON
//   GET /v1/event?s=&row=ROW&ns=NS&find=at|next|previous an event of a row, as JSON
//   GET /v1/events?s=&at=NS&before=K&after=K             the events around a moment, up to 500 on each side, as JSON
//   GET /v1/flows?s=&from=NS&to=NS[&row=ROW]&limit=N    up to 10,000 wake-ups, steals and messages, as JSON
//   GET /v1/why?s=&row=ROW&from=NS&to=NS                what the span of a row was spent on, as JSON
//   GET /v1/find?s=&q=QUERY&from=NS&dir=next|previous    an event that a query describes, as JSON
// What they cannot have is status 400 with a sentence.
#pragma once

#include "http/routes.h"
#include "trace_answers.h"

namespace evt::tools {

// `answers` must outlive the routes.
void add_view_routes(TraceAnswers& answers, http::Routes* routes);

}  // namespace evt::tools
