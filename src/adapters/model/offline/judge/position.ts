/** A contributor's position on an issue, from its own point of view. */
import type { Evidence, OfflineBrief } from '../../../../domain/run/evidence.ts';
import type { Signal } from '../../../../domain/review/signal.ts';
import { bare, cutAtWord, lower } from '../cite.ts';
import { hear } from '../hear.ts';
import type { Hearing } from '../hear.ts';
import { isOwn, viewOf } from '../lens.ts';
import type { View } from '../lens.ts';
import type { OnIssue } from '../shapes.ts';
import { say } from '../voice.ts';
import { LEANS, signalsFor, weigh } from '../weigh.ts';
import type { IssueVote, Weighing } from '../weigh.ts';

const SKIPPED: OnIssue = {
  skip: true,
  vote: 'READY',
  confidence: 0,
  line: '',
  reasons: '',
  findings: [],
  questions: [],
};

const MAX_POINTS = 4;
/** What is left to say once a maintainer wants it closed. */
const THEN: Readonly<Record<View, string>> = {
  security: 'nothing opens up by leaving it',
  quality: 'no case to write, then',
  implementation: 'nothing to build, then',
  architecture: 'the matter is decided',
  product: 'off the list, then',
  general: 'I follow that',
};
/** Facts that nobody comments on alone: they colour a position and make none. */
const NOT_ENOUGH = new Set(['related-issue', 'no-version']);

/** Judges an issue for one persona; `skip` when nothing of what was found is its business. */
export function takePosition({ evidence, persona, round }: OfflineBrief): OnIssue {
  const own = evidence.signals.filter((signal) => isOwn(signal, persona));
  if (!own.some(({ ruleId }) => !NOT_ENOUGH.has(ruleId))) return SKIPPED;
  const hearing = hear(evidence);
  const weighing = weigh(evidence, hearing, (signal) => isOwn(signal, persona));
  const view = viewOf(persona);
  if (round > 1) return answerOthers({ evidence, own, hearing, weighing, view }, persona.handle);
  return state({ evidence, own, hearing, weighing, view });
}

interface Case {
  evidence: Evidence;
  own: Signal[];
  hearing: Hearing;
  weighing: Weighing;
  view: View;
}

/** Signals of one's own that speak for the vote, heaviest first, then what else of one's own is worth saying. */
function points({ evidence, own, hearing, weighing }: Case): Signal[] {
  const forVote = signalsFor(weighing.vote, evidence, hearing);
  const mine = forVote.filter((signal) => own.includes(signal));
  const rest = own.filter(
    (signal) =>
      !mine.includes(signal) && !hearing.settled.has(signal.ruleId) && signal.severity !== 'info',
  );
  const all = mine.length > 0 ? [...mine, ...rest] : [...forVote.slice(0, 1), ...rest, ...own];
  const seen = new Set<string>();
  return all.filter(({ ruleId }) => !seen.has(ruleId) && seen.add(ruleId)).slice(0, MAX_POINTS);
}

function state(one: Case): OnIssue {
  const { weighing, hearing, own, view } = one;
  const chosen = hearing.wish === 'close' ? [] : points(one);
  const heard = heardLine(hearing);
  const mine = chosen.filter((signal) => own.includes(signal)).map((signal) => say(signal, view));
  const others = chosen
    .filter((signal) => !own.includes(signal))
    .map((signal) => `${cutAtWord(signal.title, 120)} That comes before anything of mine.`);
  const lines = [...others, ...mine];
  const first = bare([...others, mine[0] ?? ''].join(' ').trim());
  return {
    skip: false,
    vote: weighing.vote,
    confidence: weighing.confidence,
    line: cutAtWord(openLine(heard, hearing.wish === 'close' ? THEN[view] : first), 240),
    reasons: cutAtWord(
      [...(heard === undefined ? [] : [heard]), ...lines].map((line) => `- ${line}`).join('\n'),
      4000,
    ),
    findings: toFindings(own, hearing),
    questions: toQuestions(chosen, weighing.vote),
  };
}

function openLine(heard: string | undefined, first: string): string {
  if (heard === undefined) return first;
  return first === '' ? bare(heard) : `${bare(heard)}; ${lower(first)}`;
}

function heardLine({ decided, wish }: Hearing): string | undefined {
  if (decided === undefined) return undefined;
  const what =
    decided.option === undefined ? `"${cutAtWord(decided.text, 90)}"` : `"${decided.option}"`;
  return wish === 'close'
    ? `${decided.login} wants it closed: ${what}.`
    : `${decided.login} has decided: ${what}.`;
}

function toFindings(own: readonly Signal[], hearing: Hearing): OnIssue['findings'] {
  return own
    .filter(({ severity, ruleId }) => severity !== 'info' && !hearing.settled.has(ruleId))
    .slice(0, 10)
    .map(({ severity, title, evidence, place, ruleId }) => ({
      severity,
      title: cutAtWord(title, 300),
      evidence: cutAtWord(evidence, 1200),
      ruleId,
      ...(place === undefined ? {} : { place }),
    }));
}

function toQuestions(chosen: readonly Signal[], vote: IssueVote): string[] {
  if (vote === 'READY' || vote === 'CLOSE') return [];
  return chosen
    .filter(({ ruleId }) => LEANS[ruleId]?.vote === vote)
    .map(({ suggestion }) => suggestion)
    .filter((suggestion) => suggestion !== undefined)
    .slice(0, 2)
    .map((suggestion) => (suggestion.endsWith('?') ? suggestion : `Missing: ${suggestion}.`));
}

/** Round 2: everyone has seen everyone. Give way to a stronger case, or say what it does not answer. */
function answerOthers(one: Case, handle: string): OnIssue {
  const position = state(one);
  const other = one.evidence.positions
    .filter(
      (said) => said.handle !== handle && said.vote !== position.vote && said.findings.length > 0,
    )
    .toSorted((a, b) => b.confidence - a.confidence)[0];
  if (other === undefined) return SKIPPED;
  const [point = other.line] = other.findings;
  if (other.confidence > position.confidence && isIssueVote(other.vote))
    return {
      ...position,
      vote: other.vote,
      confidence: Math.round((other.confidence - 0.1) * 20) / 20,
      line: cutAtWord(`@${other.handle} has the stronger case: ${lower(bare(point))}`, 240),
      reasons: cutAtWord(
        `- I give way to @${other.handle} on this: ${point}\n${position.reasons}`,
        4000,
      ),
    };
  return {
    ...position,
    line: cutAtWord(`${position.line}; @${other.handle}'s point does not answer that`, 240),
    reasons: cutAtWord(
      `- @${other.handle} says: ${point} That stands beside mine and does not answer it.\n${position.reasons}`,
      4000,
    ),
  };
}

function isIssueVote(vote: string): vote is IssueVote {
  return vote === 'READY' || vote === 'CLOSE' || vote === 'DRAFT' || vote === 'HUMAN';
}
