/** Gates P and 1: the branch's shape and the content of its commits (TG-5). */
import { ALLOWED, forbid, type Permit } from '../../domain/run/permit/permit.ts';
import { nameOf } from '../../domain/repository/paths.ts';
import type { BranchFacts } from '../../domain/task/patch.ts';
import { isHook } from '../../domain/gates/protected-paths.ts';
import type { Gate, Judgement } from '../../domain/gates/receipt.ts';

/** What was meant to be there. */
export interface BranchWanted {
  branch: string;
  /** The commit that the work started at. */
  baseSha: string;
  author: { name: string; email: string };
  task: { number: number; title: string };
  /** Value of the trailer `Quorum-Task`. */
  taskTrailer: string;
  /** Values of the trailer `Co-authored-by`, all of which must be there and no others. */
  coAuthors: readonly string[];
  /** Files that the approved task names, which may be links and hooks. */
  approvedPaths: readonly string[];
}

/** The subject of a task's commit. */
export function taskSubject({ number, title }: BranchWanted['task']): string {
  return `task(${number}): ${title}`;
}

/** Lets a branch through, or says what is wrong with it. */
type Rule = (facts: BranchFacts, wanted: BranchWanted) => Permit;

const LINK = '120000';
const UNNAMED = ", and the task's files do not name it";
const short = (sha: string): string => sha.slice(0, 7);

const HYGIENE: readonly Rule[] = [
  ({ branch }, wanted) =>
    branch === wanted.branch
      ? ALLOWED
      : forbid(
          `HEAD is ${branch === '' ? 'on no branch' : `on \`${branch}\``} and not on \`${wanted.branch}\`.`,
        ),
  ({ baseSha }, wanted) =>
    baseSha === wanted.baseSha
      ? ALLOWED
      : forbid(`The work started at ${short(baseSha)} and not at ${short(wanted.baseSha)}.`),
  ({ isDescended, headSha, baseSha }) =>
    isDescended ? ALLOWED : forbid(`${short(headSha)} does not descend from ${short(baseSha)}.`),
  ({ commits }) => {
    const merge = commits.find(({ parents }) => parents.length !== 1);
    return merge === undefined ? ALLOWED : forbid(`${short(merge.sha)} is a merge commit.`);
  },
  ({ commits }, { author }) => {
    const foreign = commits.find(({ authorEmail }) => authorEmail !== author.email);
    return foreign === undefined
      ? ALLOWED
      : forbid(
          `${short(foreign.sha)} is by ${foreign.authorEmail || 'nobody'} and not by ${author.email}.`,
        );
  },
  ({ files }) => {
    const module = files.find(({ mode }) => mode === '160000');
    return module === undefined ? ALLOWED : forbid(`\`${module.path}\` is a submodule.`);
  },
  ({ files }, { approvedPaths }) => {
    const link = files.find(({ path, mode }) => mode === LINK && !approvedPaths.includes(path));
    return link === undefined ? ALLOWED : forbid(`\`${link.path}\` is a symbolic link${UNNAMED}.`);
  },
  ({ files }, { approvedPaths }) => {
    const trick = files
      .flatMap(({ path, from }) => [path, from ?? path])
      .find((path) => isHook(path) && !approvedPaths.includes(path));
    return trick === undefined
      ? ALLOWED
      : forbid(`\`${trick}\` changes what git runs or fetches${UNNAMED}.`);
  },
  ({ isDirty }) =>
    isDirty ? forbid('The folder holds changes that are not in the commit.') : ALLOWED,
];

const CHANGES: readonly Rule[] = [
  ({ commits }) => (commits.length === 0 ? forbid('There is no commit beyond the base.') : ALLOWED),
  ({ files }) => (files.length === 0 ? forbid('No file is changed.') : ALLOWED),
  ({ commits }, { author }) => {
    const other = commits.find(
      ({ authorName, authorEmail }) => authorName !== author.name || authorEmail !== author.email,
    );
    return other === undefined
      ? ALLOWED
      : forbid(`${short(other.sha)} has the author ${other.authorName} <${other.authorEmail}>.`);
  },
  ({ commits }, { task }) => {
    const other = commits.find(({ message }) => message.split('\n')[0] !== taskSubject(task));
    return other === undefined
      ? ALLOWED
      : forbid(`The subject of ${short(other.sha)} is not \`${taskSubject(task)}\`.`);
  },
  ({ commits }, wanted) => {
    for (const { sha, message } of commits) {
      const permit = judgeTrailers(message, wanted);
      if (permit.kind === 'refused') return forbid(`${short(sha)}: ${permit.reason}`);
    }
    return ALLOWED;
  },
];

const TRAILER = /^(Quorum-Task|Co-authored-by|Signed-off-by):(.*)$/gim;

function trailersIn(text: string): string[] {
  return Array.from(
    text.matchAll(TRAILER),
    ([, name = '', value = '']) => `${name.toLowerCase()}: ${value.trim()}`,
  );
}

/** Names that give credit or take it are looked for in the whole message, the wanted ones in its last part. */
function judgeTrailers(message: string, wanted: BranchWanted): Permit {
  const last =
    message
      .trimEnd()
      .split(/\n\s*\n/)
      .at(-1) ?? '';
  const allowed = [
    `quorum-task: ${wanted.taskTrailer}`,
    ...wanted.coAuthors.map((each) => `co-authored-by: ${each}`),
  ];
  const found = trailersIn(message);
  const extra = found.find((each) => !allowed.includes(each));
  if (extra !== undefined) return forbid(`the trailer \`${extra}\` is not ours.`);
  const missing = allowed.find((each) => !trailersIn(last).includes(each));
  if (missing !== undefined) return forbid(`the trailer \`${missing}\` is missing.`);
  return found.length > allowed.length ? forbid('a trailer occurs twice.') : ALLOWED;
}

/** Gate P: the branch is the one that was made, and nothing but our own commits is on it. */
export function judgeBranch(facts: BranchFacts, wanted: BranchWanted): Judgement {
  const flags = facts.files.flatMap(({ path, mode }) => [
    ...(nameOf(path) === '.gitattributes' ? [`\`${path}\` changes how git treats files`] : []),
    ...(mode === LINK ? [`\`${path}\` is a symbolic link`] : []),
    ...(isHook(path) ? [`\`${path}\` changes what git runs or fetches`] : []),
  ]);
  return judge('P', { rules: HYGIENE, flags }, [facts, wanted]);
}

/** Gate 1: there is something, and author and trailers are right. */
export function judgeChanges(facts: BranchFacts, wanted: BranchWanted): Judgement {
  return judge('1', { rules: CHANGES, flags: [] }, [facts, wanted]);
}

function judge(
  gate: Gate,
  { rules, flags }: { rules: readonly Rule[]; flags: string[] },
  shown: Parameters<Rule>,
): Judgement {
  for (const rule of rules) {
    const permit = rule(...shown);
    if (permit.kind === 'refused')
      return { gate, result: 'failed', sentence: permit.reason, flags };
  }
  const [{ commits, files, headSha }] = shown;
  const sentence = `${count(commits, 'commit')} with ${count(files, 'changed file')} up to ${short(headSha)}.`;
  return { gate, result: 'passed', sentence, flags };
}

function count({ length }: readonly unknown[], word: string): string {
  return `${length} ${word}${length === 1 ? '' : 's'}`;
}
