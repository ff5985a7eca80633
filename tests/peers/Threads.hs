-- A program whose log has events of many kinds: threads that wait for each other, sparks, messages, collections.
-- threads [SIZE]: 100 unless said; about 150 events for each.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad
import Data.IORef
import Debug.Trace
import System.Environment (getArgs)
import GHC.Conc (labelThread, par, pseq)

fib :: Int -> Integer
fib n | n < 2 = toInteger n
      | n < 12 = fib (n - 1) + fib (n - 2)
      | otherwise = let a = fib (n - 1)
                        b = fib (n - 2)
                    in a `par` (b `pseq` (a + b))

pingPong :: Int -> IO ()
pingPong n = do
  there <- newEmptyMVar
  back <- newEmptyMVar
  done <- newEmptyMVar
  t <- forkIO $ replicateM_ n (takeMVar there >>= putMVar back . (+ 1)) >> putMVar done ()
  labelThread t "pong, caf\233"
  forM_ [1 .. n] $ \i -> putMVar there i >> takeMVar back
  takeMVar done

main :: IO ()
main = do
  args <- getArgs
  let size = case args of
        [] -> 100
        n : _ -> read n :: Int
  traceEventIO "begin"
  traceMarkerIO "first part"
  pingPong (20 * size)
  traceMarkerIO "second part"
  _ <- evaluate (fib (12 + size `div` 8))
  kept <- newIORef []
  forM_ [1 .. size] $ \i -> do
    let cells = [i .. i + 20000]
    _ <- evaluate (sum cells)
    modifyIORef' kept ((take 1000 cells) :)
  threadDelay 20000
  readIORef kept >>= print . length
  traceEventIO "end"
