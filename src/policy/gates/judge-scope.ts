/** Gate S: what a task changed is what it was about, and nothing that only people may change (TG-5). */
import { ALLOWED, forbid, permitAll, type Permit } from '../../domain/run/permit/permit.ts';
import { parseDiff } from '../../domain/diff/parse-diff.ts';
import type { DiffFile } from '../../domain/diff/diff.ts';
import { isLockfile, nameOf } from '../../domain/repository/paths.ts';
import type { DetectSecrets } from '../../domain/secrets/secret-text.ts';
import type { ChangedFile, Patch } from '../../domain/task/patch.ts';
import { isBelow } from '../../domain/repository/watch-paths.ts';
import {
  isForPeople,
  protectionBy,
  type PathProtection,
} from '../../domain/gates/protected-paths.ts';
import type { Judgement } from '../../domain/gates/receipt.ts';
import { changesScripts } from '../../domain/gates/test-command.ts';

export interface ScopeWanted {
  /** Files that the task names; none: everything is in its scope. */
  planned: readonly string[];
  /** What the repository's configuration protects and takes out, on top of what is built in. */
  paths: PathProtection;
  /** Protected paths that a person approved for this task. */
  approvedPaths: readonly string[];
  /** Added and removed lines, those of lockfiles left out. */
  maxChangedLines: number;
  /** Of one binary file, in kilobytes of 1,000 bytes. */
  maxBinaryKb: number;
  /**
   * Each `package.json` of {@link manifestsIn}, as it was and as it is; the empty text where the file does not exist.
   */
  manifests: readonly Manifest[];
}

export interface Manifest {
  path: string;
  before: string;
  after: string;
}

/** What is declared where, for a lockfile to have changed. */
const MANIFESTS: Readonly<Record<string, RegExp>> = {
  'poetry.lock': /^pyproject\.toml$/,
  'uv.lock': /^pyproject\.toml$/,
  'Pipfile.lock': /^Pipfile$/,
  'go.sum': /^go\.mod$/,
  'Cargo.lock': /^Cargo\.toml$/,
  'Gemfile.lock': /^(?:Gemfile|.*\.gemspec)$/,
  'composer.lock': /^composer\.json$/,
};
const NODE_MANIFEST = /^(?:package\.json|pnpm-workspace\.yaml)$/;
const KB = 1_000;
/** More than this many files, and nobody reads them as one change. */
const MANY_FILES = 100;

/** Lets a change through, or says what is wrong with it. */
type Rule = (patch: Patch, wanted: ScopeWanted) => Permit;

const RULES: readonly Rule[] = [
  (patch) => (patch.isTooLarge ? forbid('The change is too large to be looked at.') : ALLOWED),
  ({ files }, wanted) => {
    const path = protectedIn(files, wanted).find((each) => !wanted.approvedPaths.includes(each));
    if (path === undefined) return ALLOWED;
    const how = isForPeople(path)
      ? 'only people change it'
      : "a person has to approve a change of it, by naming it in the task's files (`paths.unprotected` takes out what is built in)";
    return forbid(`\`${path}\` is protected: ${how}.`);
  },
  (_, { manifests, planned }) => {
    const found = manifests.find(
      ({ path, before, after }) => !planned.includes(path) && changesScripts(before, after),
    );
    return found === undefined
      ? ALLOWED
      : forbid(
          `\`${found.path}\` says what proves a change (\`scripts\`): name it in the task's Files.`,
        );
  },
  ({ files }, { approvedPaths }) => {
    const names = files.map(({ path }) => nameOf(path));
    const alone = files.find(({ path }) => {
      const manifest = MANIFESTS[nameOf(path)] ?? NODE_MANIFEST;
      return (
        isLockfile(path) &&
        !approvedPaths.includes(path) &&
        !names.some((name) => manifest.test(name))
      );
    });
    return alone === undefined
      ? ALLOWED
      : forbid(`\`${alone.path}\` changes without the manifest that it belongs to.`);
  },
  ({ files }, { maxChangedLines }) => {
    const lines = files
      .filter(({ path }) => !isLockfile(path))
      .reduce((sum, { added, removed }) => sum + added + removed, 0);
    return lines > maxChangedLines
      ? forbid(`${lines} changed lines are more than the ${maxChangedLines} allowed.`)
      : ALLOWED;
  },
  ({ files }, { maxBinaryKb }) => {
    const large = files.find(({ isBinary, bytes }) => isBinary && bytes > maxBinaryKb * KB);
    return large === undefined
      ? ALLOWED
      : forbid(
          `The binary file \`${large.path}\` has ${Math.ceil(large.bytes / KB)} KB, more than the ${maxBinaryKb} allowed.`,
        );
  },
];

