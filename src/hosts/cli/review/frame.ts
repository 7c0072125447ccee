/** The lines that a finding is about, as the diff shows them, with a line around. */
import type { Diff, DiffLine } from '../../../domain/diff/diff.ts';
import type { Finding } from '../../../domain/review/finding.ts';
import { replaceInvisible } from '../../../domain/text/invisible.ts';
import { redactSecrets } from '../../../domain/secrets/secret-text.ts';
import type { Paint } from '../terminal/paint.ts';
import { cutToWidth } from '../terminal/table.ts';

export interface FrameOptions {
  paint: Paint;
  columns: number;
  indent: number;
  /** Lines of {@link secretPlaces}: their values are not printed, whatever the finding is about. */
  secret: ReadonlySet<string>;
}

const AROUND = 1;
const MAX_LINES = 8;
/** Rules about values that must not be printed again. */
const HOLDS_SECRET = /^(?:secret-in-code|hard-coded-password|env-file-added|key-file-added)$/;
// Control characters would move the cursor or change colours of the terminal that shows them.
const CONTROL = /\p{Cc}/gu;

/** The lines on which rules saw a credential. */
export function secretPlaces(findings: readonly Finding[]): ReadonlySet<string> {
  const holding = findings.filter(({ ruleId }) => HOLDS_SECRET.test(ruleId));
  return new Set(holding.map(({ path, line }) => placeKey(path, line)));
}

function placeKey(path: string, line: number): string {
  return `${path}:${line}`;
}

/** Undefined where the diff does not show the line. */
export function renderCodeFrame(
  finding: Finding,
  diff: Diff,
  { paint, columns, indent, secret }: FrameOptions,
): string | undefined {
  if (finding.scope !== 'line') return undefined;
  const { line, endLine = line } = finding;
  const shown = linesOf(finding, diff).filter(
    ({ at }) => at >= line - AROUND && at <= endLine + AROUND,
  );
  if (!shown.some(({ at }) => at === line)) return undefined;
  const width = String(endLine + AROUND).length;
  const room = columns - indent - width - 6;
  const render = ({ at, text }: Shown): string => {
    const isIt = at >= line && at <= endLine;
    const number = String(at).padStart(width);
    const isSecret = secret.has(placeKey(finding.path, at));
    const code = cutToWidth(toPrintable(text, isSecret), room);
    return isIt
      ? `${paint.red('>')} ${paint.bold(number)} │ ${code}`
      : paint.dim(`  ${number} │ ${code}`);
  };
  const lines = shown.slice(0, MAX_LINES).map(render);
  const hidden = shown.length - MAX_LINES;
  const more = hidden > 0 ? [paint.dim(`  ${' '.repeat(width)} │ … ${hidden} more`)] : [];
  const instead = renderSuggestion(finding, { paint, room, width });
  return [...lines, ...more, ...instead]
    .map((text) => ' '.repeat(indent) + text.trimEnd())
    .join('\n');
}

interface Shown {
  at: number;
  text: string;
}

function linesOf({ path, side }: Finding, { files }: Diff): Shown[] {
  const file = files.find((each) =>
    side === 'LEFT' ? (each.oldPath ?? each.path) === path : each.path === path,
  );
  const lines = file?.hunks.flatMap((hunk) => hunk.lines) ?? [];
  return lines.flatMap((line) => {
    const at = numberOn(side, line);
    return at === undefined ? [] : [{ at, text: line.text }];
  });
}

function numberOn(side: Finding['side'], line: DiffLine): number | undefined {
  if (side === 'LEFT') return line.kind === 'added' ? undefined : line.oldLine;
  return line.kind === 'removed' ? undefined : line.newLine;
}

function renderSuggestion(
  { suggestion }: Finding,
  { paint, room, width }: { paint: Paint; room: number; width: number },
): string[] {
  if (suggestion === undefined) return [];
  const sign = `  ${' '.repeat(width)} ${paint.green('+')} `;
  if (suggestion === '') return [`${sign}${paint.green('(delete it)')}`];
  return suggestion
    .split('\n')
    .slice(0, MAX_LINES)
    .map((text) => sign + paint.green(cutToWidth(withoutControls(text), room)));
}

/** Values that may be secrets: quoted, assigned, or not like a word. */
const VALUES = [
  /(?<=(["'`]))(?:(?!\1).){4,}(?=\1)/g,
  /(?<=[=:]\s{0,3})[^\s"'`]{4,}/g,
  /(?=\S{0,200}\d)[^\s"'`]{16,}/g,
];

/** What a rule says is a credential stays out of terminals and their logs. */
function toPrintable(text: string, isSecret: boolean): string {
  const safe = redactSecrets(text);
  return withoutControls(
    isSecret ? VALUES.reduce((kept, value) => kept.replaceAll(value, '…'), safe) : safe,
  );
}

/** Tabs become spaces and invisible characters a visible sign. */
export function withoutControls(text: string): string {
  const plain = text.replaceAll('\t', '  ').replaceAll(CONTROL, '�');
  return replaceInvisible(plain, () => '�');
}
