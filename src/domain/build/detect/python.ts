/** What Python's tools say: pip and its kin, mypy, Ruff, Flake8, Black, pytest and unittest. */
import { escapePattern } from '../../text/pattern.ts';
import { sight, toSourcePlace, type Detector } from './detect.ts';

const FILE = String.raw`[\w./@-]{1,300}\.pyi?`;
const FRAME = new RegExp(String.raw`^\s*File "(${FILE})", line (\d+)`);

const install: Detector = (log, at) => {
  const says = log.line(at);
  const subject =
    /No matching distribution found for ([\w.[\]-]{1,100})/.exec(says)?.[1] ??
    /\bBecause .{1,100} depends on ([\w.-]{1,100})/.exec(says)?.[1];
  if (subject !== undefined)
    return {
      kind: 'dependency',
      says,
      subject,
      fix: `name a version of \`${subject}\` that exists`,
    };
  const lock =
    /(poetry\.lock) was last generated|lockfile at `?(uv\.lock)`? needs to be updated|(Pipfile\.lock) \(\w+\) out of date/.exec(
      says,
    );
  const path = lock?.[1] ?? lock?.[2] ?? lock?.[3];
  if (path === undefined) return undefined;
  const tool = path === 'Pipfile.lock' ? 'pipenv' : path.replace('.lock', '');
  return sight(
    { kind: 'dependency', says, fix: `run \`${tool} lock\` and commit \`${path}\`` },
    toSourcePlace(path, undefined),
  );
};

const missingModule: Detector = (log, at) => {
  const says = log.line(at).replace(/^E\s+/, '');
  const subject = /^(?:ModuleNotFoundError|ImportError): No module named '([\w.]{1,200})'/.exec(
    says,
  )?.[1];
  if (subject === undefined) return undefined;
  const frame =
    log.before(at, FRAME, 12) ?? log.before(at, new RegExp(`^(${FILE}):(\\d+): in `), 12);
  return sight(
    {
      kind: 'dependency',
      says,
      subject,
      fix: `add \`${subject.split('.')[0]}\` to what the job installs, or correct the import`,
    },
    toSourcePlace(frame?.[1], frame?.[2]),
  );
};

const syntax: Detector = (log, at) => {
  const says = log.line(at).replace(/^E\s+/, '');
  if (!/^(?:SyntaxError|IndentationError|TabError): /.test(says)) return undefined;
  const frame =
    log.before(at, FRAME, 8) ??
    log.before(at, new RegExp(`^E\\s+File "(${FILE})", line (\\d+)`), 8);
  if (frame === undefined) return undefined;
  return sight(
    { kind: 'compile', says, fix: 'correct the syntax there' },
    toSourcePlace(frame[1], frame[2]),
  );
};

/** `src/a.py:3: error: … [return-value]` of mypy, `src/a.py:3:5 - error: …` of Pyright. */
const types: Detector = (log, at) => {
  const match = new RegExp(
    `^\\s*(?:error: )?(${FILE}):(\\d+)(?::\\d+)?(?::| -) error: (.{1,300}?)(?:\\s+[[(]([\\w-]+)[\\])])?$`,
  ).exec(log.line(at));
  if (match === null) return undefined;
  const [, path, line, says = '', subject] = match;
  return sight(
    {
      kind: 'compile',
      says,
      ...(subject === undefined ? {} : { subject }),
      fix: 'correct what the type checker names',
    },
    toSourcePlace(path, line),
  );
};

/** `src/a.py:1:8: F401 …`, or the rule first and the place below it. */
const lint: Detector = (log, at) => {
  const line = log.line(at);
  const match = new RegExp(
    `^\\s*(?:error: )?(${FILE}):(\\d+):\\d+: ([A-Z]{1,4}\\d{2,4}) (?:\\[\\*\\] )?(.{1,300})`,
  ).exec(line);
  if (match !== null) {
    const [, path, number, subject = '', says = ''] = match;
    return sight(
      { kind: 'lint', says, subject, fix: fixOf(path, line) },
      toSourcePlace(path, number),
    );
  }
  const rule = /^([A-Z]{1,4}\d{2,4}) (\[\*\] )?(.{1,300})$/.exec(line);
  const place =
    rule === null
      ? undefined
      : log.after(at, new RegExp(`^\\s*--> (${FILE}):(\\d+):\\d+`), { within: 2 });
  if (rule === null || place === undefined) return undefined;
  return sight(
    { kind: 'lint', says: rule[3] ?? '', subject: rule[1] ?? '', fix: fixOf(place[1], line) },
    toSourcePlace(place[1], place[2]),
  );
};

function fixOf(path: string | undefined, line: string): string {
  return line.includes('[*]') ? `run \`ruff check --fix ${path}\`` : 'fix what the rule names';
}

const format: Detector = (log, at) => {
  const path = new RegExp(`^[Ww]ould reformat:? (${FILE})$`).exec(log.line(at))?.[1];
  if (path === undefined) return undefined;
  return sight(
    { kind: 'lint', says: log.line(at), subject: 'format', fix: `format \`${path}\`` },
    toSourcePlace(path, undefined),
  );
};

/** `FAILED tests/test_a.py::test_x - assert 3 == 4`; `ERROR` where a file could not be loaded. */
const pytest: Detector = (log, at) => {
  const match = new RegExp(`^(FAILED|ERROR) (${FILE})(?:::(\\S{1,300}))?(?: - (.{1,300}))?$`).exec(
    log.line(at),
  );
  if (match === null) return undefined;
  const [, word, path = '', name, message] = match;
  if (word === 'ERROR' && name === undefined) return undefined;
  const own = new RegExp(`^(${escapePattern(path)}):(\\d+): `);
  const frame = log.before(at, own, 200);
  return sight(
    { kind: 'test', says: message ?? 'it fails', subject: name ?? path },
    toSourcePlace(path, frame?.[2]),
  );
};

/** `FAIL: test_x (tests.test_a.TestA.test_x)` of unittest. */
const unittest: Detector = (log, at) => {
  const subject = /^(?:FAIL|ERROR): (\w{1,200}) \(([\w.]{1,300})\)$/.exec(log.line(at))?.[1];
  if (subject === undefined) return undefined;
  const until = /^={20,}$/;
  const says = log.after(at, /^(\w*(?:Error|Exception)(?:: .{1,300})?)$/, { within: 30, until });
  const frame = log.after(at, FRAME, { within: 10, until });
  return sight(
    { kind: 'test', says: says?.[1] ?? 'it fails', subject },
    toSourcePlace(frame?.[1], frame?.[2]),
  );
};

export const PYTHON: readonly Detector[] = [
  install,
  missingModule,
  syntax,
  types,
  lint,
  format,
  pytest,
  unittest,
];
