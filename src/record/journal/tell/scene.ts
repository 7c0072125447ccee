/** What a teller works with: one recorded event, and what the events before it told. */
import type { EffectData } from '../../../domain/event/effect.ts';
import type { EventData } from '../../../domain/event/event.ts';
import type { ModelSwitch } from '../../../domain/run/talk.ts';
import type { ChangedFile } from '../../../domain/task/patch.ts';
import type { OutputRules } from '../../../domain/text/clean-output.ts';
import type { RecordedEvent } from '../../thread-record.ts';
import type { Journal, JournalEntry } from '../journal.ts';

export type Told = Omit<JournalEntry, 'at'>;

export type Done<K extends string> = Extract<EventData, { kind: 'done'; effectKind: K }>;

export interface Position {
  handle: string;
  vote: string;
  confidence: number;
  line: string;
  isSkipped: boolean;
}

export interface ApprovalSeen {
  by: { id: number; login: string };
  how: 'command' | 'label' | 'words' | 'reaction';
  /** Of the plan, where it is known. */
  digest: string | undefined;
  isTold: boolean;
}

export interface TaskSeen {
  title: string;
  files: readonly ChangedFile[];
  pull?: number;
}

export interface Scene {
  event: RecordedEvent;
  /** The stream of the thread that was asked for. */
  key: string;
  journal: Journal;
  rules: OutputRules;
  effects: ReadonlyMap<string, EffectData>;
  /** Streams whose opening the journal has. */
  opened: Set<string>;
  /** Ids of comments that the journal has. */
  heard: Set<number>;
  /** Comments whose delivery told of a plan, by id. */
  addressed: Map<number, { digest: string | undefined; isYes: boolean }>;
  /** The last one of each account. */
  approvals: Map<number, ApprovalSeen>;
  /** Digest of the plan that the journal showed last. */
  planDigest?: string;
  planSource?: string;
  /** Of the runs that go on, by run. */
  positions: Map<string, Position[]>;
  tasks: Map<string, TaskSeen>;
  switches: ReadonlyMap<number, ModelSwitch>;
}
