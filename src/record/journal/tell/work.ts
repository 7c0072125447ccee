/** Work on tasks in a journal: from the claim to the merge, with what was asked on the way. */
import type { EventData } from '../../../domain/event/event.ts';
import { GATE_NAMES, type GateReceipt } from '../../../domain/gates/receipt.ts';
import type { Exchange } from '../../../domain/task/exchange.ts';
import { tellLeftOut } from '../../../domain/task/journal-copy.ts';
import type { ChangedFile } from '../../../domain/task/patch.ts';
import { placeOfKey } from '../../thread-record.ts';
import type { JournalPull } from '../journal.ts';
import { quoteCode, inLine, quoted } from '../quote.ts';
import { tellApproval } from './people.ts';
import type { Done, Scene, TaskSeen, Told } from './scene.ts';

/** More are counted. */
const MAX_FILES = 20;

export function tellOrder(
  { order }: Extract<EventData, { kind: 'task-go' | 'task-found' }>,
  scene: Scene,
): Told[] {
  const seen: TaskSeen = { title: order.title, files: [] };
  scene.tasks.set(scene.event.key, { ...scene.tasks.get(scene.event.key), ...seen });
  return tellApproval(order.approvedBy, scene);
}

export function tellClaim({ effectId, result }: Done<'claim'>, scene: Scene): Told[] {
  if (result.outcome !== 'claimed')
    return [
      {
        kind: 'task',
        text: `${taskName(scene)} did not start: ${inLine(result.reason, scene.rules)}`,
      },
    ];
  const claim = scene.effects.get(effectId);
  const by = claim?.kind === 'claim' ? ` as ${quoteCode(claim.persona)}` : '';
  const base = `${quoteCode(result.base.branch)} at ${quoteCode(result.base.sha.slice(0, 7))}`;
  return [{ kind: 'task', text: `**${taskName(scene)} began**${by}, on ${base}.` }];
}

export function tellCode({ effectId, result }: Done<'code'>, scene: Scene): Told[] {
  const { exchanges = [] } = result;
  const code = scene.effects.get(effectId);
  if (code?.kind === 'code') noteBranch(code.branch, scene);
  const task = scene.tasks.get(scene.event.key);
  if (task !== undefined && result.files.length > 0) task.files = result.files;
  const asked = exchanges.map((each) => tellExchange(each, scene));
  return [...asked, tellOutcome(result, scene)];
}

function tellOutcome({ report, files, copyLeftOut }: Done<'code'>['result'], scene: Scene): Told {
  const { rules } = scene;
  const name = taskName(scene);
  if (report.outcome === 'asked') {
    const tried = report.tried === '' ? [] : [`Tried: ${inLine(report.tried, rules)}`];
    const options = report.options.map((each) => `Option: ${inLine(each, rules)}`);
    const quote = quoted(report.question, rules);
    return {
      kind: 'question',
      text: `**${name}: the Coder asked people**`,
      lines: [...options, ...tried],
      quote,
    };
  }
  if (report.outcome !== 'done')
    return {
      kind: 'failure',
      text: `${name}: the Coder ${OUTCOMES[report.outcome]}. ${inLine(report.reason, rules)}`,
    };
  const decisions = report.decisions.map((each) => `Decided: ${inLine(each, rules)}`);
  const notes = report.notes.map((each) => `Noted: ${inLine(each, rules)}`);
  const copy = copyLeftOut === undefined ? [] : [tellLeftOut(copyLeftOut)];
  const quote = quoted(report.summary, rules);
  return {
    kind: 'task',
    text: `**${name}: the Coder changed ${sizeOf(files)}**`,
    lines: [...fileLines(files), ...decisions, ...notes, ...copy],
    ...(quote === '' ? {} : { quote }),
  };
}

const OUTCOMES = {
  failed: 'failed',
  'timed-out': 'ran out of time',
  cancelled: 'was stopped',
} as const;

function noteBranch(branch: string, { journal }: Scene): void {
  if (!journal.branches.includes(branch)) journal.branches.push(branch);
}

/** What the Coder asked, who answered, and what the answer rests on (CB-7). */
function tellExchange(exchange: Exchange, scene: Scene): Told {
  const { question, answer, source, isEscalated } = exchange;
  const by = isEscalated ? 'a person answered' : 'the PM answered';
  return {
    kind: 'question',
    text: `**${taskName(scene)}: the Coder asked, ${by}**`,
    lines: [
      `Question: ${inLine(question, scene.rules)}`,
      `Answer: ${inLine(answer, scene.rules)}`,
      `Source: ${inLine(source, scene.rules)}`,
    ],
  };
}

