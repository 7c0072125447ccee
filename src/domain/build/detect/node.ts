/** What Node's tools say: npm and its kin, tsc, ESLint, Prettier, and the common test runners. */
import { sight, toSourcePlace, type Detector } from './detect.ts';

const LOCK =
  /can only install packages when your package\.json and (package-lock\.json|npm-shrinkwrap\.json)|ERR_PNPM_OUTDATED_LOCKFILE.*?(pnpm-lock\.yaml)|Your lockfile needs to be updated|YN0028|lockfile (?:had changes|is out of date|would have been (?:modified|created))/;

const lockfile: Detector = (log, at) => {
  const says = log.line(at);
  const match = LOCK.exec(says);
  if (match === null) return undefined;
  const missing = log.after(at, /(?:Missing|Invalid): (\S+?)(?:@| )/, { within: 12 })?.[1];
  const path =
    match[1] ??
    match[2] ??
    (/PNPM/.test(says) ? 'pnpm-lock.yaml' : /YN\d|yarn/.test(says) ? 'yarn.lock' : undefined);
  const fix = `install once without a frozen lockfile and commit ${path === undefined ? 'the lockfile' : `\`${path}\``}`;
  const subject = missing === undefined ? {} : { subject: missing };
  return sight({ kind: 'dependency', says, ...subject, fix }, toSourcePlace(path, undefined));
};

const install: Detector = (log, at) => {
  const says = log.line(at);
  if (/npm (?:ERR!|error) (?:code )?ERESOLVE/.test(says)) {
    const wants = log.after(at, /npm (?:ERR!|error) Could not resolve dependency:/, { within: 20 });
    const fix = 'choose versions of the two packages that accept each other';
    return wants === undefined && !/ERESOLVE \w/.test(says)
      ? undefined
      : { kind: 'dependency', says, fix };
  }
  const gone =
    /npm (?:ERR!|error) (?:code )?(?:E?404|ETARGET)\b.*?(?:GET \S+\/(\S+?) |for (\S+?)\.|'(\S+?)@)/.exec(
      says,
    );
  if (gone === null) return undefined;
  const subject = gone[1] ?? gone[2] ?? gone[3] ?? '';
  const fix = `correct the name or version of \`${subject}\`, or give the registry's access`;
  return { kind: 'dependency', says, subject, fix };
};

/** Who says that something is not there: a loader, a bundler, a bundler of another kind. */
const MISSING: readonly RegExp[] = [
  /Cannot find (?:module|package) ['"]([^'"]{1,200})['"](?: imported from (?:file:\/\/)?['"]?([^\s'"]{1,300}))?/,
  /Failed to resolve import "([^"]{1,200})" from "([^"]{1,200})"/,
  /Could not resolve "([^"]{1,200})"/,
];
/** Below the message: the stack of those who asked, or the bundler's place. */
const ASKED_BY =
  /^\s*(?:- |Require stack: )(\/\S{1,300})|^\s{2,}([\w./-]{1,200}\.[cm]?[jt]sx?):\d+:\d+:/;

/** A package that is not installed, or a file of one's own that is not there. */
const missingModule: Detector = (log, at) => {
  const says = log.line(at);
  const match = MISSING.map((pattern) => pattern.exec(says)).find((found) => found !== null);
  const subject = match?.[1];
  // TypeScript reports the same with a place: that one is left to its own detector.
  if (subject === undefined || /\bTS\d{4}\b/.test(says)) return undefined;
  const below = log.after(at, ASKED_BY, { within: 4 });
  const place = toSourcePlace(match?.[2] ?? below?.[1] ?? below?.[2], undefined);
  const isOwn = /^[./]|^file:/.test(subject);
  const fix = isOwn
    ? `correct the import of \`${subject}\`, or add the file`
    : `add \`${subject}\` to the dependencies and the lockfile`;
  return sight({ kind: isOwn ? 'compile' : 'dependency', says, subject, fix }, place);
};

/** What a code of TypeScript asks for, where that is always the same. */
const TYPESCRIPT_FIXES: Readonly<Record<string, string>> = {
  TS2307: 'correct the path, or add the package and its types',
  TS7016: 'add the types of that package',
  TS6133: 'remove what is not used',
  TS6196: 'remove what is not used',
  TS2554: 'bring the call and the signature together',
  TS2339: 'correct the name, or add the property to the type',
  TS2304: 'import or declare the name',
  TS2552: 'correct the name',
  TS2345: 'bring the argument and the parameter together',
  TS2322: 'bring the value and the type together',
  TS18048: 'handle that it may be undefined',
  TS2532: 'handle that it may be undefined',
};

/** `src/a.ts(3,5): error TS2322: …` and `src/a.ts:3:5 - error TS2322: …`. */
const typescript: Detector = (log, at) => {
  const match =
    /(?:^|error: )\s*(\S{1,300}?)[(:](\d{1,6})[,:]\d{1,5}\)?(?::| -) error (TS\d{3,5}): (.{1,400})/.exec(
      log.line(at),
    );
  if (match === null) return undefined;
  const [, path, line, subject = '', words = ''] = match;
  const fix = TYPESCRIPT_FIXES[subject] ?? 'correct what the compiler names';
  return sight(
    { kind: 'compile', says: `${subject}: ${words}`, subject, fix },
    toSourcePlace(path, line),
  );
};

