/** The journal of a thread, made from what the store recorded: the same events give the same journal, byte for byte (CB-11). */
import { timeOfId } from '../../domain/run/ids.ts';
import type { EventData } from '../../domain/event/event.ts';
import type { OutputRules } from '../../domain/text/clean-output.ts';
import { costRows } from '../costs.ts';
import type { RecordedEvent, ThreadRecord } from '../thread-record.ts';
import type { Journal } from './journal.ts';
import type { Scene, Told } from './tell/scene.ts';
import { tellClose, tellFailure } from './tell/ends.ts';
import {
  tellCommentLook,
  tellLook,
  tellPlanLook,
  tellPullLook,
  tellTrigger,
} from './tell/people.ts';
import { tellConsolidation, tellRemembered, tellRoles } from './tell/memory.ts';
import { tellAnswer, tellIssue, tellProposal, tellReview } from './tell/team.ts';
import {
  tellClaim,
  tellCode,
  tellMerge,
  tellOrder,
  tellPublish,
  tellPullNews,
  tellRetest,
  tellTaskNews,
  tellTaskWord,
  tellVerify,
} from './tell/work.ts';

type Kind = EventData['kind'];
type Tellers = { [K in Kind]?: (data: Extract<EventData, { kind: K }>, scene: Scene) => Told[] };
type DoneData = Extract<EventData, { kind: 'done' }>;
type Results = {
  [K in DoneData['effectKind']]?: (
    data: Extract<DoneData, { effectKind: K }>,
    scene: Scene,
  ) => Told[];
};

/** What is not listed tells people nothing. */
const TELLERS: Tellers = {
  trigger: ({ trigger }, scene) => tellTrigger(trigger, scene),
  done: tellDone,
  failed: tellFailure,
  'task-go': tellOrder,
  'task-found': tellOrder,
  'task-word': tellTaskWord,
  'task-told': tellTaskNews,
  'pull-told': tellPullNews,
};

const RESULTS: Results = {
  look: tellLook,
  'look-code': tellLook,
  'look-pull': tellPullLook,
  'look-comment': tellCommentLook,
  'look-plan': tellPlanLook,
  propose: tellProposal,
  issue: tellIssue,
  ask: tellAnswer,
  review: tellReview,
  claim: tellClaim,
  code: tellCode,
  verify: tellVerify,
  publish: tellPublish,
  retest: tellRetest,
  merge: tellMerge,
  close: tellClose,
  remember: tellRemembered,
  'open-roles': tellRoles,
  'open-consolidation': tellConsolidation,
};

export function projectJournal(record: ThreadRecord): Journal {
  const events = record.streams
    .flatMap((stream) => stream.events)
    .filter(({ seq }) => seq > 0)
    .toSorted((a, b) => a.seq - b.seq);
  const rules = rulesOf(events);
  const journal = emptyJournal(record, `${rules.repository}#${record.key.split('/').at(-1) ?? ''}`);
  const scene = openScene(record, journal, rules);
  for (const event of events) tell(event, scene);
  journal.from = journal.entries[0]?.at ?? events[0]?.at ?? '';
  journal.to = journal.entries.at(-1)?.at ?? journal.from;
  const missingBefore = firstOfCut(events);
  return missingBefore === undefined ? journal : { ...journal, missingBefore };
}

/** What the repository is called in its last event, and where its GitHub is. */
function rulesOf(events: readonly RecordedEvent[]): OutputRules {
  const read = events.findLast(({ data }) => repositoryIn(data) !== undefined);
  const { fullName = '', host } = (read && repositoryIn(read.data)) ?? {};
  const told = events.findLast(({ data }) => data.kind === 'trigger' && 'thread' in data.trigger);
  const thread =
    told?.data.kind === 'trigger' && 'thread' in told.data.trigger
      ? told.data.trigger.thread
      : undefined;
  const repository = thread === undefined ? fullName : `${thread.owner}/${thread.repo}`;
  return { repository, host };
}

function repositoryIn(data: EventData): { fullName: string; host?: string } | undefined {
  if (data.kind !== 'done') return undefined;
  if (data.effectKind === 'look-plan') return data.result.repository;
  if (data.effectKind === 'look' || data.effectKind === 'look-pull')
    return data.result.view.repository;
  return data.effectKind === 'look-comment' && data.result.kind === 'read'
    ? data.result.view.repository
    : undefined;
}

function emptyJournal({ streams }: ThreadRecord, thread: string): Journal {
  const calls = streams.flatMap((stream) => stream.calls);
  const inOrder = calls.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  return {
    thread,
    title: '',
    state: 'open',
    from: '',
    to: '',
    approvedBy: [],
    branches: [],
    pulls: [],
    models: [...new Set(inOrder.map(({ model }) => model))],
    entries: [],
    costs: costRows(calls),
  };
}

function openScene(
  { key, streams }: ThreadRecord,
  journal: Journal,
  rules: Scene['rules'],
): Omit<Scene, 'event'> {
  const effects = streams.flatMap((stream) => stream.effects);
  const switches = streams.flatMap((stream) => stream.switches);
  return {
    key,
    journal,
    rules,
    effects: new Map(effects.map(({ id, data }) => [id, data])),
    switches: new Map(switches.map((each) => [each.commentId, each])),
    opened: new Set(),
    heard: new Set(),
    addressed: new Map(),
    approvals: new Map(),
    positions: new Map(),
    tasks: new Map(),
  };
}

function tell(event: RecordedEvent, scene: Omit<Scene, 'event'>): void {
  const told = byKind(event.data, Object.assign(scene, { event }));
  scene.journal.entries.push(...told.map((each) => ({ at: event.at, ...each })));
}

function byKind<K extends Kind>(data: Extract<EventData, { kind: K }>, scene: Scene): Told[] {
  const teller: Tellers[K] = TELLERS[data.kind];
  return teller?.(data, scene) ?? [];
}

function tellDone<K extends DoneData['effectKind']>(
  data: Extract<DoneData, { effectKind: K }>,
  scene: Scene,
): Told[] {
  const teller: Results[K] = RESULTS[data.effectKind];
  return teller?.(data, scene) ?? [];
}

/** A run that was going on for longer than this before the first event shows that earlier ones are gone. */
const SLACK_MS = 60_000;
/** These answer something that the stream said before. */
const ANSWERS: ReadonlySet<Kind> = new Set([
  'done',
  'failed',
  'timer',
  'task-told',
  'places-given',
  'session-told',
  'pull-told',
]);

/** When the first event that is left happened, where events before it were deleted. */
function firstOfCut(events: readonly RecordedEvent[]): string | undefined {
  const [first] = events;
  if (first === undefined) return undefined;
  if (ANSWERS.has(first.data.kind)) return first.at;
  const begun = events.flatMap(({ data }) => ('run' in data ? (timeOfId(data.run) ?? []) : []));
  return Math.min(...begun) < Date.parse(first.at) - SLACK_MS ? first.at : undefined;
}