/** As `src/a.ts: +3 −1`. */
function fileLines(files: readonly ChangedFile[]): string[] {
  const shown = files
    .slice(0, MAX_FILES)
    .map(({ path, added, removed }) => `${quoteCode(path)}: ${diffOf(added, removed)}`);
  const more = files.length - shown.length;
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

function sizeOf(files: readonly ChangedFile[]): string {
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  const sum = (of: 'added' | 'removed'): number => files.reduce((all, each) => all + each[of], 0);
  return `${count} (${diffOf(sum('added'), sum('removed'))})`;
}

function diffOf(added: number, removed: number): string {
  return `+${added} −${removed}`;
}

export function tellVerify({ result }: Done<'verify'>, scene: Scene): Told[] {
  const { conflict, receipts, headSha } = result;
  if (conflict !== undefined)
    return [
      {
        kind: 'gates',
        text: `${taskName(scene)} conflicts with its base in ${conflict.map(quoteCode).join(', ')}.`,
      },
    ];
  return tellGates(receipts, headSha, scene);
}

/** One sentence where all passed; a line for each that did not. */
function tellGates(receipts: readonly GateReceipt[], headSha: string, scene: Scene): Told[] {
  if (receipts.length === 0) return [];
  const failed = receipts.filter(({ result }) => result !== 'passed');
  const names = receipts.map(({ gate }) => GATE_NAMES[gate]).join(', ');
  const at = quoteCode(headSha.slice(0, 7));
  const tests = receipts.find(({ gate }) => gate === '2');
  const sentence = tests === undefined ? '' : ` ${inLine(tests.sentence, scene.rules)}`;
  if (failed.length === 0)
    return [
      { kind: 'gates', text: `${taskName(scene)}: gates passed for ${at}: ${names}.${sentence}` },
    ];
  const lines = failed.map(
    ({ gate, result, sentence: why }) =>
      `${GATE_NAMES[gate]} ${result}: ${inLine(why, scene.rules)}`,
  );
  return [{ kind: 'gates', text: `**${taskName(scene)}: a gate stopped ${at}**`, lines }];
}

export function tellPublish({ effectId, result }: Done<'publish'>, scene: Scene): Told[] {
  const { pull, outdated, reviewers, receipts } = result;
  const publish = scene.effects.get(effectId);
  if (outdated !== undefined)
    return [
      {
        kind: 'gates',
        text: `${taskName(scene)} was not pushed: its base has other workflow files.`,
      },
    ];
  if (pull === undefined)
    return tellGates(receipts, publish?.kind === 'publish' ? publish.headSha : '', scene);
  const isNew = notePull(pull.number, scene);
  const task = scene.tasks.get(scene.event.key);
  const size = task === undefined || task.files.length === 0 ? '' : `: ${sizeOf(task.files)}`;
  const asked =
    reviewers.length === 0 ? '' : ` Asked for a review: ${reviewers.map(quoteCode).join(', ')}.`;
  const text = `**${taskName(scene)}: pull request #${pull.number} was ${isNew ? 'opened' : 'updated'}**${size}.${asked}`;
  return [{ kind: 'pull', text }];
}

function notePull(number: number, { journal, event }: Scene): boolean {
  if (journal.pulls.some((pull) => pull.number === number)) return false;
  const task = placeOfKey(event.key)?.task;
  journal.pulls.push({ number, isMerged: false, ...(task === undefined ? {} : { task }) });
  return true;
}

/** What people and the team said to the task about its pull request. */
export function tellPullNews(
  { news }: Extract<EventData, { kind: 'pull-told' }>,
  scene: Scene,
): Told[] {
  if (news.kind === 'moved') return [];
  if (news.kind === 'reviewed') {
    const lines = [...news.asks, ...(news.open ?? [])].map((each) => inLine(each, scene.rules));
    if (lines.length === 0) return [];
    const isBlocking = news.asks.length > 0 && news.verdict !== 'APPROVE';
    const what = isBlocking ? 'asks for changes' : 'leaves points open';
    return [{ kind: 'review', text: `${taskName(scene)}: the review ${what}.`, lines }];
  }
  const { by, headSha } = news.word;
  const what = news.kind === 'approved' ? 'approved' : 'asked to merge';
  const pull = pullOf(scene);
  const text = `**${quoteCode(by.login)} ${what} ${pull}** at ${quoteCode(headSha.slice(0, 7))}.`;
  return [{ kind: news.kind === 'approved' ? 'approval' : 'merge', text }];
}

function pullOf({ journal, event }: Scene): string {
  const task = placeOfKey(event.key)?.task;
  const pull = journal.pulls.findLast((each) => each.task === task);
  return pull === undefined ? 'the pull request' : `#${pull.number}`;
}

export function tellRetest({ result }: Done<'retest'>, scene: Scene): Told[] {
  if (result.outcome === 'conflict')
    return [
      {
        kind: 'gates',
        text: `${pullOf(scene)} conflicts with its base in ${result.paths.map(quoteCode).join(', ')}.`,
      },
    ];
  const { sentence } = result.receipt;
  const text = `${pullOf(scene)} was tested together with its base at ${quoteCode(result.baseSha.slice(0, 7))}: ${inLine(sentence, scene.rules)}`;
  return [{ kind: 'gates', text }];
}

export function tellMerge({ effectId, result }: Done<'merge'>, scene: Scene): Told[] {
  const merge = scene.effects.get(effectId);
  const number = merge?.kind === 'merge' ? merge.thread.number : undefined;
  const name = number === undefined ? pullOf(scene) : `#${number}`;
  if (result.outcome === 'refused')
    return [
      {
        kind: 'failure',
        text: `GitHub refused to merge ${name}: ${inLine(result.reason, scene.rules)}`,
      },
    ];
  if (result.outcome === 'queued')
    return [{ kind: 'merge', text: `${name} was put into the merge queue.` }];
  if (result.outcome !== 'merged')
    return [{ kind: 'merge', text: `${name} was not merged yet: ${NOT_YET[result.outcome]}.` }];
  const pull: JournalPull | undefined = scene.journal.pulls.find((each) => each.number === number);
  if (pull !== undefined) pull.isMerged = true;
  return [
    { kind: 'merge', text: `**${name} was merged** as ${quoteCode(result.sha.slice(0, 7))}.` },
  ];
}

const NOT_YET = {
  'base-moved': 'its base moved, so it is tested again',
  stale: 'what it rests on is too old, so it is read again',
} as const;

const WORDS = {
  release: (task: string) => `gave back ${task}`,
  block: (task: string) => `blocked ${task}`,
  again: (task: string) => `let the team try ${task} again`,
  complete: (task: string) => `marked ${task} as complete`,
  tidy: (task: string) => `ended the plan of ${task}`,
} as const;

export function tellTaskWord(
  { word, by, why, answer }: Extract<EventData, { kind: 'task-word' }>,
  scene: Scene,
): Told[] {
  const because = why === '' ? '' : `: ${inLine(why, scene.rules)}`;
  const text = `**${quoteCode(by.login)} ${WORDS[word](taskName(scene))}**${because}`;
  const quote = answer === undefined ? {} : { quote: quoted(answer, scene.rules) };
  return [{ kind: answer === undefined ? 'person' : 'question', text, ...quote }];
}

/** Where a task stops short; the journal has all else where it happened. */
export function tellTaskNews(
  { news }: Extract<EventData, { kind: 'task-told' }>,
  scene: Scene,
): Told[] {
  const { task, state, reason, pull, mergeSha } = news;
  if (mergeSha !== undefined) {
    const found = scene.journal.pulls.find(({ number }) => number === pull?.number);
    if (found !== undefined) found.isMerged = true;
  }
  if (state !== 'blocked' && state !== 'failed' && state !== 'released') return [];
  const seen = scene.tasks.get(`${scene.event.key.replace('thread:', 'task:')}-${task}`);
  const name = nameWith(task, seen, scene);
  const because = reason === undefined ? '' : `: ${inLine(reason, scene.rules)}`;
  return [{ kind: 'failure', text: `**${name} is ${state}**${because}` }];
}

/** As `Task 1 (Sort rows)`. */
function taskName(scene: Scene): string {
  const task = placeOfKey(scene.event.key)?.task ?? 0;
  return nameWith(task, scene.tasks.get(scene.event.key), scene);
}

function nameWith(task: number, seen: TaskSeen | undefined, { rules }: Scene): string {
  return seen === undefined ? `Task ${task}` : `Task ${task} (${inLine(seen.title, rules)})`;
}
