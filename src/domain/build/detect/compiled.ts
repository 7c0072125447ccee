/** What the tools of Go, Rust, Java, Kotlin and C say. */
import { escapePattern } from '../../text/pattern.ts';
import { sight, toSourcePlace, type Detector, type LogText } from './detect.ts';

// Go

const goModules: Detector = (log, at) => {
  const says = log.line(at);
  const match =
    /missing go\.sum entry for (?:module providing package |go\.mod file for )?(\S{1,200}?)[;:]?(?: |$)|no required module provides package (\S{1,200}?);|updates to (go\.mod|go\.sum) needed/.exec(
      says,
    );
  if (match === null) return undefined;
  const subject = match[1] ?? match[2];
  const fix = 'run `go mod tidy` and commit `go.mod` and `go.sum`';
  return sight(
    { kind: 'dependency', says, ...(subject === undefined ? {} : { subject }), fix },
    toSourcePlace(match[3] ?? 'go.sum', undefined),
  );
};

/** A linter puts its name behind the message: `(errcheck)`. */
const goFile: Detector = (log, at) => {
  const match =
    /^(?:vet: |error: )?\s*((?:\.\/)?[\w./@-]{1,300}\.go):(\d+):\d+: (.{1,300}?)(?: \((\w{2,30})\))?$/.exec(
      log.line(at),
    );
  if (match === null) return undefined;
  const [, path, line, says = '', linter] = match;
  const place = toSourcePlace(path, line);
  if (linter !== undefined)
    return sight({ kind: 'lint', says, subject: linter, fix: `fix what ${linter} names` }, place);
  return sight({ kind: 'compile', says, fix: 'correct what the compiler names' }, place);
};

const goTest: Detector = (log, at) => {
  const subject = /^\s*--- FAIL: (\S{1,300}) \(/.exec(log.line(at))?.[1];
  if (subject === undefined) return undefined;
  const until = /^\s*(?:--- |FAIL\b|ok\s)/;
  // A test of tests says nothing itself.
  const said = log.after(at, /^\s+([\w./-]{1,200}\.go):(\d+): ?(.{0,300})$/, { within: 12, until });
  if (said === undefined) return undefined;
  const [, path, line, words = ''] = said;
  const detail = /^\s*(?:Error Trace:\s*)?$/.test(words)
    ? log.after(at, /^\s+Error:\s(.{1,300})$/, { within: 12, until })?.[1]?.trim()
    : words;
  return sight({ kind: 'test', says: detail ?? 'it fails', subject }, toSourcePlace(path, line));
};

// Rust

const RUST_PLACE = /^\s*--> (\S{1,300}\.rs):(\d+):\d+/;

/** `error[E0308]: mismatched types`, and its place in the next lines; a lint tells its name in a note. */
const rustc: Detector = (log, at) => {
  const match = /^(?:error: )?error(?:\[(E\d{4})\])?: (.{1,300})$/.exec(log.line(at));
  if (match === null) return undefined;
  const place = log.after(at, RUST_PLACE, { within: 4 });
  if (place === undefined) return undefined;
  const [, code, says = ''] = match;
  const at2 = toSourcePlace(place[1], place[2]);
  const until = /^(?:error|warning)(?:\[|:)/;
  const lint = log.after(
    at,
    /`-D (?:clippy::|warnings)|#\[deny\((clippy::[\w-]+)|clippy::([\w-]+)/,
    { within: 16, until },
  );
  if (code === undefined && lint !== undefined)
    return sight({ kind: 'lint', says, subject: 'clippy', fix: 'fix what Clippy names' }, at2);
  return sight(
    {
      kind: 'compile',
      says: code === undefined ? says : `${code}: ${says}`,
      ...(code === undefined ? {} : { subject: code }),
      fix: 'correct what the compiler names',
    },
    at2,
  );
};

const cargo: Detector = (log, at) => {
  const says = log.line(at);
  if (/Cargo\.lock needs to be updated but --locked was passed/.test(says))
    return sight(
      { kind: 'dependency', says, fix: 'run `cargo update --workspace` and commit `Cargo.lock`' },
      toSourcePlace('Cargo.lock', undefined),
    );
  const subject =
    /no matching package named `([\w-]{1,100})` found|failed to select a version for (?:the requirement )?`([\w-]{1,100})/.exec(
      says,
    );
  if (subject === null) return undefined;
  const name = subject[1] ?? subject[2] ?? '';
  return {
    kind: 'dependency',
    says,
    subject: name,
    fix: `name a version of \`${name}\` that exists`,
  };
};

const rustTest: Detector = (log, at) => {
  const match =
    /^thread '([^']{1,300})'(?: \(\d+\))? panicked at (?:'(.{1,300}?)', )?(\S{1,300}\.rs):(\d+):\d+:?$/.exec(
      log.line(at),
    );
  if (match === null) return undefined;
  const [, subject = '', old, path, line] = match;
  const left = log.after(at, /^\s+(left: .{1,120})$/, { within: 6 })?.[1];
  const right = log.after(at, /^\s+(right: .{1,120})$/, { within: 6 })?.[1];
  const values = [left, right].filter((value) => value !== undefined).join(', ');
  const says = values === '' ? (old ?? log.line(at + 1)) : values;
  return sight(
    { kind: 'test', says: says.trim() || 'it panics', subject },
    toSourcePlace(path, line),
  );
};

