/** The picture on a card: which one an event gets, and what it shows in words, for people who do not see it. */
import type { Announced } from '../announce/announcement.ts';

export type CardPicture = 'done' | 'failed' | 'waiting' | 'news';

const PICTURES: Readonly<Record<Announced['event'], CardPicture>> = {
  'run-started': 'news',
  verdict: 'news',
  'plan-proposed': 'waiting',
  'plan-approved': 'done',
  'plan-complete': 'done',
  'task-claimed': 'news',
  'task-released': 'news',
  'pr-opened': 'news',
  merged: 'done',
  failed: 'failed',
  standup: 'news',
  weekly: 'news',
  'needs-human': 'waiting',
  'head-settled': 'done',
  'need-settled': 'done',
};

export function pictureOf(event: Announced['event']): CardPicture {
  return PICTURES[event];
}

/** What each picture shows. A card of Bluesky has no field for it, so it ends the card's description. */
export const PICTURE_TEXTS: Readonly<Record<CardPicture, string>> = {
  done: 'a white check mark on green',
  failed: 'a white cross on red',
  waiting: 'a white exclamation mark on amber',
  news: 'three white dots on blue',
};
