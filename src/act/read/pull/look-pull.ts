/** Reads what a review needs of a pull request, once: its facts, its change, what became of earlier findings, the settings. */
import type { EffectData } from '../../../domain/event/effect.ts';
import { parseDiff } from '../../../domain/diff/parse-diff.ts';
import { ConflictError, RefusedError } from '../../../domain/event/errors.ts';
import { isLockfile } from '../../../domain/repository/paths.ts';
import { isQueueUnheard } from '../../../domain/github/queue-unheard.ts';
import type { PullView } from '../../../domain/review/review.ts';
import { addedTexts } from '../../../domain/review/review-texts.ts';
import type { SecretSighting } from '../../../domain/secrets/secret-text.ts';
import type { BranchHead } from '../../../ports/github/github-survey.ts';
import type { PullChanges, PullFeedback, PullSession } from '../../../ports/github/pulls.ts';
import { toCommentView } from '../comment/comment-view.ts';
import { readVoters, toReplies } from './read-voters.ts';
import { toLookResult } from '../look-result.ts';
import { readPermissions, speakersIn, type Person } from '../../settings/read-permissions.ts';
import type { Asker } from '../../memory/rank-again.ts';
import type { Recall, RecallAsk } from '../../memory/recall.ts';
import { pullsAt, type ActPorts, type Performed } from '../../ports.ts';
import { markForeign, tracesOf } from '../../run-traces.ts';
import { readTally } from '../../settings/read-tally.ts';
import type { ReadSettings, Settings } from '../../settings/read-settings.ts';
import { surveyPull } from '../survey.ts';
import { readAround } from './read-around.ts';

export type LookPull = Extract<EffectData, { kind: 'look-pull' }>;

const MAX_COMMENTS = 100;

export async function lookAtPull(
  data: LookPull,
  { ports, readSettings, isUntouched, recall, run, effectId }: Looking,
): Promise<Performed<'look-pull'>> {
  const session = pullsAt(ports, data.thread);
  const read = readView(data, { ports, session, readSettings, isUntouched });
  const { view, settings, branch } = await read.catch(readAgain);
  const { thread } = data;
  const about = { ports, session, thread, settings, isForTeam: true };
  const [memory, tally, scan] = await Promise.all([
    recall({ ...toRecallAsk(view, about), branch, asker: { run, effectId } }),
    readTally(thread.repositoryId, ports),
    scanChange(view, ports),
  ]);
  const { result, githubCalls } = await toLookResult(view, about);
  const { contextTokens } = ports;
  const known = {
    tally,
    ...(contextTokens === undefined ? {} : { contextTokens }),
    scan,
    ...(memory === undefined ? {} : { memory }),
  };
  return { effectKind: 'look-pull', result: { ...result, ...known }, githubCalls };
}

interface Looking extends Omit<Context, 'session'>, Asker {
  recall: Recall;
}

/** As much of a change as says what it is about. */
const MAX_TERMS = 20_000;

function toRecallAsk(
  { pull, diff, delta, config, personas, repository }: PullView,
  { thread, session }: Pick<RecallAsk, 'thread' | 'session'>,
): Omit<RecallAsk, 'asker'> {
  const paths = parseDiff(diff).files.map(({ path }) => path);
  const terms = [pull.title, (delta?.diff ?? diff).slice(0, MAX_TERMS)];
  return {
    thread,
    session,
    headSha: repository.headSha,
    config,
    personas,
    about: { paths, terms },
  };
}

/** Only what the rules read crosses over to the scanner's thread. */
function scanChange(view: PullView, { scanner }: ActPorts) {
  const { diff, basePaths, head, secrets, attributes, config } = view;
  return scanner.scan('change', {
    diff,
    basePaths,
    head,
    secrets,
    ...(attributes === undefined ? {} : { attributes }),
    config: { paths: config.paths },
  });
}

/** Pushed while it was read page by page: what was read is thrown away, and the new head is read in its turn. */
function readAgain(error: unknown): never {
  if (!(error instanceof RefusedError) || error.code !== 'head-moved') throw error;
  const { code, message } = error;
  throw new ConflictError({ code, message, cause: error });
}