const rustfmt: Detector = (log, at) => {
  const match = /^Diff in (\S{1,300}\.rs)(?: at line |:)(\d+):?/.exec(log.line(at));
  if (match === null) return undefined;
  return sight(
    { kind: 'lint', says: 'not formatted', subject: 'rustfmt', fix: 'run `cargo fmt`' },
    toSourcePlace(match[1], match[2]),
  );
};

// Java and Kotlin

/** `[ERROR] /…/Sum.java:[5,16] cannot find symbol`, `/…/Sum.java:5: error: …`, `e: file:///…/Sum.kt:5:9 …`. */
const javac: Detector = (log, at) => {
  const line = log.line(at);
  const match =
    /^\s*(?:error: )?\[ERROR\]\s+(\S{1,300}\.(?:java|kt)):\[(\d+),\d+\] (.{1,300})$/.exec(line) ??
    /^\s*(\S{1,300}\.java):(\d+): error: (.{1,300})$/.exec(line) ??
    /^e: (?:file:\/\/)?(\S{1,300}\.kts?):(\d+):\d+:? (.{1,300})$/.exec(line);
  if (match === null) return undefined;
  const [, path, number, words = ''] = match;
  const symbol = log.after(at, /symbol:\s(.{1,120})$/, { within: 3 })?.[1]?.trim();
  return sight(
    {
      kind: 'compile',
      says: symbol === undefined ? words : `${words}: ${symbol}`,
      fix: 'correct what the compiler names',
    },
    toSourcePlace(path, number),
  );
};

/** Surefire's summary: `[ERROR]   SumTest.adds:12 expected: <4> but was: <3>`. */
const surefire: Detector = (log, at) => {
  const match =
    /^\[ERROR\]\s{2,}(\w{1,100})\.(\w{1,200}(?:\(.{0,60}\))?):(\d+)(?:->\S+)? (.{1,300})$/.exec(
      log.line(at),
    );
  if (match === null) return undefined;
  const [, type = '', method = '', line, says = ''] = match;
  return sight(
    { kind: 'test', says, subject: `${type}.${method}` },
    toSourcePlace(`${type}.java`, line),
  );
};

/** Gradle: `SumTest > adds() FAILED`, then the exception, then where, the assertion's own frames first. */
const gradleTest: Detector = (log, at) => {
  const subject = /^(?!> Task)(.{1,400}) FAILED$/.exec(log.line(at))?.[1] ?? '';
  const type = /(?:^|[ .])(\w{1,100})$/.exec(
    subject.slice(0, Math.max(0, subject.lastIndexOf(' > '))),
  );
  if (type?.[1] === undefined) return undefined;
  const exception = /^\s+(?:[\w.$]+\.)?(\w+(?:Error|Exception|Failure).{0,300})$/;
  const says = log.after(at, exception, { within: 4 })?.[1] ?? 'it fails';
  const own = new RegExp(String.raw`(${escapePattern(type[1])}\.(?:java|kt|groovy)):(\d+)`);
  const frame = log.after(at, own, { within: 15 });
  return sight({ kind: 'test', says, subject }, toSourcePlace(frame?.[1], frame?.[2]));
};

const javaDependency: Detector = (log, at) => {
  const says = log.line(at);
  const match =
    /Could not resolve dependencies for project|Could not find artifact (\S{1,200}?) in |Could not resolve all (?:files|artifacts|dependencies) for configuration|Could not find ([\w.-]{1,100}:[\w.-]{1,100}:[\w.-]{1,60})\./.exec(
      says,
    );
  if (match === null) return undefined;
  const subject = match[1] ?? match[2];
  const fix = 'name versions that exist in the repositories that the build knows';
  return { kind: 'dependency', says, ...(subject === undefined ? {} : { subject }), fix };
};

const checkstyle: Detector = (log, at) => {
  const match = /^\[ERROR\] (\S{1,300}\.java):(\d+)(?::\d+)?: (.{1,300}) \[(\w{3,60})\]\.?$/.exec(
    log.line(at),
  );
  if (match === null) return undefined;
  const [, path, line, says = '', subject = ''] = match;
  return sight(
    { kind: 'lint', says, subject, fix: `fix what ${subject} names` },
    toSourcePlace(path, line),
  );
};

// C and C++

const cc: Detector = (log: LogText, at) => {
  const match =
    /^\s*(?:error: )?(\S{1,300}\.(?:c|cc|cpp|cxx|h|hpp|m|swift)):(\d+):\d+: (?:fatal )?error: (.{1,300})$/.exec(
      log.line(at),
    );
  if (match === null) return undefined;
  const [, path, line, says = ''] = match;
  return sight(
    { kind: 'compile', says, fix: 'correct what the compiler names' },
    toSourcePlace(path, line),
  );
};

export const COMPILED: readonly Detector[] = [
  goModules,
  goFile,
  goTest,
  rustc,
  cargo,
  rustTest,
  rustfmt,
  javac,
  surefire,
  gradleTest,
  javaDependency,
  checkstyle,
  cc,
];
