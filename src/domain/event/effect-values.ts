/** Values inside effects: prompts, authors, and the issues, labels and checks that the team wants. */
import type { Permission } from '../run/thread-ref.ts';
import type { MarkerKind } from '../github/marker.ts';
import type { PromptText } from '../prompt/prompt-text.ts';

/** A prompt as data, in the order that is sent: what everyone shares first. */
export interface Prompt {
  /** Rules, then repository and thread context: byte-identical for all personas of a round. */
  shared: PromptText[];
  /** The persona's own soul. */
  own: PromptText[];
  /** What to do now. */
  task: PromptText;
}

/** Whose thread it is, as an earlier look told: how far their words are trusted is found out in passing. */
export type KnownAuthor = { id: number; login: string };

/** Somebody's word that an effect rests on. */
export interface Authority {
  user: { id: number; login: string };
  needed: Permission;
}

/** An issue that exists at most once in a repository. Issues are created one at a time, in the lane `issues:<repositoryId>`. */
export interface IssueWanted {
  /** `kind` and `key` say which issue it is; `run` says who wrote it last. */
  marker: { kind: MarkerKind; run: string; key: string };
  title: string;
  /** Without the marker line. */
  body: string;
  /** Put on when it is opened or opened again; later they are people's business. */
  labels: LabelWanted[];
  /** No issue is opened while this many of our open issues have the label. */
  maxOpen?: { label: string; count: number };
  /** ISO 8601. An issue that was closed before this time does not prevent a new one. */
  since?: string;
  /** Pinned when it is opened, where GitHub lets us; later that is people's business. */
  isPinned?: true;
}

/** A label, and how it looks where it has to be created. */
export interface LabelWanted {
  name: string;
  color: string;
  description: string;
}

export interface CheckWanted {
  name: string;
  conclusion: 'success' | 'failure' | 'neutral' | 'action_required';
  /** Shown as it is: without Markdown. */
  title: string;
  summary: string;
}

export type Reaction = '+1' | '-1' | 'laugh' | 'confused' | 'heart' | 'hooray' | 'rocket' | 'eyes';
