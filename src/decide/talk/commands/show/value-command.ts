/** The value meter (03): what the council changed and what that cost, and how often people found each voice right. */
import type { TeamRun } from '../../../../domain/run/state/run-record.ts';
import {
  acceptedShare,
  judgedOf,
  mutedOf,
  type Counts,
} from '../../../../domain/review/precision.ts';
import type { TalkView } from '../../../../domain/run/talk.ts';
import { asCode, inCell, money } from '../../../run/command-context.ts';

export function renderValue(view: TalkView): string {
  return [changes(view), voices(view), rules(view)].filter((part) => part !== '').join('\n\n');
}

function changes({ meter: { runs, changedRuns, costUsd } }: TalkView): string {
  if (runs === 0) return '';
  const each =
    changedRuns === 0 ? '' : `, ${money(costUsd / changedRuns)} for each verdict that it changed`;
  return `Value: the council changed ${changedRuns} of ${runs} verdicts for ${money(costUsd)}${each}.`;
}

function voices(view: TalkView): string {
  const muted = mutedIn(view);
  const rows = countsOf(view, 'persona').map(([handle, counts]) => {
    const { accepted, declined, ignored } = counts;
    const quiet = muted.has(`persona:${handle}`) ? ', muted below high' : '';
    return `| ${inCell(handle)} | ${accepted} | ${declined} | ${ignored} | ${share(counts)}${quiet} |`;
  });
  if (rows.length === 0) return '';
  const head = [
    '| voice | accepted | declined | no reaction | people accepted |',
    '|---|---|---|---|---|',
  ];
  return ['Findings of the last six months, as people judged them:', '', ...head, ...rows].join(
    '\n',
  );
}

/** There are many; those that went quiet matter. */
function rules(view: TalkView): string {
  const muted = mutedIn(view);
  const quiet = countsOf(view, 'rule').filter(([rule]) => muted.has(`rule:${rule}`));
  if (quiet.length === 0) return '';
  const words = quiet.map(
    ([rule, counts]) => `${asCode(rule)} (${counts.accepted} of ${judgedOf(counts)} accepted)`,
  );
  return `Rules muted below high: ${words.join(', ')}.`;
}

/** In a line, of those who took part in a review; empty when nobody was judged. */
export function renderVoices(run: TeamRun, view: TalkView): string {
  const muted = mutedIn(view);
  const all = run.lead === undefined ? run.participants : [run.lead, ...run.participants];
  const words = all.flatMap(({ handle, name }) => {
    const counts = view.tally[`persona:${handle}`];
    if (counts === undefined || acceptedShare(counts) === undefined) return [];
    const quiet = muted.has(`persona:${handle}`) ? ', muted below high' : '';
    return [`${name} ${share(counts)}${quiet}`];
  });
  return words.length === 0 ? '' : `Findings that people here accepted: ${words.join('; ')}.`;
}

function mutedIn({ tally, config }: TalkView): Set<string> {
  const { muteBelow: below, muteAfter: after } = config.review;
  return new Set(mutedOf(tally, { below, after }).map(({ subject }) => subject));
}

function countsOf({ tally }: TalkView, kind: 'persona' | 'rule'): [string, Counts][] {
  return Object.entries(tally)
    .filter(
      ([subject, counts]) => subject.startsWith(`${kind}:`) && acceptedShare(counts) !== undefined,
    )
    .map(([subject, counts]): [string, Counts] => [subject.slice(kind.length + 1), counts])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function share(counts: Counts): string {
  const part = acceptedShare(counts) ?? 0;
  const raised = judgedOf(counts) + counts.ignored;
  return `${counts.accepted} of ${raised} (${Math.round(part * 100)} %)`;
}
