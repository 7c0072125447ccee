/** Tells one channel what waits for it. What may be shown, and where, is read at this moment, not when it was decided. */
import { subjectKey } from '../../domain/channel/announce/announcement.ts';
import { routeAnnouncement } from '../../domain/channel/announce/route-announcement.ts';
import {
  planDelivery,
  type Delivery,
  type Waiting,
} from '../../domain/channel/announce/plan-delivery.ts';
import type { AnnouncedDelivery } from '../../domain/event/result.ts';
import { bodyDigest } from '../../domain/persona/digest.ts';
import type { RepositoryFacts } from '../../ports/github/github-reader.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { Performed } from '../ports.ts';
import { readSettingsAt } from '../settings/read-settings.ts';
import { sendMessage, type Message, type Outcome } from './send-messages.ts';

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
  const isInThread = ({ announcement }: Waiting): boolean =>
    data.threads[subjectKey(announcement.subject)] !== undefined;
  const routed = shown.filter((each) => {
    const route = { config: config.channels, available, isPrivate, isInThread: isInThread(each) };
    return config.enabled && routeAnnouncement(each.announcement, route).length > 0;
  });
  const firstTriedAt = data.firstAt ?? (data.isNew && Date.parse(context.at));
  const plan = planDelivery(routed, {
    now: ports.clock.now(),
    quietHours: config.quietHours,
    isInThread,
    ...(firstTriedAt !== undefined && { firstTriedAt }),
  });
  const outcome: Outcome = { dropped: data.dropped + plan.dropped.length, heads: {}, held: [] };
  const sending = { data, channel, session, config, personas, isNew, outcome, closed: [] };
  for (const message of messagesOf(plan)) await sendMessage(sending, message);
  const isFirst = isNew && data.isNew === true;
  return done({ ...toDelivery(all, plan, outcome), ...(isFirst && unsentOf(plan)) });
}

function messagesOf({ single, digest, burst }: Delivery): Message[] {
  const [first, ...others] = digest;
  const each = single.map((one): Message => ({ ...one, parts: [one] }));
  return first === undefined
    ? each
    : [...each, { ...digestOf(burst, first), parts: [first, ...others] }];
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

/** Where nothing could be sent, the refusal is that of the effect: people see it, and it is tried again later. */
function toDelivery(
  all: readonly string[],
  { later, laterUntil }: Delivery,
  { refused, isSent, held, ...outcome }: Outcome,
): AnnouncedDelivery {
  if (refused !== undefined && isSent !== true) throw refused.error;
  const open = new Set([...later.map(({ key }) => key), ...(refused?.unsent ?? []), ...held]);
  return {
    settled: all.filter((key) => !open.has(key)),
    ...outcome,
    ...(refused !== undefined && { isRefused: true as const }),
    ...(laterUntil !== undefined && { laterUntil }),
  };
}

function unsentOf({ later }: Delivery): Pick<AnnouncedDelivery, 'unsent'> {
  return later.length === 0 ? {} : { unsent: later.map(({ key }) => key) };
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
