/** The status of a council's run, in the few words that fit a line of a terminal. */
import {
  isDiscussionRun,
  type Run,
  verdictOf,
  questionOf,
} from '../../domain/run/state/run-record.ts';
import { listNames } from '../../domain/text/list-names.ts';
import type { Purpose } from '../../domain/run/council.ts';
import { latestPositions } from '../../decide/discussion/verdict/tally-votes.ts';

/** Who has spoken, and how they voted. */
export interface Spoken {
  /** The same for the same contribution: tells old from new. */
  id: string;
  name: string;
  /** `ready 0.8`, or why there is no vote. */
  vote: string;
  line: string;
}

export function stageOf(run: Run | undefined): string {
  if (run === undefined) return 'waiting for the webhook';
  const { status } = run;
  const [verdict, needsYou] = [verdictOf(run), questionOf(run)];
  if (status === 'closed') return `stopped: ${run.endReason ?? 'cancelled'}`;
  if (needsYou !== undefined && run.phase.kind === 'waiting')
    return `asks @${needsYou.owner}: ${needsYou.question}`;
  if (status === 'consensus' && verdict !== undefined)
    return `${verdict.verdict}: ${verdict.headline}`;
  return phaseOf(run);
}

/** What a pause is for, by what comes after it. */
const LISTENING: Readonly<Record<string, string>> = {
  start: 'waiting for more pushes',
  verdict: 'a person spoke: listening',
};

const READING: Readonly<Partial<Record<Run['trigger'], string>>> = {
  pr_review: 'reading the change and the repository',
  code_watch: 'reading and searching the code',
};

function phaseOf(run: Run): string {
  const { phase } = run;
  if (phase.kind === 'looking') return readingWhat(run, phase.next);
  if (phase.kind === 'gathering') return `${roundOf(run)}${listed(run, phase.waitingFor)}`;
  if (phase.kind === 'listening') return LISTENING[phase.next] ?? 'pausing';
  return PHASES[phase.kind](leadOf(run));
}

function leadOf(run: Run): string {
  return ('lead' in run ? run.lead?.name : undefined) ?? 'the lead';
}

function roundOf(run: Run): string {
  return 'round' in run ? `round ${run.round}: ` : '';
}

const PHASES = {
  concluding: (lead: string) => `${lead} weighs the votes`,
  judging: (lead: string) => `${lead} judges what was found`,
  opening: () => 'opening issues',
  reflecting: () => 'looking back',
  condensing: () => 'looking for shorter words',
  remembering: () => 'writing down what was learned',
  extracting: () => 'looking for what to keep',
  proposed: () => 'waiting for an answer',
  publishing: () => 'opening a pull request',
  answering: () => 'looking back',
  settling: () => 'checking what was said',
  waiting: () => 'starting',
  ended: () => 'done',
} as const;

function readingWhat({ trigger }: Run, next: string): string {
  if (next === 'answer') return 'reading the answer';
  return READING[trigger] ?? 'reading the issue and the repository';
}

function listed(run: Run, waiting: readonly { handle: string; purpose: Purpose }[]): string {
  const team = 'participants' in run ? run.participants : [];
  const names = waiting
    .filter(({ purpose }) => purpose === 'position')
    .map(({ handle }) => team.find((each) => each.handle === handle)?.name ?? handle);
  if (names.length === 0) return `${leadOf(run)} votes unseen`;
  return `${listNames(names)} ${names.length === 1 ? 'is' : 'are'} thinking`;
}

/** Everybody's latest word, and who stayed silent. */
export function spokenIn(run: Run | undefined): Spoken[] {
  if (run === undefined || !isDiscussionRun(run)) return [];
  const silent = run.contributions.filter(({ outcome }) => outcome !== 'said');
  return [...latestPositions(run), ...silent].map((each) => ({
    id: `${run.id}/${each.handle}/${each.round}/${each.outcome}`,
    name: each.name,
    vote:
      each.position === undefined
        ? each.outcome
        : `${each.position.vote.toLowerCase()} ${each.position.confidence.toFixed(1)}`,
    line: each.position?.line ?? each.reason ?? '',
  }));
}
