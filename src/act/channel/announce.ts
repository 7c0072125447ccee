/** Tells one channel what waits for it. What may be shown, and where, is read at this moment, not when it was decided. */
import type { Announcement } from '../../domain/channel/announce/announcement.ts';
import { subjectKey } from '../../domain/channel/announce/announcement.ts';
import { routeAnnouncement } from '../../domain/channel/announce/route-announcement.ts';
import { planDelivery, type Waiting } from '../../domain/channel/announce/plan-delivery.ts';
import { placesOf } from '../../domain/channel/channel-map.ts';
import type { AskedPost } from '../../domain/channel/channels-state.ts';
import type { ChatPost } from '../../domain/channel/chat-thread.ts';
import type { ApprovalAsks } from '../../domain/channel/approval-click.ts';
import type { Config } from '../../domain/config/config.ts';
import { QuorumError } from '../../domain/event/errors.ts';
import type { AnnouncedDelivery } from '../../domain/event/result.ts';
import {
  findAnnouncer,
  speakAnnouncement,
  toSpeaker,
} from '../../domain/channel/announce/speak-announcement.ts';
import { bodyDigest } from '../../domain/persona/digest.ts';
import type { Persona } from '../../domain/persona/persona.ts';
import { parsePlan } from '../../domain/plan/body/parse-plan.ts';
import { planDigest } from '../../domain/plan/plan-digest.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { AnnouncedAt, AnnouncedPost, Channel } from '../../ports/channel.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { RepositoryFacts } from '../../ports/github/github-reader.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { Performed } from '../ports.ts';
import { readSettingsAt } from '../settings/read-settings.ts';
import { readOpenHead } from './open-head.ts';

export async function announce(
  data: DataOf<'announce'>,
  context: EffectContext,
): Promise<Performed<'announce'>> {
  const { ports, readSettings, isNew } = context;
  const { repository, waiting } = data;
  const session = ports.github.at(repository);
  const done = (result: AnnouncedDelivery): Performed<'announce'> => ({
    effectKind: 'announce',
    result,
    githubCalls: session.counts,
  });
  const all = waiting.map(({ key }) => key);
  const channel = await ports.channels?.open(data.channel, repository);
  if (channel === undefined) return done({ settled: all, dropped: 0, heads: {} });
  const facts = await session.read.repository(repository);
  const settings = await readSettingsAt(repository, facts, { session, readSettings });
  const { config, personas } = settings;
  const available = [data.channel];
  const isPrivate = facts.isPrivate;
  const shown = waiting.map((each) => withFacts(each, facts));
  const routed = config.enabled
    ? shown.filter(
        ({ announcement }) =>
          routeAnnouncement(announcement, { config: config.channels, available, isPrivate })
            .length > 0,
      )
    : [];
  const { quietHours } = config;
  const plan = planDelivery(routed, {
    now: ports.clock.now(),
    quietHours,
    ...(data.isNew === true && { firstTriedAt: Date.parse(context.at) }),
  });
  const outcome: Outcome = { dropped: data.dropped + plan.dropped.length, heads: {} };
  const sending = { data, channel, session, config, personas, isNew, outcome };
  for (const each of plan.single) await sendAll(sending, { ...each, parts: [each] });
  const [first, ...others] = plan.digest;
  if (first !== undefined)
    await sendAll(sending, { ...digestOf(plan.burst, first), parts: [first, ...others] });
  const later = new Set(plan.later.map(({ key }) => key));
  return done({
    settled: all.filter((key) => !later.has(key)),
    ...outcome,
    ...(plan.laterUntil !== undefined && { laterUntil: plan.laterUntil }),
  });
}

interface Outcome {
  dropped: number;
  heads: Record<string, ChatPost>;
  asked?: Record<string, AskedPost>;
}

interface Message {
  key: string;
  /** In ms since the epoch. */
  at: number;
  parts: readonly [Waiting, ...Waiting[]];
  isDigest?: true;
}

interface Sending {
  data: DataOf<'announce'>;
  channel: Channel;
  session: GitHubSession;
  config: Config;
  personas: readonly Persona[];
  isNew: boolean;
  outcome: Outcome;
}

/** What GitHub says of the place right now takes the place of what was known before. */
function withFacts(waiting: Waiting, { fullName, isPrivate, host }: RepositoryFacts): Waiting {
  const { announcement } = waiting;
  const { number } = announcement.subject;
  const page = `https://${host ?? 'github.com'}/${fullName}`;
  const url = number === undefined ? page : `${page}/issues/${number}`;
  const subject = { ...announcement.subject, repository: fullName, isPrivate, url };
  return { ...waiting, announcement: { ...announcement, subject } };
}

/** What the service will never take is counted; any other failure ends the effect, which is tried again as a whole. */
async function sendAll(sending: Sending, message: Message): Promise<void> {
  const { outcome, data } = sending;
  try {
    const sent = await send(sending, message);
    if (sent === undefined) return;
    outcome.dropped = 0;
    const [{ announcement }] = message.parts;
    const key = subjectKey(announcement.subject);
    const { post, asked } = sent;
    const isHead = message.isDigest !== true && data.threads[key] === undefined;
    if (isHead) outcome.heads[key] = post;
    if (asked !== undefined) outcome.asked = { ...outcome.asked, [key]: asked };
  } catch (error) {
    if (!(error instanceof QuorumError) || error.code !== 'channel-invalid') throw error;
    outcome.dropped += message.parts.length;
  }
}

