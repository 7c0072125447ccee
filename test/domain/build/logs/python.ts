/** What Python's tools write. */
import { type LogExample, HOME } from './example.ts';

export const PYTHON: readonly LogExample[] = [
  {
    title: 'pytest',
    log: `
============================= test session starts ==============================
collected 2 items

tests/test_tidy.py .F                                                    [100%]

=================================== FAILURES ===================================
_________________________________ test_trims __________________________________

    def test_trims():
>       assert tidy(" a") == "a"
E       AssertionError: assert ' a' == 'a'
E         - a
E         + a
E         ? +

tests/test_tidy.py:9: AssertionError
=========================== short test summary info ============================
FAILED tests/test_tidy.py::test_trims - AssertionError: assert ' a' == 'a'
========================= 1 failed, 1 passed in 0.04s ==========================`,
    kind: 'test',
    says: "assert ' a' == 'a'",
    subject: 'test_trims',
    place: { path: 'tests/test_tidy.py', line: 9 },
  },
  {
    title: 'unittest',
    log: `
.F
======================================================================
FAIL: test_trims (tests.test_tidy.TestTidy.test_trims)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "${HOME}/tests/test_tidy.py", line 7, in test_trims
    self.assertEqual(tidy(" a"), "a")
AssertionError: ' a' != 'a'

----------------------------------------------------------------------
Ran 2 tests in 0.001s

FAILED (failures=1)`,
    kind: 'test',
    says: "AssertionError: ' a' != 'a'",
    subject: 'test_trims',
    place: { path: `${HOME}/tests/test_tidy.py`, line: 7 },
  },
  {
    title: 'Python without a module',
    log: `
Traceback (most recent call last):
  File "${HOME}/tidy/cli.py", line 3, in <module>
    import requests
ModuleNotFoundError: No module named 'requests'`,
    kind: 'dependency',
    says: "No module named 'requests'",
    subject: 'requests',
    place: { path: `${HOME}/tidy/cli.py`, line: 3 },
  },
  {
    title: 'a syntax error of Python',
    log: `
  File "${HOME}/tidy/cli.py", line 12
    def main(
            ^
SyntaxError: '(' was never closed`,
    kind: 'compile',
    says: "SyntaxError: '(' was never closed",
    place: { path: `${HOME}/tidy/cli.py`, line: 12 },
  },
  {
    title: 'mypy',
    log: `
tidy/cli.py:14: error: Incompatible return value type (got "int", expected "str")  [return-value]
Found 1 error in 1 file (checked 4 source files)`,
    kind: 'compile',
    says: 'Incompatible return value type',
    subject: 'return-value',
    place: { path: 'tidy/cli.py', line: 14 },
  },
  {
    title: 'Ruff in one line',
    log: `
tidy/cli.py:1:8: F401 [*] \`os\` imported but unused
Found 1 error.
[*] 1 fixable with the \`--fix\` option.`,
    kind: 'lint',
    says: '`os` imported but unused',
    subject: 'F401',
    place: { path: 'tidy/cli.py', line: 1 },
  },
  {
    title: 'Ruff in several lines',
    log: `
F401 [*] \`os\` imported but unused
 --> tidy/cli.py:1:8
  |
1 | import os
  |        ^^
  |
help: Remove unused import: \`os\`

Found 1 error.`,
    kind: 'lint',
    says: '`os` imported but unused',
    subject: 'F401',
    place: { path: 'tidy/cli.py', line: 1 },
  },
  {
    title: 'pip with a version that is not there',
    log: `
ERROR: Could not find a version that satisfies the requirement requests==99.0 (from versions: 2.31.0, 2.32.0)
ERROR: No matching distribution found for requests==99.0`,
    kind: 'dependency',
    says: 'No matching distribution found',
    subject: 'requests',
  },
  {
    title: 'Poetry with a lockfile that does not fit',
    log: `
Installing dependencies from lock file

pyproject.toml changed significantly since poetry.lock was last generated. Run \`poetry lock\` to fix the lock file.`,
    kind: 'dependency',
    says: 'changed significantly since poetry.lock',
    place: { path: 'poetry.lock' },
  },
];
