/** A thread with what surrounds it: read in one call where the server can, one by one where it cannot. */
import { CONFIG_FILES } from '../../domain/config/config-file.ts';
import { ATTRIBUTES_FILE } from '../../domain/repository/git-attributes.ts';
import {
  isRepositoryThread,
  OURSELVES,
  type Permission,
  type ThreadRef,
} from '../../domain/run/thread-ref.ts';
import type { IssueView, PastIssue, SourceFile } from '../../domain/run/view.ts';
import type { BranchHead, IssueSurvey } from '../../ports/github/github-survey.ts';
import type { CommentFacts, RepositoryFacts } from '../../ports/github/github-reader.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { OwnCheck, PullFacts, PullFeedback, PullSession } from '../../ports/github/pulls.ts';
import { permissionOrNone, type Person } from '../settings/read-permissions.ts';
import { settingsAsk, type ReadSettings, type Settings } from '../settings/read-settings.ts';
import { type At } from '../settings/team-files.ts';

export interface SurveyWanted {
  /** Whose permission is needed, as far as they are known beforehand. */
  people: readonly Person[];
  /** Newest comments, at most 100. */
  comments: number;
}

interface Paths {
  paths: string[];
  isCut: boolean;
}

interface Around {
  facts: RepositoryFacts;
  /** What settings are read from. */
  settingsFrom: At['paths'];
  permissions: ReadonlyMap<number, Permission>;
  comments: CommentFacts[];
  /** The memory branch, where the server told of it. */
  branch?: BranchHead;
}

export const MAX_PATHS = 20_000;

/** Files of the default branch, for what needs all of them. */
export async function readPaths(
  { read }: GitHubSession,
  ref: ThreadRef,
  { headSha }: RepositoryFacts,
): Promise<Paths> {
  return headSha === '' ? { paths: [], isCut: false } : read.paths(ref, headSha, MAX_PATHS);
}

/** What a run has that nobody asked for in a thread. */
const NO_ISSUE: IssueView['issue'] = {
  number: 0,
  title: '',
  body: '',
  state: 'open',
  isLocked: false,
  isPull: false,
  author: OURSELVES,
  authorPermission: 'none',
  labels: [],
  assignees: [],
  url: '',
  createdAt: '',
  updatedAt: '',
};

export async function surveyIssue(
  session: GitHubSession,
  ref: ThreadRef,
  { files = [], ...want }: SurveyWanted & { pastIssues: number; files?: readonly string[] },
): Promise<
  Around & {
    issue: IssueSurvey['issue'];
    pastIssues: PastIssue[];
    tree?: Paths;
    /** Those of the files that were asked for; absent where they would cost a call. */
    texts?: SourceFile[];
  }
> {
  const ask = settingsAsk(ref);
  const told = isRepositoryThread(ref)
    ? undefined
    : await session.survey.issue(ref, { ...ask, ...want, files: [...ask.files, ...files] });
  if (told !== undefined) {
    const { repository, issue, permissions, comments, pastIssues, branch } = told;
    const around = { facts: repository, permissions, comments, settingsFrom: told };
    const texts = told.files.flatMap(({ path, file }) =>
      file !== undefined && files.includes(path) ? [file] : [],
    );
    return { ...around, issue, pastIssues, texts, ...(branch && { branch }) };
  }
  const { read } = session;
  const [facts, { authorPermission, ...issue }] = await Promise.all([
    read.repository(ref),
    isRepositoryThread(ref) ? NO_ISSUE : read.issue(ref),
  ]);
  const [tree, comments, pastIssues] = await Promise.all([
    readPaths(session, ref, facts),
    want.comments > 0 && !isRepositoryThread(ref) ? read.comments(ref, want.comments) : [],
    want.pastIssues > 0 ? read.pastIssues(ref, want.pastIssues) : [],
  ]);
  const permissions = new Map([[issue.author.id, authorPermission]]);
  return { facts, issue, permissions, comments, pastIssues, tree, settingsFrom: tree.paths };
}

export async function surveyPull(
  session: PullSession,
  ref: ThreadRef,
  want: SurveyWanted,
): Promise<
  Around & {
    pull: PullFacts;
    feedback: PullFeedback;
    /** Absent where they would cost a call. */
    checks?: OwnCheck[];
    attributes?: string;
  }
> {
  const files = [...CONFIG_FILES, ATTRIBUTES_FILE];
  const ask = { ...settingsAsk(ref), ...want, files, pastIssues: 0 };
  const told = await session.pulls.survey(ref, ask);
  if (told !== undefined) {
    const { repository, pull, feedback, permissions, comments, checks, branch } = told;
    const found = told.files.find(({ path }) => path === ATTRIBUTES_FILE)?.file;
    const around = { facts: repository, permissions, comments, settingsFrom: told };
    const attributes = found && { attributes: found.text };
    return { ...around, pull, feedback, checks, ...attributes, ...(branch && { branch }) };
  }
  const { read, pulls } = session;
  const [facts, pull] = await Promise.all([read.repository(ref), pulls.pull(ref)]);
  const [{ paths }, feedback, comments] = await Promise.all([
    readPaths(session, ref, facts),
    pulls.feedback(ref),
    want.comments > 0 ? read.comments(ref, want.comments) : [],
  ]);
  const wanted = {
    paths: paths.filter((path) => path === ATTRIBUTES_FILE),
    maxBytes: ask.maxBytes,
  };
  const [found] = wanted.paths.length === 0 ? [] : await read.files(ref, facts.headSha, wanted);
  const around = { facts, permissions: new Map(), comments, settingsFrom: paths };
  return { ...around, pull, feedback, ...(found && { attributes: found.text }) };
}

/** The settings of the default branch, as they are now, and what else is read with them. */
export interface SettingsNow extends Settings {
  facts: RepositoryFacts;
  /** Texts of the files there that were asked for. */
  texts: SourceFile[];
  /** The thread's own text. */
  body: () => Promise<string>;
  /** What somebody may do here; unknown means nothing. */
  permission: (person: Person) => Promise<Permission>;
}

interface NowWanted {
  readSettings: ReadSettings;
  files?: readonly string[];
  /** Whose permission will be asked for. */
  people?: readonly Person[];
}

/** In one call where the server can, with further files of the tip and the thread's text in it. */
export async function settingsNow(
  ref: ThreadRef,
  session: GitHubSession,
  { readSettings, files = [], people = [] }: NowWanted,
): Promise<SettingsNow> {
  const ask = settingsAsk(ref);
  const wantedOf = { ...ask, files: [...ask.files, ...files], people, comments: 0, pastIssues: 0 };
  const told = isRepositoryThread(ref) ? undefined : await session.survey.issue(ref, wantedOf);
  const facts = told?.repository ?? (await session.read.repository(ref));
  const paths = told ?? (await readPaths(session, ref, facts)).paths;
  const settings = await readSettings(ref, { session, facts, paths });
  const wanted = { paths: [...files], maxBytes: ask.maxBytes };
  const texts =
    told?.files.flatMap(({ path, file }) => (file && files.includes(path) ? [file] : [])) ??
    (files.length === 0 ? [] : await session.read.files(ref, facts.headSha, wanted));
  const body = async (): Promise<string> =>
    told?.issue.body ?? (await session.read.issue(ref)).body;
  const permission = async (person: Person): Promise<Permission> => {
    const known = told?.permissions.get(person.id) ?? 'none';
    return known === 'none' ? permissionOrNone(ref, session.read, person) : known;
  };
  return { ...settings, facts, texts, body, permission };
}