/** Undefined where none of it still applies, or the repository was made private in between and the channel is public. */
async function send(sending: Sending, message: Message): Promise<Sent | undefined> {
  const { data, channel, session, config, personas, isNew, outcome } = sending;
  const { key, at: since, parts } = message;
  const { repository } = data;
  const read = await Promise.all(
    parts.map(async (each): Promise<Titled> => {
      const found = await withTitle(each, repository, session);
      const { announcement, body } = found;
      return { ...found, announcement: speakAnnouncement(announcement, { personas, body }) };
    }),
  );
  const titled = read.filter(({ isOver }) => isOver !== true);
  const [announcement, ...others] = titled.map((each) => each.announcement);
  if (announcement === undefined) return undefined;
  const { isPrivate } = await session.read.repository(repository);
  const place = config.channels.slack.channel;
  const asks = data.channel === 'slack' ? asksOf(titled, config) : undefined;
  // A digest may tell of what several personas did.
  const by = message.isDigest === true ? undefined : findAnnouncer(announcement, personas);
  try {
    const at = await channel.announce({
      key,
      at: new Date(since).toISOString(),
      isPrivate,
      announcements: [announcement, ...others],
      dropped: outcome.dropped,
      ...(place !== undefined && { place }),
      ...threadFor(message, subjectKey(announcement.subject), sending),
      ...(asks !== undefined && { asks }),
      ...(by !== undefined && { as: toSpeaker(by) }),
      ...(isNew && { isNew: true as const }),
    });
    return toSent(at, asks);
  } catch (error) {
    if (error instanceof QuorumError && error.code === 'channel-private') return undefined;
    throw error;
  }
}

function threadFor(
  { isDigest }: Message,
  subject: string,
  { data, outcome }: Sending,
): Pick<AnnouncedPost, 'isDigest' | 'head' | 'thread'> {
  if (isDigest === true) return { isDigest };
  const head = data.heads[subject] ?? outcome.heads[subject];
  const thread = data.threads[subject];
  return { ...(head !== undefined && { head }), ...(thread !== undefined && { thread }) };
}

/**
 * The key and moment of a digest are those of the whole burst. So another digest of some of it has another key, and a
 * digest that arrived is found after parts of it became a day old.
 */
function digestOf(
  burst: readonly Waiting[],
  first: Waiting,
): Pick<Message, 'key' | 'at' | 'isDigest'> {
  const key = `digest-${bodyDigest(burst.map((each) => each.key).join('\n'))}`;
  return { key, at: burst[0]?.at ?? first.at, isDigest: true };
}

/** What is announced by itself can be answered there, where the channel is for this repository. */
function asksOf(
  [first, ...others]: readonly Titled[],
  { channels }: Config,
): ApprovalAsks | undefined {
  if (first?.digest === undefined || others.length > 0) return undefined;
  const { announcement, digest, of } = first;
  const { number, repositoryId, repository } = announcement.subject;
  const places = placesOf(channels, repository);
  return number === undefined || places.length === 0
    ? undefined
    : { repositoryId, number, digest, ...(of && { of }), places };
}

interface Sent {
  post: ChatPost;
  asked?: AskedPost;
}

function toSent({ asked, ...post }: AnnouncedAt, asks: ApprovalAsks | undefined): Sent {
  if (asked === undefined || asks === undefined) return { post };
  const { digest, of } = asks;
  return { post, asked: { chat: { ...post, message: asked }, digest, ...(of && { of }) } };
}

interface Titled {
  announcement: Announcement;
  /** Of the thread. */
  body: string;
  /** Of the plan as it is shown, or the head of the pull request; absent where it could not be approved. */
  digest?: string;
  of?: 'head';
  /** It asks for what nobody can do any more. */
  isOver?: true;
}

/** A deleted thread has no title, but its announcement may still be sent. */
async function withTitle(
  { announcement }: Waiting,
  repository: RepositoryRef,
  session: GitHubSession,
): Promise<Titled> {
  const { subject } = announcement;
  if (subject.number === undefined) return { announcement, body: '' };
  try {
    const issue = await session.read.issue({ ...repository, number: subject.number });
    const url = issue.isPull ? subject.url.replace('/issues/', '/pull/') : subject.url;
    const titled = { ...announcement, subject: { ...subject, title: issue.title, url } };
    const { body } = issue;
    if (titled.event === 'needs-human' && titled.headSha !== undefined) {
      const head = await readOpenHead(session, { ...repository, number: subject.number });
      const asked = { announcement: titled, body };
      return head === titled.headSha
        ? { ...asked, digest: head, of: 'head' }
        : { ...asked, isOver: true };
    }
    if (titled.event !== 'plan-proposed') return { announcement: titled, body };
    const { digest, ...shown } = listTasks(body);
    const proposed = { announcement: { ...titled, ...shown }, body };
    return digest === undefined ? proposed : { ...proposed, digest };
  } catch (error) {
    if (error instanceof QuorumError && !error.retryable) return { announcement, body: '' };
    throw error;
  }
}

/** `digest`: of a plan that could be approved. */
function listTasks(body: string): { tasks?: number; details: string; digest?: string } {
  const plan = parsePlan(body);
  const { tasks, problems } = plan;
  if (tasks.length === 0) return { details: '' };
  const details = tasks.map(({ number, title }) => `${number}. ${title}`).join('\n');
  const shown = { tasks: tasks.length, details };
  return problems.length > 0 ? shown : { ...shown, digest: planDigest(plan) };
}
