/** Which channels an announcement goes to. */
import type { ChannelsConfig } from '../../config/config-limits.ts';
import type * as z from 'zod';
import { isPublicChannel, type ChannelName } from '../chat-thread.ts';
import { isSettled, type Announcement } from './announcement.ts';

export interface RouteContext {
  config: z.infer<typeof ChannelsConfig>;
  /** Channels that have a token. */
  available: readonly ChannelName[];
  /** What GitHub says at this moment; private when it could not be read. */
  isPrivate: boolean;
  /** Somebody asked for it in a thread of the channel, where it goes: no channel for announcements is needed. */
  isInThread?: boolean;
}

/** The channels that are available, have the event in their list, and may show the repository. */
export function routeAnnouncement(
  announcement: Announcement,
  context: RouteContext,
): ChannelName[] {
  const { subject } = announcement;
  const isPrivate = context.isPrivate || subject.isPrivate;
  return context.available.filter((channel) => {
    if (isPrivate && isPublicChannel(channel)) return false;
    const hasPlace = context.isInThread === true || context.config.slack.channel !== undefined;
    if (channel === 'slack' && !hasPlace) return false;
    // What takes the place of a request is not listed by itself.
    const listed = isSettled(announcement) ? 'needs-human' : announcement.event;
    return context.config[channel].events.includes(listed);
  });
}
