-- What ghc-events reads of a log, a line for each event: time, capability, name, fields. In the order of the log.
module Main (main) where

import qualified Data.ByteString as B
import Data.List (intercalate)
import Data.Maybe (maybe)
import qualified Data.Text as T
import qualified Data.Vector.Unboxed as V
import GHC.RTS.Events
import System.Environment (getArgs)
import System.IO

type Fields = [(String, String)]

number :: Show a => String -> a -> (String, String)
number name value = (name, show value)

text :: String -> T.Text -> (String, String)
text name value = (name, concatMap escape (T.unpack value))
  where escape c | c == '\t' = "\\t"
                 | c == '\n' = "\\n"
                 | c == '\\' = "\\\\"
                 | otherwise = [c]

-- The number of the reason, as the log has it from version 7.8.3 on.
reason :: ThreadStopStatus -> Int
reason s = case s of
  NoStatus -> 0
  HeapOverflow -> 1
  StackOverflow -> 2
  ThreadYielding -> 3
  ThreadBlocked -> 4
  ThreadFinished -> 5
  ForeignCall -> 6
  BlockedOnMVar -> 7
  BlockedOnBlackHole -> 8
  BlockedOnBlackHoleOwnedBy _ -> 8
  BlockedOnRead -> 9
  BlockedOnWrite -> 10
  BlockedOnDelay -> 11
  BlockedOnSTM -> 12
  BlockedOnDoProc -> 13
  BlockedOnCCall -> 16
  BlockedOnCCall_NoUnblockExc -> 17
  BlockedOnMsgThrowTo -> 18
  ThreadMigrating -> 19
  BlockedOnMVarRead -> 20
  BlockedOnMsgGlobalise -> -1

