#!/usr/bin/env python3
"""The shell of evt sql: statements of a file, and a prompt on a terminal.

    shell_test.py EVT    as sql_case.py has it
"""
import ctypes
import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import tempfile
import termios
import unittest

from sql_case import EVT, SqlTest, run

try:
    HAS_EDITOR = ctypes.CDLL("libedit.so.2") is not None
except OSError:
    HAS_EDITOR = False
editor = unittest.skipUnless(HAS_EDITOR, "libedit is not here")


class Shell(SqlTest):
    def test_statements_are_read_from_a_file(self):
        ran = run("sql", self.minutes, text="-- how many\nselect count(*) as n\nfrom spans; select 2 as m")
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, "n\n3\n\nm\n2\n", ""))

    def test_a_file_ends_at_its_first_error(self):
        ran = run("sql", text="select 1 as a; select b; select 2 as c;")
        self.assertEqual((ran.returncode, ran.stdout), (2, "a\n1\n"))

    def test_commands_list_tables_and_their_columns(self):
        ran = run("sql", self.minutes, text=".tables\n.schema marks\n.schema stream_losses\n.schema \"end\"\n.quit\nselect 1;\n")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertEqual(ran.stdout.split("\n\n")[0].splitlines(), [
            "name", "async_spans", "attributes", "begin", "build_differences", "code", "collections", "counters", "cpu_by_minute", "end", "event_rates", "events", "frames", "lost", "marks", "run",
            "samples", "sessions", "slowest_spans", "span_times", "spans", "stacks", "stop", "stream_losses", "streams", "thread_states", "types"])
        self.assertIn("\nns           int64   ns    the same, since the session's start\n", ran.stdout)
        self.assertIn("\nmissing  UBIGINT\n", ran.stdout)
        self.assertNotIn("\n1\n", ran.stdout)

    def test_an_unknown_command_is_refused(self):
        ran = run("sql", text=".mode x\n")
        self.assertEqual((ran.returncode, ran.stderr), (2, "evt sql: expected .tables, .schema NAME, .help or .quit, found .mode x\n"))

    def talk(self, steps, env=None):
        """What a terminal shows: each step waits for a text, then types one, or sends a signal."""
        shell, terminal = pty.openpty()
        process = subprocess.Popen([EVT, "sql", self.minutes], stdin=terminal, stdout=terminal, stderr=terminal,
                                   start_new_session=True, env={**os.environ, "TERM": "dumb", **(env or {})})
        os.close(terminal)
        shown = b""
        for wanted, typed in steps:
            seen = len(shown)
            while wanted not in shown[seen:]:
                if not select.select([shell], [], [], 120)[0]:
                    process.kill()
                    self.fail(f"nothing was shown for two minutes; expected {wanted!r} behind {shown!r}")
                shown += os.read(shell, 4096)
            process.send_signal(typed) if isinstance(typed, signal.Signals) else os.write(shell, typed)
        shown += self.rest_of(shell)
        return process.wait(), shown.decode().replace("\r\n", "\n")

    def rest_of(self, shell):
        """All that is shown until the program has ended."""
        shown = b""
        try:
            while more := os.read(shell, 4096):
                shown += more
        except OSError:
            pass
        os.close(shell)
        return shown

    def test_a_terminal_has_a_prompt_and_goes_on_behind_errors(self):
        status, shown = self.talk([(b"evt> ", b"select 1 as a\n"), (b"...> ", b"; select b;\n"), (b"evt> ", b".quit\n")])
        self.assertEqual(status, 0)
        self.assertRegex(shown, r'a\n1\nevt sql: Binder Error: .*"b".*\nevt> .quit\n')

    def test_an_interrupt_ends_the_query_alone(self):
        # Rows are shown while it runs.
        status, shown = self.talk([
            (b"evt> ", b"select 'run' || 'ning' as now from range(100000000000);\n"),
            (b"running", signal.SIGINT), (b"evt sql: interrupted", b"select 'still ' || 'here' as b;\n"), (b"still here", b"\x04")])
        self.assertEqual(status, 0)
        self.assertIn("evt sql: interrupted\n", shown)

    def test_an_interrupt_drops_what_is_typed(self):
        status, shown = self.talk([(b"evt> ", b"select\n"), (b"...> ", signal.SIGINT), (b"evt> ", b"select 5 as five;\n"), (b"five\r\n", b".quit\n")])
        self.assertEqual(status, 0)
        self.assertIn("five\n   5\n", shown)


    @editor
    def test_lines_of_an_earlier_shell_are_found_again(self):
        with tempfile.TemporaryDirectory() as state:
            env = {"TERM": "xterm", "XDG_STATE_HOME": state}
            status, _ = self.talk([(b"evt> ", b"select 'forty' || '-two' as answer;\n"), (b"forty-two\r\n", b".quit\n")], env)
            self.assertEqual(status, 0)
            history = pathlib.Path(state, "evtrace", "sql_history")
            self.assertEqual((history.stat().st_mode & 0o777, history.parent.stat().st_mode & 0o777), (0o600, 0o700))
            up = b"\x1b[A"
            status, shown = self.talk([(b"evt> ", up + up + b"\n"), (b"forty-two\r\n", b".quit\n")], env)
            self.assertEqual(status, 0)

    @editor
    def test_lines_of_two_shells_are_kept_also_of_one_that_is_killed(self):
        with tempfile.TemporaryDirectory() as state:
            env = {"TERM": "xterm", "XDG_STATE_HOME": state}
            killed, _ = self.talk([(b"evt> ", b"select 'o' || 'ne' as a;\n"), (b"one\r\n", signal.SIGTERM)], env)
            self.assertEqual(killed, -signal.SIGTERM)
            self.talk([(b"evt> ", b"select 't' || 'wo' as a;\n"), (b"two\r\n", b".quit\n")], env)
            history = pathlib.Path(state, "evtrace", "sql_history").read_text()
            self.assertEqual(history, "select 'o' || 'ne' as a;\nselect 't' || 'wo' as a;\n.quit\n")

    @editor
    def test_a_history_of_very_many_lines_is_shortened(self):
        with tempfile.TemporaryDirectory() as state:
            history = pathlib.Path(state, "evtrace", "sql_history")
            history.parent.mkdir()
            history.write_text("".join(f"line {i}\n" for i in range(2001)))
            self.talk([(b"evt> ", b".quit\n")], {"TERM": "xterm", "XDG_STATE_HOME": state})
            self.assertEqual(history.read_text(), "".join(f"line {i}\n" for i in range(1001, 2001)) + ".quit\n")

    @editor
    def test_a_terminal_is_as_before_when_the_shell_is_ended(self):
        with tempfile.TemporaryDirectory() as state:
            shell, terminal = pty.openpty()
            before = termios.tcgetattr(terminal)
            process = subprocess.Popen([EVT, "sql"], stdin=terminal, stdout=terminal, stderr=terminal,
                                       env={**os.environ, "TERM": "xterm", "XDG_STATE_HOME": state})
            shown = b""
            while b"evt> " not in shown:
                shown += os.read(shell, 4096)
            while termios.tcgetattr(terminal) == before:
                pass
            process.terminate()
            self.assertEqual(process.wait(), -signal.SIGTERM)
            self.assertEqual(termios.tcgetattr(terminal), before)
            os.close(shell)
            os.close(terminal)

    @editor
    def test_tabs_and_characters_are_as_they_are_pasted_in_any_locale(self):
        with tempfile.TemporaryDirectory() as state:
            env = {"TERM": "xterm", "XDG_STATE_HOME": state, "LANG": "", "LC_ALL": "", "LC_CTYPE": ""}
            status, _ = self.talk([(b"evt> ", "select\thex('\u00e9\t' || 'x') as a;\n".encode()), (b"C3A90978\r\n", b".quit\n")], env)
            self.assertEqual(status, 0)

    @editor
    def test_keys_edit_a_line(self):
        with tempfile.TemporaryDirectory() as state:
            begin, delete = b"\x01", b"\x7f"
            status, _ = self.talk([(b"evt> ", b"elect 'a' || '\xc3\xa4x" + delete + b"b' as c;" + begin + b"s\n"),
                                   ("a\u00e4b\r\n".encode(), b".quit\n")],
                                  {"TERM": "xterm", "XDG_STATE_HOME": state, "LC_ALL": "C.UTF-8"})
            self.assertEqual(status, 0)

    @editor
    def test_an_interrupt_drops_the_line_that_is_edited(self):
        with tempfile.TemporaryDirectory() as state:
            status, _ = self.talk([(b"evt> ", b"select\n"), (b"...> ", b"nothing"), (b"nothing", signal.SIGINT),
                                   (b"evt> ", b"select 'fi' || 've' as n;\n"), (b"five\r\n", b".quit\n")],
                                  {"TERM": "xterm", "XDG_STATE_HOME": state})
            self.assertEqual(status, 0)

    @editor
    def test_an_interrupt_drops_the_line_behind_a_key_that_begins_a_sequence(self):
        with tempfile.TemporaryDirectory() as state:
            escape = b"\x1b"  # if it is read behind the interrupt only, it takes the space
            status, _ = self.talk([(b"evt> ", b"select\n"), (b"...> ", b"nothing" + escape), (b"nothing", signal.SIGINT),
                                   (b"evt> ", b" select 'fi' || 've' as n;\n"), (b"five\r\n", b".quit\n")],
                                  {"TERM": "xterm", "XDG_STATE_HOME": state})
            self.assertEqual(status, 0)

    @editor
    def test_lines_that_cannot_be_kept_are_reported(self):
        status, shown = self.talk([(b"evt> ", b"select 'a' || 'b' as c;\n"), (b"ab\r\n", b".quit\n")],
                                  {"TERM": "xterm", "XDG_STATE_HOME": "/dev/null"})
        self.assertEqual(status, 0)
        self.assertIn("evt sql: cannot keep the lines that were typed in /dev/null/evtrace/sql_history: Not a directory\n", shown)

    def test_texts_are_shortened_to_the_width_of_a_terminal(self):
        for options, wanted in [((), "t                        n\naaaaaaaaaaaaaaaaaaaaaa\u2026  5\n"), (("--wide",), "a" * 100 + "  5\n")]:
            shown = self.printed_on_terminal(*options, "select repeat('a', 100) as t, 5 as n", COLUMNS="26")
            self.assertIn(wanted, shown)
            self.assertEqual("evt sql: strings were truncated to 26 columns; --wide shows all\n" in shown, not options)

    def printed_on_terminal(self, *words, **env):
        shell, terminal = pty.openpty()
        process = subprocess.Popen([EVT, "sql", *words], stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal,
                                   env={**os.environ, "TERM": "dumb", **env})
        os.close(terminal)
        shown = self.rest_of(shell)
        self.assertEqual(process.wait(), 0)
        return shown.decode().replace("\r\n", "\n")

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
