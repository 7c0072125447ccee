/** Announcements as messages of Slack. */
import {
  describeAnnouncement,
  describeDigest,
  droppedNote,
} from '../announce/describe-announcement.ts';
import type { Announcement } from '../announce/announcement.ts';
import { textBlock } from '../text/rich-text.ts';
import { fillMessages, type SlackText } from './slack-message.ts';

export interface SlackAnnouncement {
  /** The message of the thread, which later announcements about the same subject replace. */
  head: string;
  /** Replies below it. */
  below: SlackText | undefined;
}

export function toSlackAnnouncement(announcement: Announcement, dropped = 0): SlackAnnouncement {
  const { head, details } = describeAnnouncement(announcement);
  const note = dropped === 0 ? [] : [textBlock([droppedNote(dropped)])];
  const below = [...details, ...note];
  return {
    head: fillMessages([head]).messages[0] ?? '…',
    below: below.length === 0 ? undefined : fillMessages(below),
  };
}

export function toSlackDigest(announcements: readonly Announcement[], dropped = 0): string {
  return fillMessages(describeDigest(announcements, dropped)).messages[0] ?? '…';
}
