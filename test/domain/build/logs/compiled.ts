/** What the tools of compiled languages write. */
import { type LogExample, ESC, HOME } from './example.ts';

export const COMPILED: readonly LogExample[] = [
  {
    title: 'a test of Go',
    log: `
=== RUN   TestTrims
    tidy_test.go:9: Tidy(" a") = " a", want "a"
--- FAIL: TestTrims (0.00s)
    tidy_test.go:9: Tidy(" a") = " a", want "a"
FAIL
FAIL	example.org/tidy	0.003s
ok  	example.org/tidy/cli	0.002s
FAIL`,
    kind: 'test',
    says: 'Tidy(" a") = " a", want "a"',
    subject: 'TestTrims',
    place: { path: 'tidy_test.go', line: 9 },
  },
  {
    title: 'the compiler of Go',
    log: `
# example.org/tidy
./tidy.go:5:9: undefined: strngs
FAIL	example.org/tidy [build failed]
FAIL`,
    kind: 'compile',
    says: 'undefined: strngs',
    place: { path: './tidy.go', line: 5 },
  },
  {
    title: 'golangci-lint',
    log: `
tidy.go:7:12: Error return value of \`f.Close\` is not checked (errcheck)
	f.Close()
	       ^
1 issues:
* errcheck: 1`,
    kind: 'lint',
    says: 'Error return value of `f.Close` is not checked',
    subject: 'errcheck',
    place: { path: 'tidy.go', line: 7 },
  },
  {
    title: 'Go without a sum',
    log: 'main.go:4:2: missing go.sum entry for module providing package golang.org/x/text; to add it:\n\tgo mod download golang.org/x/text',
    kind: 'dependency',
    says: 'missing go.sum entry',
    subject: 'golang.org/x/text',
    place: { path: 'go.sum' },
  },
  {
    title: 'rustc',
    log: `
   Compiling tidy v0.1.0 (${HOME})
${ESC}[1m${ESC}[38;5;9merror[E0308]${ESC}[0m${ESC}[1m: mismatched types${ESC}[0m
 ${ESC}[38;5;12m-->${ESC}[0m src/lib.rs:2:5
  |
1 | pub fn tidy(name: &str) -> String {
  |                            ------ expected \`String\` because of return type
2 |     name.trim()
  |     ^^^^^^^^^^^ expected \`String\`, found \`&str\`

For more information about this error, try \`rustc --explain E0308\`.
error: could not compile \`tidy\` (lib) due to 1 previous error`,
    kind: 'compile',
    says: 'E0308: mismatched types',
    subject: 'E0308',
    place: { path: 'src/lib.rs', line: 2 },
  },
  {
    title: 'Clippy',
    log: `
error: this boolean expression can be simplified
 --> src/lib.rs:3:8
  |
3 |     if !(a == b) {
  |        ^^^^^^^^^ help: try: \`a != b\`
  |
  = help: for further information visit the index of lints
  = note: \`-D clippy::nonminimal-bool\` implied by \`-D warnings\`

error: could not compile \`tidy\` (lib) due to 1 previous error`,
    kind: 'lint',
    says: 'this boolean expression can be simplified',
    subject: 'clippy',
    place: { path: 'src/lib.rs', line: 3 },
  },
  {
    title: 'a test of Rust',
    log: `
running 2 tests
test tests::keeps ... ok
test tests::trims ... FAILED

failures:

---- tests::trims stdout ----

thread 'tests::trims' panicked at src/lib.rs:12:9:
assertion \`left == right\` failed
  left: " a"
 right: "a"
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace

failures:
    tests::trims

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass \`--lib\``,
    kind: 'test',
    says: 'left: " a", right: "a"',
    subject: 'tests::trims',
    place: { path: 'src/lib.rs', line: 12 },
  },
  {
    title: 'Cargo with a lockfile that does not fit',
    log: `error: the lock file ${HOME}/Cargo.lock needs to be updated but --locked was passed to prevent this`,
    kind: 'dependency',
    says: 'Cargo.lock needs to be updated',
    place: { path: 'Cargo.lock' },
  },
  {
    title: 'javac below Maven',
    log: `
[INFO] Compiling 4 source files with javac [debug target 21] to target/classes
[INFO] -------------------------------------------------------------
[ERROR] COMPILATION ERROR :
[INFO] -------------------------------------------------------------
[ERROR] ${HOME}/src/main/java/org/acme/Tidy.java:[5,16] cannot find symbol
[ERROR]   symbol:   variable nam
[ERROR]   location: class org.acme.Tidy
[INFO] 1 error
[INFO] BUILD FAILURE
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.13.0:compile (default-compile) on project tidy: Compilation failure`,
    kind: 'compile',
    says: 'cannot find symbol: variable nam',
    place: { path: `${HOME}/src/main/java/org/acme/Tidy.java`, line: 5 },
  },
  {
    title: 'Surefire',
    log: `
[INFO] Running org.acme.TidyTest
[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! -- in org.acme.TidyTest
[ERROR] org.acme.TidyTest.trims -- Time elapsed: 0.01 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <a> but was: < a>
	at org.acme.TidyTest.trims(TidyTest.java:12)
[INFO] Results:
[ERROR] Failures:
[ERROR]   TidyTest.trims:12 expected: <a> but was: < a>
[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0
[INFO] BUILD FAILURE`,
    kind: 'test',
    says: 'expected: <a> but was: < a>',
    subject: 'TidyTest.trims',
    place: { path: 'TidyTest.java', line: 12 },
  },
  {
    title: 'Gradle',
    log: `
> Task :test FAILED

TidyTest > trims() FAILED
    org.opentest4j.AssertionFailedError: expected: <a> but was: < a>
        at app//org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:39)
        at app//org.acme.TidyTest.trims(TidyTest.java:12)

2 tests completed, 1 failed

FAILURE: Build failed with an exception.`,
    kind: 'test',
    says: 'AssertionFailedError: expected: <a> but was: < a>',
    subject: 'TidyTest > trims()',
    place: { path: 'TidyTest.java', line: 12 },
  },
  {
    title: 'Kotlin',
    log: `e: file://${HOME}/src/main/kotlin/Tidy.kt:5:9 Unresolved reference 'nam'.`,
    kind: 'compile',
    says: "Unresolved reference 'nam'.",
    place: { path: `${HOME}/src/main/kotlin/Tidy.kt`, line: 5 },
  },
  {
    title: 'a C compiler',
    log: "src/tidy.c:7:5: error: implicit declaration of function 'trim'",
    kind: 'compile',
    says: "implicit declaration of function 'trim'",
    place: { path: 'src/tidy.c', line: 7 },
  },
];
