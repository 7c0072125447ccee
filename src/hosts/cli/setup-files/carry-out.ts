/** The end that the three set-up commands share: show the changes, ask, make them, and say what was done. */
import { createTwoFilesPatch } from 'diff';
import { isChange, type FileChange, type FileStep } from '../../../domain/setup/plan-steps.ts';
import type { SetupOutcome, SetupTarget } from '../../../ports/setup-target.ts';
import type { SetupFlags } from './flags.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { createPaint } from '../terminal/paint.ts';

export interface Proposal {
  steps: readonly FileStep[];
  title: string;
  body: string;
  /** Said where no step changes anything. */
  nothing: string;
  /** The question before the changes. */
  question: string;
  /** Lines for people after the changes, or in a dry run. */
  next: readonly string[];
  /** Further keys of the JSON. */
  json: object;
  /** Whether it is not done without a terminal, unless `--yes` is given. */
  needsYes: boolean;
}

interface Call {
  flags: SetupFlags;
  io: Io;
}

export async function carryOut(
  target: SetupTarget,
  proposal: Proposal,
  call: Call,
): Promise<ExitCode> {
  const { flags, io } = call;
  const changes = proposal.steps.filter(isChange);
  tell(call, renderSteps(proposal.steps, { isDone: false, io }));
  if (changes.length === 0) {
    tell(call, `${proposal.nothing}\n`);
    return finish('nothing', proposal, call);
  }
  // With --json nobody reads a question.
  const prompts = flags.yes === true || flags.json === true ? undefined : await io.prompts?.();
  const isUnsure = proposal.needsYes && flags.yes !== true && prompts === undefined;
  if (flags.dryRun === true || isUnsure) {
    tell(call, renderDryRun(changes, proposal, call));
    return finish('dry-run', proposal, call);
  }
  if (
    prompts !== undefined &&
    !(await prompts.confirm({ message: proposal.question, initial: true }))
  ) {
    tell(call, 'Nothing was changed.\n');
    return EXIT.ok;
  }
  const { title, body } = proposal;
  const outcome = await target.apply({ steps: changes, title, body });
  tell(call, renderOutcome(outcome, changes, io));
  tell(call, `\nNext:\n${proposal.next.map((line) => `  ${line}\n`).join('')}`);
  return finish(outcome, proposal, call);
}

function tell({ flags, io }: Call, text: string): void {
  if (flags.json !== true) io.out(text);
}

function renderDryRun(
  changes: readonly FileChange[],
  { title, body }: Proposal,
  { flags, io }: Call,
): string {
  const pull = flags.pr === true ? `\nThe pull request would say:\n\n${title}\n\n${body}\n` : '';
  const end =
    flags.dryRun === true
      ? 'Dry run: nothing was changed.'
      : 'Nothing was changed. Add --yes to do it.';
  return `\n${renderDiffs(changes, io)}${pull}\n${end}\n`;
}

type Did = SetupOutcome | 'nothing' | 'dry-run';

function finish(did: Did, { steps, json, next }: Proposal, { flags, io }: Call): ExitCode {
  if (flags.json !== true) return EXIT.ok;
  const isPull = typeof did === 'object' && did.kind === 'pull';
  outJson(io, {
    ok: true,
    did: typeof did === 'string' ? did : did.kind === 'pull' ? did.did : 'written',
    files: steps.map((step) => ({
      path: step.path,
      step: step.kind,
      ...(isChange(step) ? { diff: diffOf(step) } : { why: step.why }),
    })),
    ...(isPull && { pull: { number: did.number, url: did.url } }),
    next,
    ...json,
  });
  return EXIT.ok;
}

const VERBS = {
  create: ['add', 'added'],
  update: ['change', 'changed'],
  delete: ['remove', 'removed'],
} as const;

function renderSteps(
  steps: readonly FileStep[],
  { isDone, io }: { isDone: boolean; io: Io },
): string {
  const paint = createPaint(io);
  return steps
    .map((step) => {
      if (!isChange(step))
        return `${paint.dim('keep'.padEnd(8))} ${step.path}${paint.dim(` (${step.why})`)}\n`;
      const verb = VERBS[step.kind][isDone ? 1 : 0];
      return `${paint.green(verb.padEnd(8))} ${step.path}\n`;
    })
    .join('');
}

function renderOutcome(outcome: SetupOutcome, changes: readonly FileChange[], io: Io): string {
  if (outcome.kind === 'written') return `\n${renderSteps(changes, { isDone: true, io })}`;
  const { number, url, did } = outcome;
  if (did === 'unchanged') return `\nPull request #${number} has these changes already: ${url}\n`;
  return `\nPull request #${number} ${did}: ${url}\n`;
}

function renderDiffs(changes: readonly FileChange[], io: Io): string {
  const paint = createPaint(io);
  return changes
    .map(diffOf)
    .join('')
    .split('\n')
    .map((line) => {
      if (/^(?:\+\+\+|---) /.test(line)) return paint.bold(line);
      if (line.startsWith('+')) return paint.green(line);
      return line.startsWith('-') ? paint.red(line) : line;
    })
    .join('\n');
}

function diffOf(step: FileChange): string {
  const before = step.kind === 'create' ? '' : step.before;
  const after = step.kind === 'delete' ? '' : step.after;
  const from = step.kind === 'create' ? '/dev/null' : `a/${step.path}`;
  const to = step.kind === 'delete' ? '/dev/null' : `b/${step.path}`;
  return createTwoFilesPatch(from, to, before, after).replace(/^=+\n/, '');
}
