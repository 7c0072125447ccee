/** Reads what a council needs about an issue, once: the issue, its repository at one commit, the settings, the team. */
import { pickPaths } from '../../domain/text/terms.ts';
import type { EffectData } from '../../domain/event/effect.ts';
import type { ThreadRef } from '../../domain/run/thread-ref.ts';
import type { IssueView, SourceFile } from '../../domain/run/view.ts';
import type { BranchHead } from '../../ports/github/github-survey.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { PullSession } from '../../ports/github/pulls.ts';
import { toCommentView } from './comment/comment-view.ts';
import { toLookResult } from './look-result.ts';
import { recallForPlan } from '../standup/read-standups.ts';
import { readPermissions, speakersIn } from '../settings/read-permissions.ts';
import type { Asker } from '../memory/rank-again.ts';
import type { Recall, RecallAsk } from '../memory/recall.ts';
import type { ActPorts, Performed } from '../ports.ts';
import { markForeign, tracesIn } from '../run-traces.ts';
import type { ReadSettings, Settings } from '../settings/read-settings.ts';
import { MAX_PATHS, readPaths, surveyIssue } from './survey.ts';
import type { Config } from '../../domain/config/config.ts';
import { milestonesAsRoadmap } from '../../domain/roadmap/milestones.ts';
import type { RoadmapText } from '../../domain/roadmap/roadmap.ts';
import { guideFiles, guidesToRead, toGuides } from './team-guides.ts';

export type Look = (
  data: Extract<EffectData, { kind: 'look' }>,
  asker: Asker,
) => Promise<Performed<'look'>>;

const MAX_COMMENTS = 100;
const MAX_FILES = 8;
const MAX_FILE_BYTES = 60_000;
const MAX_PAST_ISSUES = 200;

/** Binds looking to the ports. */
export function createLook(
  ports: ActPorts,
  { settingsOf, recall }: { settingsOf: ReadSettings; recall: Recall },
): Look {
  return async (data, asker) => {
    const { thread } = data;
    const session = ports.github.at(thread);
    const { settings, branch, ...read } = await readView(data, { ports, session, settingsOf });
    const view = { ...read.view, ...(await pastInsights(data, read.view, ports)) };
    const about = { ports, session, thread, settings, isForTeam: true };
    const [memory, scan] = await Promise.all([
      recall({ ...toRecallAsk(view, about, data.about), branch, asker }),
      ports.scanner.scan('issue', {
        view,
        ...(data.about === undefined ? {} : { about: data.about }),
      }),
    ]);
    const { result, githubCalls } = await toLookResult(view, about);
    const found = { scan, ...(memory && { memory }) };
    return { effectKind: 'look', result: { ...result, ...found }, githubCalls };
  };
}

/** Only planning receives past insights, and it goes ahead without them. A view without any is the same as before. */
async function pastInsights(
  { thread, about = '', isForPlan }: Extract<EffectData, { kind: 'look' }>,
  { issue }: IssueView,
  { store, clock }: Pick<ActPorts, 'store' | 'clock'>,
): Promise<Pick<IssueView, 'insights'>> {
  if (isForPlan !== true) return {};
  const wish = [about, issue.title, issue.body].join('\n');
  const of = { repository: thread.repositoryId, wish, now: clock.now() };
  const insights = await recallForPlan(store.standups, of);
  return insights.length === 0 ? {} : { insights };
}

/** Of an issue its words say what it is about. */
function toRecallAsk(
  { issue, files, config, personas, repository }: IssueView,
  { thread, session }: Pick<RecallAsk, 'thread' | 'session'>,
  asked = '',
): Omit<RecallAsk, 'asker'> {
  const terms = [asked, issue.title, issue.body];
  const paths = files.map(({ path }) => path);
  return {
    thread,
    session,
    headSha: repository.headSha,
    config,
    personas,
    about: { paths, terms },
  };
}

interface Context {
  ports: ActPorts;
  session: GitHubSession;
  settingsOf: ReadSettings;
}

