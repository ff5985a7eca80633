-- What the library ghc-events is asked to do: count the events of a log as they stand in it, count them in order of
-- time, or print them in that order, by the builder that its own program prints with.
--
--   GhcRead count|sort|text LOG
module Main (main) where

import qualified Data.Text.Lazy.Builder as Builder
import qualified Data.Text.Lazy.IO as Text
import GHC.RTS.Events
import System.Environment (getArgs)
import System.Exit (die)

main :: IO ()
main = do
  [what, file] <- getArgs
  found <- readEventLogFromFile file
  log' <- either die pure found
  let everything = events (dat log')
      types = buildEventTypeMap (eventTypes (header log'))
      line event = Builder.toLazyText (buildEvent types event <> Builder.singleton '\n')
  case what of
    "count" -> print (length everything)
    "sort" -> print (length (sortEvents everything))
    "text" -> mapM_ (Text.putStr . line) (sortEvents everything)
    _ -> die "count, sort or text"
