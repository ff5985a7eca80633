-- Views over the tables of evt's traces (docs/TABLES.md), for DuckDB. `evt sql` has them already; with tables that were
-- written as Parquet, make `spans` and the others views of those first.

-- How long spans and calls of a name take, on each host. Only those that ended; nested ones of one name each count.
create view span_times as
select host, kind, name, count(*) as count, sum(duration_ns) as sum_ns, sum(self_ns) as self_ns,
  min(duration_ns) as min_ns, quantile_disc(duration_ns, 0.5) as median_ns, quantile_disc(duration_ns, 0.9) as p90_ns,
  quantile_disc(duration_ns, 0.99) as p99_ns, max(duration_ns) as max_ns
from spans join sessions using (session)
where outcome = 'ended'
group by host, kind, name;

-- For how long threads ran on each cpu, minute by minute (UTC): a run that goes on over the full minute is divided.
create view cpu_by_minute as
with runs as (
  select session, thread, cpu, epoch_ns(time) as begin_ns, epoch_ns(time) + (to_ns - from_ns) as end_ns
  from thread_states
  where state = 'running'
), minutes as (
  select *, unnest(range(begin_ns - ((begin_ns % 60000000000) + 60000000000) % 60000000000, end_ns, 60000000000)) as minute_ns
  from runs
)
select host, program, session, make_timestamp_ns(minute_ns) as minute, cpu, count(distinct thread) as threads,
  sum(least(end_ns, minute_ns + 60000000000) - greatest(begin_ns, minute_ns)) as running_ns
from minutes join sessions using (session)
group by all;

-- How many events of each type, and how many a second between the first event of the session and its last.
create view event_rates as
with counted as (
  select session, type, count(*) as events, min(ns) as first_ns, max(ns) as last_ns from events group by session, type
)
select host, program, session, type, counted.events,
  counted.events * 1e9 / nullif(max(counted.last_ns) over whole - min(first_ns) over whole, 0) as per_second
from counted join sessions using (session)
window whole as (partition by session);

-- What each stream lost: `lost` had no room when it was to be written, `missing` was written and cannot be read.
create view stream_losses as
with gone as (
  select session, stream, sum(events)::ubigint as missing from lost where cause = 'missing' group by session, stream
)
select host, program, session, stream, streams.name, streams.events, streams.lost, coalesce(gone.missing, 0) as missing
from streams join sessions using (session) left join gone using (session, stream);

-- Processor time by function, from samples, and the time of long waits: `self_ns` where the function was the innermost,
-- `sum_ns` where it was anywhere in the stack. `samples` is null where they stand for an unknown number, as in folded stacks.
create view code as
with inside as (
  select session, stack, name, min(depth) = 0 as is_innermost from stacks group by session, stack, name
), sums as (
  select session, types.name as type from attributes join types using (session)
  where scope = 'type' and id = types.type and key = 'evt.sums_of_samples'
), sampled as (
  select samples.session, stack, waited_ns is not null as waiting, coalesce(waited_ns, weight_ns) as ns,
    sums.type is not null as is_sum
  from samples left join sums using (session, type) where coalesce(waited_ns, weight_ns) is not null
)
select host, program, session, waiting, name,
  case when not bool_or(is_sum) then count(*) filter (is_innermost) end as samples, sum(ns) as sum_ns,
  coalesce(sum(ns) filter (is_innermost), 0) as self_ns
from sampled join inside using (session, stack) join sessions using (session)
group by all;

-- The 20 longest spans, with what other threads of the session did meanwhile: the five that lie beside it for longest.
create view slowest_spans as
with slowest as (
  select * from spans where outcome = 'ended' order by duration_ns desc, session, begin_ns limit 20
), beside as (
  select slowest.session, slowest.id, other.thread_name, other.name,
    least(coalesce(other.end_ns, slowest.end_ns), slowest.end_ns) - greatest(other.begin_ns, slowest.begin_ns) as ns
  from slowest join spans as other on other.session = slowest.session
    and other.begin_ns < slowest.end_ns and coalesce(other.end_ns, slowest.end_ns) > slowest.begin_ns
  where other.thread is distinct from slowest.thread or other.part is distinct from slowest.part
), most as (
  select session, id, list({'thread': thread_name, 'name': name, 'ns': ns} order by ns desc, name, thread_name)[1:5] as beside
  from beside
  group by session, id
)
select session, id, kind, name, thread_name, time, begin_ns, duration_ns, self_ns, coalesce(beside, []) as beside
from slowest left join most using (session, id)
order by duration_ns desc, session, begin_ns;

-- Spans by name in one build, and in the build before. A build is what the attribute service.version of a session states;
-- without it, each trace is one. Builds follow one another as their first traces do.
create view build_differences as
with versions as (
  select session, min(value) as version from attributes where scope = 'session' and key = 'service.version' group by session
), built as (
  select session, trace, coalesce(version, 'trace ' || trace) as build from sessions left join versions using (session)
), builds as (
  select build, row_number() over (order by min(trace), build) as place from built group by build
), times as (
  select place, build, kind, name, count(*) as count, quantile_disc(duration_ns, 0.5) as median_ns,
    quantile_disc(duration_ns, 0.99) as p99_ns, sum(self_ns) as self_ns
  from spans join built using (session) join builds using (build)
  where outcome = 'ended'
  group by all
)
select after.kind, after.name, before.build as before, after.build as after,
  before.count as count_before, after.count as count_after,
  before.median_ns as median_before_ns, after.median_ns as median_after_ns,
  before.p99_ns as p99_before_ns, after.p99_ns as p99_after_ns,
  before.self_ns as self_before_ns, after.self_ns as self_after_ns,
  100.0 * (after.median_ns::double - before.median_ns) / nullif(before.median_ns, 0) as median_percent
from times as after join times as before
  on before.place = after.place - 1 and before.kind = after.kind and before.name = after.name;
