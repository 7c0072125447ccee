/** One announcement by the routes of a repository's configuration: at a terminal and in a workflow. */
import type { Announced, Announcement } from '../../domain/channel/announce/announcement.ts';
import { routeAnnouncement } from '../../domain/channel/announce/route-announcement.ts';
import { toBlueskyAnnouncement } from '../../domain/channel/bluesky/bluesky-announcement.ts';
import { CHANNELS, type ChannelName } from '../../domain/channel/chat-thread.ts';
import { toSlackAnnouncement } from '../../domain/channel/slack/slack-announcement.ts';
import type { Config } from '../../domain/config/config.ts';
import { toFailure } from '../../domain/event/errors.ts';
import { webUrl } from '../../adapters/github/client/web-host.ts';
import type { Channel } from '../../ports/channel.ts';
import { readChannelSettings, type ChannelSettings } from '../channels/read-channel-settings.ts';
import type { Basics } from '../host-parts.ts';

export interface AnnouncementWanted {
  event: string;
  text: string;
  /** `owner/name`. */
  repository: string;
  /** Of the issue or pull request. */
  number?: number | undefined;
  title?: string | undefined;
  apiUrl: string;
  token: string | undefined;
  config: Config;
  /** Identifies it, so that a repetition is the same announcement. */
  key: string;
  /** It may have been sent before: under the same key, and some time ago. */
  isAgain?: true;
  isDry: boolean;
}

export interface Told {
  channel: ChannelName;
  text: string;
  outcome: 'sent' | 'not sent' | 'failed';
  reason?: string;
}

export async function sendAnnouncement(
  wanted: AnnouncementWanted,
  basics: Basics,
): Promise<{ isPrivate: boolean; told: Told[] }> {
  const { config, isDry } = wanted;
  const settings = readChannelSettings(basics.env);
  const announcement = await toAnnouncement(wanted, basics);
  const { isPrivate } = announcement.subject;
  // What would be said is worth seeing before there are tokens.
  const available = isDry ? CHANNELS : settings.names;
  const routes = routeAnnouncement(announcement, { config: config.channels, available, isPrivate });
  const told: Told[] = [];
  for (const channel of routes)
    told.push(
      isDry
        ? { channel, text: preview(channel, announcement), outcome: 'not sent' }
        : await send(channel, { announcement, config, settings, basics, wanted }),
    );
  return { isPrivate, told };
}

export function isFine(told: readonly Told[]): boolean {
  return told.every(({ outcome }) => outcome !== 'failed');
}

function preview(channel: ChannelName, announcement: Announcement): string {
  if (channel === 'bluesky') return toBlueskyAnnouncement(announcement).text;
  const { head, below } = toSlackAnnouncement(announcement);
  return [head, ...(below?.messages ?? [])].join('\n\n');
}

async function toAnnouncement(
  { event, text, repository, number, title, apiUrl, token }: AnnouncementWanted,
  { clock }: Basics,
): Promise<Announcement> {
  const { id, isPrivate } = await readVisibility(repository, { apiUrl, token });
  const page = `${webUrl(apiUrl)}/${repository}`;
  return {
    ...toAnnounced(event, text, new Date(clock.now()).toISOString().slice(0, 10)),
    subject: {
      repositoryId: id,
      repository,
      isPrivate,
      url: number === undefined ? page : `${page}/issues/${number}`,
      ...(number !== undefined && { number }),
      ...(title !== undefined && { title }),
    },
    isAsked: true,
  };
}

function toAnnounced(event: string, text: string, date: string): Announced {
  switch (event) {
    case 'verdict':
      return { event, verdict: text, details: '' };
    case 'failed':
      return { event, reason: text };
    case 'needs-human':
      return { event, question: text };
    case 'standup':
      return { event, date, details: text };
    default:
      return { event: 'merged', task: text };
  }
}

const TIMEOUT_MS = 10_000;

/** Private unless GitHub says that it is not. */
async function readVisibility(
  repository: string,
  { apiUrl, token }: Pick<AnnouncementWanted, 'apiUrl' | 'token'>,
): Promise<{ id: number; isPrivate: boolean }> {
  try {
    const answer = await fetch(`${apiUrl}/repos/${repository}`, {
      headers: {
        accept: 'application/vnd.github+json',
        'user-agent': 'quorum',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body: unknown = answer.ok ? await answer.json() : undefined;
    if (typeof body !== 'object' || body === null || !('id' in body) || !('private' in body))
      return { id: 0, isPrivate: true };
    return { id: Number(body.id), isPrivate: body.private !== false };
  } catch {
    return { id: 0, isPrivate: true };
  }
}

interface Sending {
  announcement: Announcement;
  config: Config;
  settings: ChannelSettings;
  basics: Basics;
  wanted: AnnouncementWanted;
}

/** GitHub repeats a run for 30 days. */
const REPEATED_MS = 31 * 24 * 3_600_000;

async function send(name: ChannelName, sending: Sending): Promise<Told> {
  const { announcement, config, basics, wanted } = sending;
  const { key, isAgain } = wanted;
  const told = { channel: name, text: preview(name, announcement) };
  try {
    const channel = await openChannel(name, sending);
    const place = config.channels.slack.channel;
    const now = basics.clock.now();
    await channel?.announce({
      key,
      at: new Date(now).toISOString(),
      isPrivate: announcement.subject.isPrivate,
      announcements: [announcement],
      dropped: 0,
      ...(isAgain === true
        ? { since: new Date(now - REPEATED_MS).toISOString() }
        : { isNew: true as const }),
      ...(place !== undefined && { place }),
    });
    return { ...told, outcome: 'sent' };
  } catch (error) {
    return { ...told, outcome: 'failed', reason: toFailure(error).message };
  }
}

async function openChannel(
  name: ChannelName,
  { settings, config, basics }: Sending,
): Promise<Channel | undefined> {
  const { clock, log } = basics;
  if (name === 'slack' && settings.slack !== undefined) {
    const { createSlack } = await import('../../adapters/slack/create-slack.ts');
    const place = config.channels.slack.channel ?? '';
    return createSlack({ settings: settings.slack, clock, place });
  }
  if (name === 'bluesky' && settings.bluesky !== undefined) {
    const { createBluesky } = await import('../../adapters/bluesky/create-bluesky.ts');
    return createBluesky({ settings: settings.bluesky, clock, log });
  }
  return undefined;
}
