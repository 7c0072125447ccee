/** Which tests stand for which code, and whether the code of a removed test goes with it. */
import { isSourcePath, isTestPath, stemOf } from '../../domain/repository/paths.ts';
import type { ReadLine } from './syntax/lex.ts';
import type { Change, ChangedFile } from './read-change.ts';

/** How near the nearest test is: one of its own, one beside those of its folder, or none. */
export type Nearness = 'own' | 'folder' | 'none';

/** The folders of a path without those that only say source or test. */
function placeOf(path: string): string {
  return path
    .split('/')
    .slice(0, -1)
    .filter(
      (part) => !/^(?:src|lib|app|tests?|specs?|__tests__|internal|packages|pkg)$/i.test(part),
    )
    .join('/')
    .toLowerCase();
}

/** What the tests of the repository and of the change are called, and where they stand. */
export interface KnownTests {
  stems: ReadonlySet<string>;
  folders: ReadonlySet<string>;
  places: ReadonlySet<string>;
}

export function knownTests(change: Change): KnownTests {
  const tests = [...(change.context.paths ?? []), ...change.files.map(({ path }) => path)].filter(
    isTestPath,
  );
  return {
    stems: new Set(tests.map(stemOf)),
    folders: new Set(tests.flatMap((path) => path.toLowerCase().split('/').slice(0, -1))),
    places: new Set(tests.map(placeOf)),
  };
}

export function nearestTest({ path }: ChangedFile, tests: KnownTests): Nearness {
  const stem = stemOf(path);
  const folder = path.split('/').at(-2)?.toLowerCase() ?? '';
  if (tests.stems.has(stem) || tests.stems.has(folder) || tests.folders.has(stem)) return 'own';
  const place = placeOf(path);
  return place !== '' && tests.places.has(place) ? 'folder' : 'none';
}

/** Also under a name of the project's own, such as `itOnPostgres('…')`. */
export const TEST_START =
  /^\s*(?:(?:it|test|verifies)(?:\.\w+)*\s*[(.<]|(?:it|test)[A-Z]\w*\(\s*["'`]|def\s+test_\w+|async\s+def\s+test_\w+|func\s+(?:Test|Benchmark|Fuzz)\w+\(|@Test\b)/;

/** Where something gets its name. Short names are many things' names, and say nothing. */
const DEFINITIONS = [
  /\b(?:function\*?|class|def|func(?:\s*\([^()]*\))?|type|interface|enum|const|let|var)\s+([A-Za-z_$][\w$]{5,})/,
  /\bexports\.([A-Za-z_$][\w$]{5,})\s*=/,
  /^\s*(?:(?:async|static|get|set|public|private|protected)\s+)*([A-Za-z_$][\w$]{5,})\s*\([^()]*\)\s*(?::[^={}]*)?\{\s*$/,
];
/** A member of a form or of options. */
const MEMBER = /^\s*(?:readonly\s+)?([A-Za-z_$][\w$]{5,})\??\s*:/;
const NAME = /[A-Za-z_$][\w$]{5,}/g;

/** Names that the change takes away from sources and defines nowhere again. */
export function goneNames({ files }: Change): ReadonlySet<string> {
  const now = createNames();
  for (const { lines } of files) for (const line of lines.values()) addNames(line, now);
  const gone = createNames();
  for (const { path, removed } of files)
    if (isSourcePath(path)) for (const line of removed) addNames(line, gone);
  return new Set([
    ...[...gone.defined].filter((name) => !now.defined.has(name)),
    ...[...gone.members].filter((name) => !now.defined.has(name) && !now.members.has(name)),
  ]);
}

interface Names {
  defined: Set<string>;
  members: Set<string>;
}

function createNames(): Names {
  return { defined: new Set(), members: new Set() };
}

function addNames({ code }: ReadLine, { defined, members }: Names): void {
  for (const definition of DEFINITIONS) {
    const name = definition.exec(code)?.[1];
    if (name !== undefined) defined.add(name);
  }
  const member = MEMBER.exec(code)?.[1];
  if (member !== undefined) members.add(member);
}

/** First lines of removed tests whose subject stays: neither their code nor their neighbours go with them. */
export function lostTests(
  file: ChangedFile,
  { change, gone }: { change: Change; gone: ReadonlySet<string> },
): ReadLine[] {
  if (file.file.status === 'deleted' && goesWithItsFolder(file, change)) return [];
  const starts = file.removed.flatMap((line, at) => (TEST_START.test(line.live) ? [at] : []));
  return starts.flatMap((from, at) => {
    const body = file.removed.slice(from, starts[at + 1]);
    const [first] = body;
    const isAbout = body.some(({ code }) => code.match(NAME)?.some((name) => gone.has(name)));
    return first === undefined || isAbout ? [] : [first];
  });
}

/** A test that is deleted beside other things of its folder, or with the file that it is named after. */
function goesWithItsFolder({ path }: ChangedFile, { diff }: Change): boolean {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return diff.files.some(
    (other) =>
      other.status === 'deleted' &&
      !isTestPath(other.path) &&
      (stemOf(other.path) === stemOf(path) || (folder !== '' && other.path.startsWith(folder))),
  );
}
