-- A program whose log has events of many kinds: threads that wait for each other, sparks, messages, collections.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad
import Data.IORef
import Debug.Trace
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
  traceEventIO "begin"
  traceMarkerIO "first part"
  pingPong 2000
  traceMarkerIO "second part"
  _ <- evaluate (fib 24)
  kept <- newIORef []
  forM_ [1 .. 40 :: Int] $ \i -> do
    let cells = [i .. i + 20000]
    _ <- evaluate (sum cells)
    modifyIORef' kept ((take 1000 cells) :)
  threadDelay 20000
  readIORef kept >>= print . length
  traceEventIO "end"
