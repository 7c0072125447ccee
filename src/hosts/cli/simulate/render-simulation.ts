/** A simulation as people read it: a block for each pull request, worst findings first, then the sum. */
import { compareFindings, countSeverities, type Finding } from '../../../domain/review/finding.ts';
import type { Io } from '../terminal/io.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { counted } from '../../../domain/text/counted.ts';
import { withoutControls } from '../review/frame.ts';
import { VERDICT_WORDS } from '../review/render-review.ts';
import { cutToWidth, wrap } from '../terminal/table.ts';
import { sumUp, type SimulatedPull, type Simulation } from './sum-up.ts';

/** Findings of one pull request that are shown; the others are counted. */
const MAX_FINDINGS = 6;

interface Page {
  paint: Paint;
  columns: number;
}

export function renderSimulation(
  simulation: Simulation,
  io: Pick<Io, 'isTty' | 'env' | 'columns'>,
): string {
  const { branch, pulls } = simulation;
  if (pulls.length === 0)
    return `No commit of ${branch} names a pull request. With --every-commit each commit counts as one.\n`;
  const page: Page = { paint: createPaint(io), columns: io.columns };
  return `\n${[...pulls.map((pull) => renderPull(pull, page)), renderSum(simulation, page)].join('\n\n')}\n`;
}

function renderPull(simulated: SimulatedPull, { paint, columns }: Page): string {
  const { pull, changedLines, review, error, estimatedUsd } = simulated;
  const name = pull.number === undefined ? pull.sha.slice(0, 8) : `#${pull.number}`;
  const title = paint.bold(cutToWidth(withoutControls(`${name}  ${pull.title}`), columns));
  const size = counted(changedLines, 'changed line');
  if (review === undefined)
    return `${title}\n  ${paint.red('could not be reviewed')}: ${error?.message ?? ''} [${error?.code ?? ''}]`;
  const { verdict, findings } = review;
  const cost = `about ${dollars(estimatedUsd)}`;
  const shown = findings.toSorted(compareFindings).slice(0, MAX_FINDINGS);
  const more = findings.length - shown.length;
  return [
    title,
    `  ${VERDICT_WORDS[verdict]} · ${countSeverities(findings) || 'no findings'} · ${size} · ${cost}`,
    ...shown.flatMap((finding) => renderFinding(finding, { paint, columns })),
    ...(more > 0 ? [paint.dim(`    and ${more} more`)] : []),
  ].join('\n');
}

function renderFinding({ severity, path, line, title, ruleId }: Finding, page: Page): string[] {
  const text = withoutControls(`${severity}  ${path}:${line}  ${title}`);
  const lines = wrap(`    ${text}`, page.columns);
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ''} ${page.paint.dim(ruleId)}`];
}

function renderSum(simulation: Simulation, { paint, columns }: Page): string {
  const { branch, pulls, models } = simulation;
  const { findings, estimatedUsd, atMostUsd } = sumUp(simulation);
  const failed = pulls.filter(({ review }) => review === undefined).length;
  const text = [
    `${counted(pulls.length, 'pull request')} of ${branch}`,
    counted(findings, 'finding'),
    ...(failed > 0 ? [`${failed} could not be reviewed`] : []),
    `about ${dollars(estimatedUsd)} and at most ${dollars(atMostUsd)} with ${models.join(' and ')}`,
    'offline rules, no model was asked, nothing was written',
  ].join(' · ');
  return wrap(text, columns)
    .map((line) => paint.dim(line))
    .join('\n');
}

function dollars(usd: number | null): string {
  return usd === null ? 'an unknown price' : `$${usd.toFixed(2)}`;
}
