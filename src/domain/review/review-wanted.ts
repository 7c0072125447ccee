/** A review and its check run as values, before anything was sent. */
import type { MarkerKind } from '../github/marker.ts';

/** A comment on a line of the diff, or on several. */
export interface PlacedCommentWanted {
  /** Key of the comment's own marker: the finding's fingerprint. */
  key: string;
  path: string;
  line: number;
  side: 'LEFT' | 'RIGHT';
  startLine?: number;
  startSide?: 'LEFT' | 'RIGHT';
  body: string;
}

export interface ReviewWanted {
  marker: { kind: MarkerKind; run: string; key: string };
  headSha: string;
  event: 'COMMENT' | 'REQUEST_CHANGES';
  body: string;
  comments: PlacedCommentWanted[];
}

export interface AnnotationWanted {
  path: string;
  startLine: number;
  endLine: number;
  level: 'notice' | 'warning' | 'failure';
  title: string;
  message: string;
}

export interface ReviewCheckWanted {
  name: string;
  headSha: string;
  run: string;
  /** Undefined while the review is going on. */
  conclusion: 'success' | 'failure' | 'neutral' | 'action_required' | undefined;
  title: string;
  summary: string;
  annotations: AnnotationWanted[];
}
