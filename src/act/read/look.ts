/** Reads what a council needs about an issue, once: the issue, its repository at one commit, the settings, the team. */
import { pickPaths } from '../../domain/text/terms.ts';
import type { EffectData } from '../../domain/event/effect.ts';
import type { ThreadRef } from '../../domain/run/thread-ref.ts';
import type { IssueView } from '../../domain/run/view.ts';
import type { BranchHead, GitHubSession } from '../../ports/github.ts';
import type { PullSession } from '../../ports/pulls.ts';
import { toCommentView } from './comment-view.ts';
import { toLookResult } from './look-result.ts';
import { readPermissions, speakersIn } from '../settings/read-permissions.ts';
import type { Recall, RecallAsk } from '../memory/recall.ts';
import type { ActPorts, Performed } from '../ports.ts';
import { markForeign, tracesIn } from '../run-traces.ts';
import type { ReadSettings, Settings } from '../settings/read-settings.ts';
import { MAX_PATHS, readPaths, surveyIssue } from './survey.ts';

export type Look = (data: Extract<EffectData, { kind: 'look' }>) => Promise<Performed<'look'>>;

const MAX_COMMENTS = 100;
const MAX_FILES = 8;
const MAX_FILE_BYTES = 60_000;
const MAX_PAST_ISSUES = 200;

/** Binds looking to the ports. */
export function createLook(
  ports: ActPorts,
  { settingsOf, recall }: { settingsOf: ReadSettings; recall: Recall },
): Look {
  return async (data) => {
    const { thread } = data;
    const session = ports.github.at(thread);
    const { view, settings, branch } = await readView(data, { ports, session, settingsOf });
    const about = { ports, session, thread, settings, isForTeam: true };
    const [memory, scan] = await Promise.all([
      recall({ ...toRecallAsk(view, about, data.about), branch }),
      ports.scanner?.scan('issue', {
        view,
        ...(data.about === undefined ? {} : { about: data.about }),
      }),
    ]);
    const { result, githubCalls } = await toLookResult(view, about);
    const found = { ...(scan && { scan }), ...(memory && { memory }) };
    return { effectKind: 'look', result: { ...result, ...found }, githubCalls };
  };
}

/** Of an issue its words say what it is about. */
function toRecallAsk(
  { issue, files, config, personas, repository }: IssueView,
  { thread, session }: Pick<RecallAsk, 'thread' | 'session'>,
  asked = '',
): RecallAsk {
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
  { thread, actor, author, about }: Extract<EffectData, { kind: 'look' }>,
  { ports, session, settingsOf }: Context,
): Promise<{ view: IssueView; settings: Settings; branch: BranchHead | undefined }> {
  const [{ facts, issue, comments, pastIssues, ...told }, self] = await Promise.all([
    surveyIssue(session, thread, {
      people: author === undefined || author.id === actor.id ? [] : [author],
      comments: MAX_COMMENTS,
      pastIssues: MAX_PAST_ISSUES,
    }),
    ports.github.app.self(),
  ]);
  const tree = told.tree ?? (await readPaths(session, thread, facts));
  const settings = await settingsOf(thread, { session, facts, paths: told.settingsFrom });
  const diff = about === undefined || !issue.isPull ? undefined : await readDiff(thread, session);
  const text = `${about ?? ''}\n${issue.title}\n${issue.body}`;
  const wanted = { paths: pickPaths(text, tree.paths, MAX_FILES), maxBytes: MAX_FILE_BYTES };
  const [files, permissions] = await Promise.all([
    wanted.paths.length === 0 ? [] : session.read.files(thread, facts.headSha, wanted),
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
    files,
    ...(diff === undefined ? {} : { diff }),
    pastIssues: pastIssues.filter((past) => past.number !== thread.number),
    notRead: [
      ...(tree.isCut ? [`files beyond the first ${MAX_PATHS}`] : []),
      ...permissions.notRead,
    ],
    self,
  };
  return { view, settings, branch: told.branch };
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
