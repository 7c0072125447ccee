/** Positions and verdicts where the votes are APPROVE, CHANGES and HUMAN: by the severity of what was found. */
import type { OfflineBrief } from '../../../../domain/run/evidence.ts';
import type { Signal } from '../../../../domain/review/signal.ts';
import { countSeverities } from '../../../../domain/review/finding.ts';
import { codeSpan } from '../../../../domain/text/code-span.ts';
import { at, bare, cutAtWord, list } from '../cite.ts';
import { markOf } from '../cite-notes.ts';
import { isOwn, viewOf } from '../lens.ts';
import type { ChangeConclusion, OnChange } from '../shapes.ts';
import { say } from '../voice.ts';

type ChangeVote = OnChange['vote'];

const WEIGHT: Readonly<Record<Signal['severity'], number>> = {
  critical: 6,
  high: 3,
  medium: 1,
  low: 0.3,
  info: 0,
};
/** From now on the change does not go in as it is: one high finding, or several medium ones. */
const CHANGES_FROM = 2;

function voteOn(signals: readonly Signal[]): { vote: ChangeVote; confidence: number } {
  const weight = signals.reduce((sum, { severity }) => sum + WEIGHT[severity], 0);
  const isChoice = signals.some(
    ({ ruleId }) => ruleId === 'decision-needed' || ruleId === 'contains-secret',
  );
  const vote = isChoice ? 'HUMAN' : weight >= CHANGES_FROM ? 'CHANGES' : 'APPROVE';
  const distance = Math.min(1, Math.abs(weight - CHANGES_FROM) / 4);
  return { vote, confidence: Math.round((0.5 + 0.4 * distance) * 20) / 20 };
}

/** A contributor's position on anything but an issue. */
export function takeChangePosition({ evidence, persona, notes }: OfflineBrief): OnChange {
  const own = evidence.signals.filter((signal) => isOwn(signal, persona));
  const news = own.filter(({ isKnown }) => isKnown !== true);
  const view = viewOf(persona);
  const lines = news.slice(0, 5).map((signal) => say(signal, view));
  return {
    skip: own.length === 0,
    ...voteOn(own),
    line: cutAtWord(bare(lines[0] ?? `still open: ${own[0]?.title ?? ''}`), 240),
    reasons: cutAtWord(lines.map((line) => `- ${line}`).join('\n'), 4000),
    findings: news
      .filter(({ severity }) => severity !== 'info')
      .slice(0, 10)
      .map((signal) => ({ ...signal, mark: markOf(signal, notes) }))
      .map(({ severity, title, evidence: seen, place, ruleId, mark }) => ({
        severity,
        title: cutAtWord(title, 300),
        evidence: `${cutAtWord(seen, 1150)}${mark}`,
        ruleId,
        ...(place === undefined ? {} : { place }),
      })),
    questions: [],
    // Rules made this position: none of them refutes another.
    refutes: [],
  };
}

/** The lead's verdict on anything but an issue: the facts, without ignoring a vote of the team. */
export function reachChangeVerdict({ evidence }: OfflineBrief): ChangeConclusion {
  const found = voteOn(evidence.signals);
  const against = evidence.positions.filter(({ vote }) => vote === 'CHANGES');
  const human = evidence.positions.filter(({ vote }) => vote === 'HUMAN');
  const vote = human.length > 0 ? 'HUMAN' : against.length > 0 ? 'CHANGES' : found.vote;
  const open = evidence.signals.filter(({ severity }) => severity !== 'info' && severity !== 'low');
  return {
    verdict: vote,
    confidence: found.confidence,
    headline: HEADLINES[vote](
      countSeverities(evidence.signals.filter(({ severity }) => severity !== 'info')),
    ),
    reasons: cutAtWord(
      [
        ...open.slice(0, 6).map((signal) => `- ${say(signal, 'architecture')}`),
        ...whoLine(against, human),
      ].join('\n') ||
        `- Nothing was found in ${list(evidence.files.slice(0, 3).map(({ path }) => codeSpan(path))) || 'what was read'} that stands in the way.`,
      4000,
    ),
    changes:
      vote === 'CHANGES'
        ? open.slice(0, 10).map((signal) => ({
            text: cutAtWord(
              `${signal.title}${at(signal)}${signal.suggestion === undefined ? '' : ` Needed: ${signal.suggestion}.`}`,
              600,
            ),
            ...(signal.place === undefined ? {} : { place: signal.place }),
          }))
        : [],
    ...(vote === 'HUMAN' ? { question: questionOf(evidence.decision?.question, open) } : {}),
    anotherRound: false,
  };
}

const HEADLINES: Readonly<Record<ChangeVote, (counts: string) => string>> = {
  APPROVE: (counts) => (counts === '' ? 'no open findings' : counts),
  CHANGES: (counts) => (counts === '' ? 'the team wants changes' : counts),
  HUMAN: () => 'a person decides',
};

type Said = OfflineBrief['evidence']['positions'];

function whoLine(against: Said, human: Said): string[] {
  return [...against, ...human].slice(0, 3).map(({ handle, line }) => `- ${handle}: ${line}`);
}

function questionOf(question: string | undefined, open: readonly Signal[]): string {
  return cutAtWord(
    question ?? `${open[0]?.title ?? 'The team does not agree.'} Should it go ahead?`,
    600,
  );
}
