/** Announcements as posts of Bluesky: one post and a card, because people read there in passing. */
import {
  describeAnnouncement,
  describeDigest,
  droppedNote,
  type Card,
} from '../announce/describe-announcement.ts';
import type { Announcement } from '../announce/announcement.ts';
import { toOneLine, textBlock, toWebAddress } from '../text/rich-text.ts';
import { toBlueskyPosts, type BlueskyText } from './bluesky-text.ts';
import { pictureOf, type CardPicture } from './card-picture.ts';

export interface BlueskyCard extends Card {
  picture: CardPicture;
}

export interface BlueskyAnnouncement extends BlueskyText {
  card: BlueskyCard | undefined;
}

export function toBlueskyAnnouncement(
  announcement: Announcement,
  dropped = 0,
): BlueskyAnnouncement {
  const { head, details, card } = describeAnnouncement(announcement);
  const note = dropped === 0 ? [] : [textBlock([droppedNote(dropped)])];
  const url = toWebAddress(card.url);
  return {
    ...firstOf([head, ...note, ...details.slice(0, 1)]),
    card:
      url === undefined
        ? undefined
        : {
            url,
            title: toOneLine(card.title),
            text: toOneLine(card.text),
            picture: pictureOf(announcement.event),
          },
  };
}

export function toBlueskyDigest(
  announcements: readonly Announcement[],
  dropped = 0,
): BlueskyAnnouncement {
  return { ...firstOf(describeDigest(announcements, dropped)), card: undefined };
}

function firstOf(blocks: Parameters<typeof toBlueskyPosts>[0]): BlueskyText {
  return toBlueskyPosts(blocks, 1)[0] ?? { text: '…', facets: [] };
}
