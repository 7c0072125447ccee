/** What the code watch found, for people at a terminal: worth an issue first, then what is not, then what was left out. */
import { costOf } from '../../../decide/discussion/render/render-run.ts';
import type { Run } from '../../../domain/run/state/run-record.ts';
import type { WatchedCandidate, WatchState } from '../../../domain/repository/watched-code.ts';
import type { Io } from '../terminal/io.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { counted } from '../../../domain/text/counted.ts';
import { withoutControls } from '../review/frame.ts';
import { paintSeverity } from '../review/render-review.ts';
import { wrap } from '../terminal/table.ts';

const INDENT = 4;
const MAX_PLACES = 5;
const MAX_KINDS = 8;

interface Scope {
  paint: Paint;
  columns: number;
}

export function renderWatch(run: Run<'code_watch'>, watch: WatchState, io: Io): string {
  const scope: Scope = { paint: createPaint(io), columns: io.columns };
  const { candidates } = watch;
  const groups: [string, WatchedCandidate[]][] = [
    ['Worth an issue', candidates.filter(({ judgement }) => judgement?.word === 'APPROVE')],
    ['You decide', candidates.filter(({ judgement }) => judgement?.word === 'HUMAN')],
    [
      'Judged, and not worth one',
      candidates.filter(({ judgement }) => judgement?.word === 'CHANGES'),
    ],
    ['Judged by nobody', candidates.filter(({ judgement }) => judgement === undefined)],
  ];
  const parts = groups
    .filter(([, group]) => group.length > 0)
    .map(([title, group]) =>
      [scope.paint.bold(title), ...group.map((each) => renderOne(each, scope))].join('\n\n'),
    );
  const nothing = candidates.length === 0 ? ['Nothing worth raising.'] : [];
  return `\n${[...parts, ...nothing, renderEnd(run, watch, scope)].join('\n\n')}\n`;
}

function renderOne({ candidate, judgement, failure }: WatchedCandidate, scope: Scope): string {
  const { paint, columns } = scope;
  const { severity, title, places, ruleId, certainty, personas, step } = candidate;
  const told = (text: string): string[] =>
    wrap(withoutControls(text.replaceAll(/\s+/g, ' ')), columns - INDENT).map(
      (line) => ' '.repeat(INDENT) + line,
    );
  const isSpecific = new Set(places.map((place) => place.title)).size > 1;
  const shown = places.slice(0, MAX_PLACES).flatMap(({ path, line, title: own, evidence }) =>
    // Wrapped by words, so that the place stays whole.
    told(`${path}:${line} ${isSpecific ? own : evidence}`),
  );
  const more = places.length - MAX_PLACES;
  const isWorth = judgement?.word === 'APPROVE';
  return [
    `  ${paintSeverity(severity, paint)}  ${withoutControls(title)}`,
    ...shown,
    ...(more > 0 ? [paint.dim(`${' '.repeat(INDENT)}and ${more} more`)] : []),
    ...told(judgement?.question ?? judgement?.reasons ?? failure ?? ''),
    ...(isWorth ? told(`Smallest step: ${judgement?.step ?? step}`) : []),
    paint.dim(
      `${' '.repeat(INDENT)}${personas.join(', ')} · ${ruleId} · sure ${certainty.toFixed(1)}`,
    ),
  ]
    .filter((line) => line.trim() !== '')
    .join('\n');
}

function renderEnd(run: Run<'code_watch'>, watch: WatchState, { paint, columns }: Scope): string {
  const rest = watch.left.reduce((sum, { count }) => sum + count, 0);
  const kinds = watch.left.slice(0, MAX_KINDS).map(({ ruleId, count }) => `${count} ${ruleId}`);
  const judged = watch.candidates.filter(({ judgement }) => judgement !== undefined).length;
  const lines = [
    ...run.lookedAt.notRead.map((each) => `Not read: ${withoutControls(each)}`),
    rest === 0
      ? ''
      : `${rest} more below the best: ${kinds.join(', ')}${watch.left.length > MAX_KINDS ? ' …' : ''}`,
    [
      `${counted(judged, 'candidate')} judged in ${counted(watch.files, 'file')}`,
      run.isOffline ? 'offline rules, no model' : (run.model ?? 'no model'),
      costOf(run),
      'nothing was opened',
    ].join(' · '),
  ];
  return lines
    .filter((line) => line !== '')
    .flatMap((line) => wrap(line, columns))
    .map((line) => paint.dim(line))
    .join('\n');
}