interface Context {
  ports: ActPorts;
  session: PullSession;
  readSettings: ReadSettings;
  /** Nobody has looked before: a commit of a moment ago may not be found everywhere yet. */
  isUntouched: boolean;
}

async function readView(
  data: LookPull,
  { ports, session, readSettings, isUntouched }: Context,
): Promise<{ view: PullView; settings: Settings; branch: BranchHead | undefined }> {
  const { thread } = data;
  const [told, self] = await Promise.all([
    surveyPull(session, thread, {
      people: trusted(data),
      comments: data.withComments ? MAX_COMMENTS : 0,
    }),
    ports.github.app.self(),
  ]);
  const { facts, pull, feedback } = told;
  const [settings, { changes, texts, unrelated, ...around }] = await Promise.all([
    readSettings(thread, { session, facts, paths: told.settingsFrom }),
    readAround(data, { session, facts, pull, limits: ports.texts, isUntouched }),
  ]);
  const { permissionOf, unasked, ...words } = await readWords(data, told, { ports, session });
  // Asked only where there is a queue.
  const events = pull.hasQueue === true ? await ports.github.app.events(thread) : undefined;
  const view: PullView = {
    repository: facts,
    pull: { ...pull, authorPermission: permissionOf(pull.author.id) },
    ...(isQueueUnheard(events) && { isQueueUnheard: true }),
    ...around,
    diff: changes.diff,
    head: texts.head,
    ...(told.attributes === undefined ? {} : { attributes: told.attributes }),
    secrets: await findCredentials(changes.diff, ports),
    ...words,
    traces: await markForeign(tracesOf(told.checks ?? []), ports, thread),
    openTexts: feedback.reviews.flatMap(({ marker, isHidden, nodeId }) =>
      marker === undefined || isHidden === true ? [] : (nodeId ?? []),
    ),
    actorPermission: permissionOf(data.actor.id),
    config: settings.config,
    problems: [...settings.problems],
    personas: [...settings.personas],
    notRead: [...unrelated, ...notRead(changes, feedback), ...texts.notRead, ...unasked],
    isCut:
      unrelated.length > 0 ||
      changes.unnamedFiles > 0 ||
      changes.leftOut.some((path) => !isLockfile(path)),
    self,
  };
  return { view, settings, branch: told.branch };
}

/** What people said, with what each of them may do here. */
async function readWords(
  { thread, actor, isAsked }: LookPull,
  { pull, feedback, comments, permissions }: Awaited<ReturnType<typeof surveyPull>>,
  { ports, session }: Pick<Context, 'ports' | 'session'>,
) {
  const voters = await readVoters(thread, session, {
    feedback,
    others: isAsked ? [actor, pull.author] : [pull.author],
    known: permissions,
  });
  const speakers = await readPermissions(thread, session, {
    people: speakersIn(comments),
    known: voters.byId,
  });
  return {
    comments: comments.map((comment) =>
      toCommentView(comment, { thread, ports, permissionOf: speakers.of }),
    ),
    replies: toReplies(feedback, voters.of),
    permissionOf: voters.of,
    unasked: [...voters.notRead, ...speakers.notRead],
  };
}

/** Whose words are trusted how far is found out in passing; whose role decides is not among them. */
function trusted({ actor, author = actor, isAsked }: LookPull): Person[] {
  return isAsked && author.id === actor.id ? [] : [author];
}

/** By path, with lines counted in the new lines of that file. */
async function findCredentials(
  text: string,
  { detectSecrets }: ActPorts,
): Promise<PullView['secrets']> {
  if (detectSecrets === undefined) return {};
  const found: [string, SecretSighting[]][] = [];
  for (const added of addedTexts(parseDiff(text))) {
    const sightings = await detectSecrets(added.text, added.path);
    if (sightings.length > 0) found.push([added.path, [...sightings]]);
  }
  return Object.fromEntries(found);
}

function notRead(changes: PullChanges, feedback: PullFeedback): string[] {
  return [
    ...changes.leftOut.map((path) => `${path}: too large to be read`),
    changes.unnamedFiles > 0 ? `${changes.unnamedFiles} files that GitHub does not name` : '',
    feedback.isCut ? 'the oldest conversations on this pull request' : '',
  ].filter((line) => line !== '');
}