describe :: EventInfo -> (String, Fields)
describe e = case e of
  CreateThread t -> ("ghc.create_thread", [number "thread" t])
  RunThread t -> ("ghc.run_thread", [number "thread" t])
  StopThread t s -> ("ghc.stop_thread", [number "thread" t, number "status" (reason s)])
  ThreadRunnable t -> ("ghc.thread_runnable", [number "thread" t])
  MigrateThread t c -> ("ghc.migrate_thread", [number "thread" t, number "new_cap" c])
  WakeupThread t c -> ("ghc.thread_wakeup", [number "thread" t, number "other_cap" c])
  ThreadLabel t l -> ("ghc.thread_label", [number "thread" t, text "label" l])
  CreateSparkThread t -> ("ghc.create_spark_thread", [number "thread" t])
  SparkCounters a b c d f g h ->
    ("ghc.spark_counters", [number "created" a, number "dud" b, number "overflowed" c, number "converted" d,
                            number "collected" g, number "fizzled" f, number "remaining" h])
  SparkCreate -> ("ghc.spark_create", [])
  SparkDud -> ("ghc.spark_dud", [])
  SparkOverflow -> ("ghc.spark_overflow", [])
  SparkRun -> ("ghc.spark_run", [])
  SparkSteal c -> ("ghc.spark_steal", [number "victim_cap" c])
  SparkFizzle -> ("ghc.spark_fizzle", [])
  SparkGC -> ("ghc.spark_gc", [])
  TaskDelete t -> ("ghc.task_delete", [number "task" t])
  TaskMigrate t c n -> ("ghc.task_migrate", [number "task" t, number "cap" c, number "new_cap" n])
  RequestSeqGC -> ("ghc.request_seq_gc", [])
  RequestParGC -> ("ghc.request_par_gc", [])
  StartGC -> ("ghc.gc_start", [])
  EndGC -> ("ghc.gc_end", [])
  GCWork -> ("ghc.gc_work", [])
  GCIdle -> ("ghc.gc_idle", [])
  GCDone -> ("ghc.gc_done", [])
  GlobalSyncGC -> ("ghc.gc_global_sync", [])
  GCStatsGHC s g c l f n m t b ->
    ("ghc.gc_stats", [number "capset" s, number "generation" g, number "copied" c, number "slop" l,
                      number "fragmentation" f, number "threads" n, number "max_copied" m, number "total_copied" t]
                     ++ maybe [] (\v -> [number "balanced_copied" v]) b)
  MemReturn s c n r -> ("ghc.mem_return", [number "capset" s, number "current" c, number "needed" n, number "returned" r])
  HeapAllocated s b -> ("ghc.heap_allocated", [number "capset" s, number "bytes" b])
  HeapSize s b -> ("ghc.heap_size", [number "capset" s, number "bytes" b])
  BlocksSize s b -> ("ghc.blocks_size", [number "capset" s, number "bytes" b])
  HeapLive s b -> ("ghc.heap_live", [number "capset" s, number "bytes" b])
  HeapInfoGHC s g m a mb b ->
    ("ghc.heap_info", [number "capset" s, number "generations" g, number "max_heap" m, number "alloc_area" a,
                       number "mblock" mb, number "block" b])
  CapCreate c -> ("ghc.cap_create", [number "cap" c])
  CapDelete c -> ("ghc.cap_delete", [number "cap" c])
  CapDisable c -> ("ghc.cap_disable", [number "cap" c])
  CapEnable c -> ("ghc.cap_enable", [number "cap" c])
  CapsetCreate s _ -> ("ghc.capset_create", [number "capset" s])
  CapsetDelete s -> ("ghc.capset_delete", [number "capset" s])
  CapsetAssignCap s c -> ("ghc.capset_assign_cap", [number "capset" s, number "cap" c])
  CapsetRemoveCap s c -> ("ghc.capset_remove_cap", [number "capset" s, number "cap" c])
  RtsIdentifier s t -> ("ghc.rts_identifier", [number "capset" s, text "name" t])
  ProgramArgs s a -> ("ghc.program_args", [number "capset" s, ("arguments", unwords (map (snd . text "") a))])
  OsProcessPid s p -> ("ghc.osprocess_pid", [number "capset" s, number "pid" p])
  OsProcessParentPid s p -> ("ghc.osprocess_ppid", [number "capset" s, number "ppid" p])
  WallClockTime s t n -> ("ghc.wall_clock_time", [number "capset" s, number "seconds" t, number "nanoseconds" n])
  Message m -> ("ghc.log_msg", [text "message" m])
  UserMessage m -> ("ghc.user_msg", [text "message" m])
  UserMarker m -> ("ghc.user_marker", [text "name" m])
  HeapProfSampleBegin n -> ("ghc.heap_prof_sample_begin", [number "era" n])
  HeapProfSampleEnd n -> ("ghc.heap_prof_sample_end", [number "era" n])
  HeapProfSampleString i r l ->
    ("ghc.heap_prof_sample_string", [number "profile" i, number "residency" r, text "label" l])
  HeapProfSampleCostCentre i r _ s ->
    ("ghc.heap_prof_sample_cost_centre", [number "profile" i, number "residency" r, ("stack", unwords (map show (V.toList s)))])
  HeapProfCostCentre i l m s _ ->
    ("ghc.heap_prof_cost_centre", [number "cost_centre" i, text "label" l, text "module" m, text "source" s])
  UserBinaryMessage b -> ("ghc.user_binary_msg", [number "bytes" (B.length b)])
  ConcMarkBegin -> ("ghc.conc_mark_begin", [])
  ConcMarkEnd n -> ("ghc.conc_mark_end", [number "marked" n])
  ConcSyncBegin -> ("ghc.conc_sync_begin", [])
  ConcSyncEnd -> ("ghc.conc_sync_end", [])
  ConcSweepBegin -> ("ghc.conc_sweep_begin", [])
  ConcSweepEnd -> ("ghc.conc_sweep_end", [])
  ConcUpdRemSetFlush c -> ("ghc.conc_upd_rem_set_flush", [number "cap" c])
  NonmovingHeapCensus b a f l ->
    ("ghc.nonmoving_heap_census", [number "log2_block_size" b, number "active" a, number "filled" f, number "live" l])
  -- Whose fields the library does not show, or which this program does not name: time and capability are compared.
  _ -> ("?", [])

line :: Event -> String
line (Event t info c) = intercalate "\t" [show t, maybe "global" (\n -> "cap " ++ show n) c, name, unwords (map pair fields)]
  where (name, fields) = describe info
        pair (k, v) = k ++ "=" ++ v

main :: IO ()
main = do
  [file] <- getArgs
  hSetEncoding stdout utf8
  result <- readEventLogFromFile file
  case result of
    Left wrong -> error wrong
    Right eventLog -> mapM_ (putStrLn . line) (filter (not . isBlock) (events (dat eventLog)))
  where isBlock (Event _ (EventBlock {}) _) = True
        isBlock _ = False
