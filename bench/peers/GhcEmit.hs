-- Lets one thread give way again and again: GHC's runtime records a stop and a start each time, if it is told to trace.
--
--   GhcEmit PAIRS +RTS -l -olFILE
module Main (main) where

import Control.Concurrent (yield)
import Control.Monad (replicateM_)
import System.Environment (getArgs)

main :: IO ()
main = do
  [pairs] <- getArgs
  replicateM_ (read pairs) yield
