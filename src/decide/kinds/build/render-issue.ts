/** The issue of a failure on the default branch: what code alone can say, brought up to date with each red run. */
import type { BuildPlace, BuildRun } from '../../../domain/build/build.ts';
import type { BuildView, FailedName } from '../../../domain/build/build-view.ts';
import { codeSpan } from '../../../domain/text/code-span.ts';
import { cleanOutput } from '../../../domain/text/clean-output.ts';

const MAX_ROWS = 20;

/** Anyone who may change the workflow writes the names of workflows and jobs, so these are shown as code. */
export function renderIssue(
  { branch }: Extract<BuildPlace, { kind: 'branch' }>,
  view: BuildView,
): { title: string; body: string } {
  const [newest] = view.runs;
  const name = newest?.name ?? 'The build';
  const body = [
    `${codeSpan(name)} fails on ${codeSpan(branch)}: ${runLink(newest, view.repository.fullName)}.`,
    failedTable(view.failed),
    since(view),
    'The team’s findings are below and kept up to date. Quorum closes this issue when the build passes again, unless somebody has commented here.',
  ];
  return {
    title: `${plain(name)} fails on ${plain(branch)}`.slice(0, 200),
    body: cleanOutput(body.filter((part) => part !== '').join('\n\n'), {
      repository: view.repository.fullName,
      host: view.repository.host,
    }).text,
  };
}

/** A title is no Markdown, and still pings nobody. */
function plain(text: string): string {
  return text.replaceAll(/[@#`<>\p{Cc}]/gu, '').trim();
}

/** A run with its commit. Addresses are of this server and repository; those of other services are not linked. */
export function runLink(run: BuildRun | undefined, fullName: string): string {
  if (run === undefined) return 'see the checks';
  const isOurs = run.source.kind === 'workflow';
  const shown = isOurs
    ? `[run ${run.number}](/${fullName}/actions/runs/${run.id})`
    : codeSpan(run.name);
  return `${shown} at \`${run.headSha.slice(0, 7)}\``;
}

function failedTable(failed: readonly FailedName[]): string {
  if (failed.length === 0) return '';
  const rows = failed.slice(0, MAX_ROWS).map(({ name, conclusion, steps }) => {
    const cells = [name, conclusion, steps.join(', ')].map((cell) => inCell(cell));
    return `| ${cells.join(' | ')} |`;
  });
  const more = failed.length > MAX_ROWS ? [`\nand ${failed.length - MAX_ROWS} more`] : [];
  return ['| job | ended as | step |', '|---|---|---|', ...rows, ...more].join('\n');
}

function inCell(text: string): string {
  return codeSpan(text.replaceAll('|', '/'));
}

function since({ runs, green, repository }: BuildView): string {
  const times = runs.length > 1 ? `Red ${runs.length} times in a row. ` : '';
  return green === undefined
    ? `${times}No green run of it is known.`
    : `${times}Last green: ${runLink(green, repository.fullName)}.`;
}