async function readView(
  { thread, actor, author, about, isForPlan }: Extract<EffectData, { kind: 'look' }>,
  { ports, session, settingsOf }: Context,
): Promise<{ view: IssueView; settings: Settings; branch: BranchHead | undefined }> {
  const [{ facts, issue, comments, pastIssues, ...told }, self] = await Promise.all([
    surveyIssue(session, thread, {
      people: author === undefined || author.id === actor.id ? [] : [author],
      comments: MAX_COMMENTS,
      pastIssues: MAX_PAST_ISSUES,
      files: guideFiles(isForPlan),
    }),
    ports.github.app.self(),
  ]);
  const tree = told.tree ?? (await readPaths(session, thread, facts));
  const settings = await settingsOf(thread, { session, facts, paths: told.settingsFrom });
  const diff = about === undefined || !issue.isPull ? undefined : await readDiff(thread, session);
  const text = `${about ?? ''}\n${issue.title}\n${issue.body}`;
  const { headSha } = facts;
  const reading = { session, thread, headSha, tree: tree.paths, told: told.texts };
  const [read, permissions] = await Promise.all([
    readFiles(text, reading, { config: settings.config, isForPlan, ports }),
    readPermissions(thread, session, {
      people: [actor, issue.author, ...speakersIn(comments)],
      known: told.permissions,
    }),
  ]);
  const seen = comments.map((comment) =>
    toCommentView(comment, { thread, ports, permissionOf: permissions.of }),
  );
  const view: IssueView = {
    repository: facts,
    issue: { ...issue, authorPermission: permissions.of(issue.author.id) },
    comments: seen,
    traces: await markForeign(tracesIn(seen), ports, thread),
    actorPermission: permissions.of(actor.id),
    config: settings.config,
    problems: [...settings.problems],
    personas: [...settings.personas],
    paths: tree.paths,
    ...read,
    ...(diff === undefined ? {} : { diff }),
    pastIssues: pastIssues.filter((past) => past.number !== thread.number),
    notRead: [...pathsNotRead(tree), ...permissions.notRead],
    self,
  };
  return { view, settings, branch: told.branch };
}

function pathsNotRead({ isCut }: { isCut: boolean }): string[] {
  return isCut ? [`files beyond the first ${MAX_PATHS}`] : [];
}

interface Reading {
  session: GitHubSession;
  thread: ThreadRef;
  headSha: string;
  tree: readonly string[];
  /** What the survey told of the team's files already. */
  told: readonly SourceFile[] | undefined;
}

/** Files that the words are about, and with them in one call what the team goes by. */
async function readFiles(
  text: string,
  { session, thread, headSha, tree, told }: Reading,
  { ports, ...wanted }: Parameters<typeof toGuides>[1] & { ports: ActPorts },
): Promise<Pick<IssueView, 'files' | 'roadmap' | 'pmMemory'>> {
  const picked = pickPaths(text, tree, MAX_FILES);
  const guides = guidesToRead(tree, told !== undefined, wanted);
  const paths = [...new Set([...picked, ...guides])];
  const want = { paths, maxBytes: MAX_FILE_BYTES };
  const found = paths.length === 0 ? [] : await session.read.files(thread, headSha, want);
  const files = found.filter(({ path }) => picked.includes(path));
  const texts = await toGuides([...(told ?? []), ...found], wanted, ports);
  const roadmap = await readMilestones(thread, session, wanted.config);
  return { files, ...texts, ...(roadmap && { roadmap }) };
}

/** Where the settings want them instead of a file. Without them the file holds. */
async function readMilestones(
  thread: ThreadRef,
  { survey }: GitHubSession,
  { roadmap }: Pick<Config, 'roadmap'>,
): Promise<RoadmapText | undefined> {
  if (!roadmap.milestones) return undefined;
  return milestonesAsRoadmap((await survey.milestones(thread)) ?? []);
}

/** The whole change; where there are no pull requests the answer goes without it. */
async function readDiff(
  thread: ThreadRef,
  session: GitHubSession | PullSession,
): Promise<string | undefined> {
  if (!('pulls' in session)) return undefined;
  const { baseSha, headSha } = await session.pulls.pull(thread);
  return (await session.pulls.changes(thread, { baseSha, headSha })).diff;
}