const syntax: Detector = (log, at) => {
  const says = log.line(at);
  if (!/^(?:\S{1,40} )?SyntaxError: /.test(says)) return undefined;
  const place =
    log.before(at, /^(?:file:\/\/)?(\/?[\w./@-]{1,300}\.(?:[cm]?[jt]sx?|json)):(\d+)/, 8) ??
    /(\S{1,300}\.(?:[cm]?[jt]sx?|json)):? \(?(\d+)[,:]/.exec(says);
  const fix = 'correct the syntax there';
  return sight({ kind: 'compile', says, fix }, toSourcePlace(place?.[1], place?.[2]));
};

/** `  3:7  error  'x' is never used  no-unused-vars`, below the file's path. */
const eslint: Detector = (log, at) => {
  const match = /^\s+(\d{1,6}):\d{1,4}\s+error\s+(.{1,300}?)\s{2,}(\S{1,100})$/.exec(log.line(at));
  if (match === null) return undefined;
  const [, line, says = '', subject = ''] = match;
  const path = log.before(at, /^(?:error: )?(\/?[\w@.][\w./@ -]{0,300}\.\w{1,6})$/, 60)?.[1];
  return sight(
    { kind: 'lint', says, subject, fix: `fix what \`${subject}\` names` },
    toSourcePlace(path, line),
  );
};

const prettier: Detector = (log, at) => {
  const match = /^\[warn\] (\S{1,300}\.\w{1,8})$/.exec(log.line(at));
  const path = match?.[1];
  if (path === undefined) return undefined;
  const fix = `run \`npx prettier --write ${path}\``;
  return sight(
    { kind: 'lint', says: 'Code style issues found', subject: 'prettier', fix },
    toSourcePlace(path, undefined),
  );
};

/** Frames and arrows that name the place of an assertion. */
const FRAME =
  /(?:❯ |at .{0,120}?\(?(?:file:\/\/)?|location: ')(\/?[\w./@-]{1,300}\.[cm]?[jt]sx?):(\d{1,6})(?::\d{1,5})?/;
const MESSAGE =
  /^\s*(?:\w*Error(?: \[\w+\])?: |→ |error: ['"|>-]{0,2}\s?)(.{1,300})|^\s{2,}(expect\(.{1,200})$/;

/** ` FAIL  test/a.test.ts > suite > name` of Vitest, with or without its project's name. */
const vitest: Detector = (log, at) => {
  const match = /^\s*FAIL\s+(?:\|[\w-]+\|\s+)?(\S{1,300}?\.\w{2,4}) > (.{1,300})$/.exec(
    log.line(at),
  );
  if (match === null) return undefined;
  const [, path = '', subject = ''] = match;
  const until = /^\s*FAIL\s/;
  const says = log.after(at, MESSAGE, { within: 8, until });
  const frame = log.after(at, FRAME, { within: 40, until });
  return sight(
    { kind: 'test', says: messageOf(says), subject },
    toSourcePlace(frame?.[1] ?? path, frame?.[2]),
  );
};

/** `● suite › name` of Jest; `● Test suite failed to run` is no test. */
const jest: Detector = (log, at) => {
  const subject = /^\s*● (.{1,300} › .{1,300}|[^›]{3,300})$/.exec(log.line(at))?.[1];
  if (subject === undefined || /^(?:Console|Test suite failed|process\.exit)/.test(subject))
    return undefined;
  const until = /^\s*● /;
  const says = log.after(at, /^\s+((?:expect\(|\w*Error: |thrown: |Exceeded timeout).{1,300})/, {
    within: 10,
    until,
  });
  if (says === undefined) return undefined;
  const expected = log.after(at, /^\s+(Expected.{0,40}: .{1,120})/, { within: 14, until })?.[1];
  const received = log.after(at, /^\s+(Received.{0,40}: .{1,120})/, { within: 16, until })?.[1];
  const values = [expected, received].filter((value) => value !== undefined).join(', ');
  const frame = log.after(at, FRAME, { within: 40, until });
  return sight(
    { kind: 'test', says: values === '' ? (says[1] ?? '') : values, subject },
    toSourcePlace(frame?.[1], frame?.[2]),
  );
};

/** `✖ name (1.2ms)` of Node's runner below its failing tests, `not ok 3 - name` of TAP, `1) suite name:` of Mocha. */
const others: Detector = (log, at) => {
  const line = log.line(at);
  const subject =
    /^\s*✖ (.{1,300}?) \(\d[\d.]*m?s\)$/.exec(line)?.[1] ??
    /^\s*not ok \d+ - (.{1,300}?)(?: # .*)?$/.exec(line)?.[1] ??
    mochaName(line, log.line(at + 1));
  if (subject === undefined) return undefined;
  const until = /^\s*(?:✖ |not ok \d|\d{1,3}\) )/;
  const says = log.after(at, MESSAGE, { within: 12, until });
  if (says === undefined) return undefined;
  const difference = log.after(at, /^\s*(\S.{0,100} (?:!==?|==) \S.{0,100})$/, {
    within: 12,
    until,
  })?.[1];
  const frame =
    log.before(at, /^test at (\S{1,300}):(\d+):\d+$/, 1) ??
    log.after(at, FRAME, { within: 30, until });
  return sight(
    { kind: 'test', says: difference ?? messageOf(says), subject },
    toSourcePlace(frame?.[1], frame?.[2]),
  );
};

function mochaName(line: string, next: string): string | undefined {
  const first = /^\s{1,6}\d{1,3}\) (\S.{0,200}?)(:?)$/.exec(line);
  if (first === null) return undefined;
  if (first[2] === ':') return first[1];
  const second = /^\s{6,}(\S.{0,200}):$/.exec(next)?.[1];
  return second === undefined ? undefined : `${first[1]} ${second}`;
}

function messageOf(match: RegExpExecArray | undefined): string {
  return (match?.[1] ?? match?.[2] ?? 'it fails').trim();
}

export const NODE: readonly Detector[] = [
  lockfile,
  install,
  missingModule,
  typescript,
  syntax,
  eslint,
  prettier,
  vitest,
  jest,
  others,
];
