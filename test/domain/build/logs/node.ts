/** What Node's tools write. */
import { type LogExample, ESC, HOME, red } from './example.ts';

export const NODE: readonly LogExample[] = [
  {
    title: 'Vitest',
    log: `
 RUN  v3.2.4 ${HOME}

 ✓ test/cli.test.ts (2 tests) 6ms
 ❯ test/tidy.test.ts (3 tests | 1 failed) 8ms
   ✓ tidy > keeps a name 1ms
   ${red('×')} tidy > trims the name${ESC}[32m 5${ESC}[2mms${ESC}[22m${ESC}[39m
     → expected ' a' to be 'a' // Object.is equality

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

${red(' FAIL ')} test/tidy.test.ts > tidy > trims the name
${red("AssertionError: expected ' a' to be 'a' // Object.is equality")}

Expected: "a"
Received: " a"

 ❯ test/tidy.test.ts:9:22
      7|
      8| test('trims the name', () => {
      9|   expect(tidy(' a')).toBe('a');
       |                      ^

 Test Files  1 failed | 1 passed (2)
      Tests  1 failed | 4 passed (5)`,
    kind: 'test',
    says: "expected ' a' to be 'a'",
    subject: 'tidy > trims the name',
    place: { path: 'test/tidy.test.ts', line: 9 },
  },
  {
    title: 'Jest',
    log: `
FAIL test/sum.test.js
  math
    ✓ subtracts (1 ms)
    ✕ adds two numbers (3 ms)

  ● math › adds two numbers

    expect(received).toBe(expected) // Object.is equality

    Expected: 4
    Received: 3

      3 |
      4 | test('adds two numbers', () => {
    > 5 |   expect(sum(1, 2)).toBe(4);
        |                     ^

      at Object.toBe (test/sum.test.js:5:21)

Test Suites: 1 failed, 1 total
Tests:       1 failed, 1 passed, 2 total`,
    kind: 'test',
    says: 'Expected: 4, Received: 3',
    subject: 'math › adds two numbers',
    place: { path: 'test/sum.test.js', line: 5 },
  },
  {
    title: "Node's own runner",
    log: `
✔ subtracts (0.4ms)
✖ adds two numbers (1.04ms)
ℹ tests 2
ℹ fail 1

✖ failing tests:

test at test/sum.test.js:4:1
✖ adds two numbers (1.042ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

  3 !== 4

      at TestContext.<anonymous> (file://${HOME}/test/sum.test.js:5:10)`,
    kind: 'test',
    says: '3 !== 4',
    subject: 'adds two numbers',
    place: { path: 'test/sum.test.js', line: 4 },
  },
  {
    title: 'TAP',
    log: `
TAP version 13
# Subtest: adds two numbers
not ok 1 - adds two numbers
  ---
  duration_ms: 1.2
  location: '${HOME}/test/sum.test.js:4:1'
  failureType: 'testCodeFailure'
  error: 'Expected 4 and got 3'
  code: 'ERR_ASSERTION'
  ...
1..1
# fail 1`,
    kind: 'test',
    says: 'Expected 4 and got 3',
    subject: 'adds two numbers',
    place: { path: `${HOME}/test/sum.test.js`, line: 4 },
  },
  {
    title: 'Mocha',
    log: `
  math
    ✔ subtracts
    1) adds two numbers

  1 passing (5ms)
  1 failing

  1) math
       adds two numbers:

      AssertionError [ERR_ASSERTION]: 3 == 4
      + expected - actual

      -3
      +4

      at Context.<anonymous> (test/sum.js:5:12)`,
    kind: 'test',
    says: '3 == 4',
    subject: 'math adds two numbers',
    place: { path: 'test/sum.js', line: 5 },
  },
  {
    title: 'tsc on a terminal',
    log: `
${ESC}[96msrc/tidy.ts${ESC}[0m:${ESC}[93m3${ESC}[0m:${ESC}[93m5${ESC}[0m - ${red('error')}${ESC}[90m TS2322: ${ESC}[0mType 'number' is not assignable to type 'string'.

${ESC}[7m3${ESC}[0m     return 4;
${ESC}[7m ${ESC}[0m ${red('    ~~~~~~')}

Found 1 error in src/tidy.ts:3`,
    kind: 'compile',
    says: "TS2322: Type 'number' is not assignable",
    subject: 'TS2322',
    place: { path: 'src/tidy.ts', line: 3 },
  },
  {
    title: 'tsc in a pipe, with the runner’s problem matcher',
    log: `
##[error]src/cli.ts(1,22): error TS2307: Cannot find module './tidied.ts' or its corresponding type declarations.`,
    kind: 'compile',
    says: "TS2307: Cannot find module './tidied.ts'",
    subject: 'TS2307',
    place: { path: 'src/cli.ts', line: 1 },
  },
  {
    title: 'a syntax error of Node',
    log: `
file://${HOME}/src/cli.js:12
export function main( {
                      ^

SyntaxError: Unexpected token '{'
    at compileSourceTextModule (node:internal/modules/esm/utils:346:16)`,
    kind: 'compile',
    says: "SyntaxError: Unexpected token '{'",
    place: { path: `${HOME}/src/cli.js`, line: 12 },
  },
  {
    title: 'ESLint',
    log: `

${HOME}/src/tidy.ts
  3:7   ${red('error')}  'unused' is assigned a value but never used  no-unused-vars
  9:1   warning  Unexpected console statement                no-console

${red('✖ 2 problems (1 error, 1 warning)')}`,
    kind: 'lint',
    says: "'unused' is assigned a value but never used",
    subject: 'no-unused-vars',
    place: { path: `${HOME}/src/tidy.ts`, line: 3 },
  },
  {
    title: 'Prettier',
    log: `
Checking formatting...
[${ESC}[33mwarn${ESC}[39m] src/tidy.ts
[${ESC}[33mwarn${ESC}[39m] Code style issues found in the above file. Run Prettier with --write to fix.`,
    kind: 'lint',
    says: 'Code style issues found',
    subject: 'prettier',
    place: { path: 'src/tidy.ts' },
  },
  {
    title: 'npm with a lockfile that does not fit',
    log: `
npm error code EUSAGE
npm error
npm error \`npm ci\` can only install packages when your package.json and package-lock.json or npm-shrinkwrap.json are in sync. Please update your lock file with \`npm install\` before continuing.
npm error
npm error Missing: left-pad@1.3.0 from lock file
npm error
npm error Clean install a project
npm error A complete log of this run can be found in: /home/runner/.npm/_logs/2026-03-02T09_00_00_000Z-debug-0.log`,
    kind: 'dependency',
    says: 'can only install packages when',
    subject: 'left-pad',
    place: { path: 'package-lock.json' },
  },
  {
    title: 'pnpm with a lockfile that does not fit',
    log: ' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date with <ROOT>/package.json',
    kind: 'dependency',
    says: 'ERR_PNPM_OUTDATED_LOCKFILE',
    place: { path: 'pnpm-lock.yaml' },
  },
  {
    title: 'npm with a package that is not there',
    log: `
npm error code E404
npm error 404 Not Found - GET https://packages.example.org/left-padd - Not found
npm error 404
npm error 404  The requested resource 'left-padd@^1.0.0' could not be found or you do not have permission to access it.`,
    kind: 'dependency',
    says: '404 Not Found',
    subject: 'left-padd',
  },
  {
    title: 'a package that was never added',
    log: `
node:internal/modules/package_json_reader:256
  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
        ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad' imported from ${HOME}/src/tidy.js
    at Object.getPackageJSONURL (node:internal/modules/package_json_reader:256:9)`,
    kind: 'dependency',
    says: "Cannot find package 'left-pad'",
    subject: 'left-pad',
    place: { path: `${HOME}/src/tidy.js` },
  },
  {
    title: 'a tool that is not installed',
    log: `
> tidy@1.0.0 test
> vitest run

sh: 1: vitest: not found`,
    kind: 'dependency',
    says: 'vitest: not found',
    subject: 'vitest',
  },
  {
    title: 'Node out of memory',
    log: `
<--- Last few GCs --->
[2034:0x5d] 61034 ms: Mark-Compact 4042.1 (4130.0) -> 4041.9 MB, 1893.08 / 0.00 ms (average mu = 0.1) allocation failure;

FATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed - JavaScript heap out of memory
----- Native stack trace -----
 1: 0xe3a7a4 node::OOMErrorHandler(char const*, v8::OOMDetails const&) [node]
Aborted (core dumped)`,
    kind: 'memory',
    says: 'JavaScript heap out of memory',
  },
];