/** Paths of manifests whose `scripts` say what a test command runs; of a rename both ends. */
export function manifestsIn({ files }: Patch): string[] {
  return files.flatMap(pathsOf).filter((path) => nameOf(path) === 'package.json');
}

function pathsOf({ path, from }: ChangedFile): string[] {
  return from === undefined ? [path] : [path, from];
}

function protectedIn(files: readonly ChangedFile[], { paths }: ScopeWanted): string[] {
  return files.flatMap(pathsOf).filter(protectionBy(paths));
}

/** Gate S. Secrets are reported by their kind and place and never quoted. */
export async function judgeScope(
  patch: Patch,
  wanted: ScopeWanted,
  detect: DetectSecrets,
): Promise<Judgement> {
  const flags = flagsOf(patch, wanted);
  const found = permitAll(...RULES.map((rule) => () => rule(patch, wanted)));
  const permit = found.kind === 'refused' ? found : await judgeText(patch, detect);
  if (permit.kind === 'refused')
    return { gate: 'S', result: 'failed', sentence: permit.reason, flags };
  const outside = flags.length === 0 ? '' : ' A person should look at what is flagged.';
  return {
    gate: 'S',
    result: 'passed',
    sentence: `The change stays within its bounds.${outside}`,
    flags,
  };
}

/** The task's files and whatever is in their folders; at the top of the repository only the files themselves. */
function flagsOf({ files }: Patch, wanted: ScopeWanted): string[] {
  const { planned } = wanted;
  const inScope = (path: string): boolean =>
    planned.some((each) => {
      const folder = each.slice(0, Math.max(0, each.lastIndexOf('/')));
      return isBelow(path, each) || (folder !== '' && isBelow(path, folder));
    });
  const outside =
    planned.length === 0 ? [] : files.flatMap(pathsOf).filter((path) => !inScope(path));
  return [
    ...protectedIn(files, wanted).map((path) => `\`${path}\` is protected`),
    ...outside.map((path) => `\`${path}\` is outside of the task's files`),
    ...(files.length > MANY_FILES ? [`${files.length} files are changed`] : []),
  ];
}

const CONFLICT = /^(?:<{7}|>{7}|\|{7})(?: |$)/;

async function judgeText({ text }: Patch, detect: DetectSecrets): Promise<Permit> {
  const { files, problems } = parseDiff(text);
  const [problem] = problems;
  if (problem !== undefined) return forbid(`The change cannot be read: ${problem.message}`);
  for (const file of files) {
    const permit = await judgeFile(file, detect);
    if (permit.kind === 'refused') return permit;
  }
  return ALLOWED;
}

async function judgeFile(file: DiffFile, detect: DetectSecrets): Promise<Permit> {
  const { path } = file;
  if (file.isCut) return forbid(`\`${path}\` has more lines than can be looked at.`);
  if (file.content === 'lfs')
    return forbid(`\`${path}\` is a pointer to a file that is stored elsewhere (LFS).`);
  const added = file.hunks.flatMap(({ lines }) =>
    lines.flatMap((line) => (line.kind === 'added' ? [line] : [])),
  );
  const conflict = added.find(({ text }) => CONFLICT.test(text));
  if (conflict !== undefined)
    return forbid(`\`${path}\` has a conflict marker in line ${conflict.newLine}.`);
  if (added.length === 0) return ALLOWED;
  const [secret] = await detect(added.map(({ text }) => text).join('\n'), path);
  if (secret === undefined) return ALLOWED;
  return forbid(
    `\`${path}\` holds what looks like a ${secret.kind} in line ${added[secret.line - 1]?.newLine ?? '?'}.`,
  );
}
