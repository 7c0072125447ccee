/** A kind of run for tests: it repeats the title of an issue in a comment. One folder, and three edits of the sources. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const COPIED = [
  'src',
  'personas',
  'app.yml',
  'tsconfig.json',
  'tsconfig.build.json',
  'package.json',
];
const FILE = 'src/decide/kinds/echo/echo.ts';

const ECHO = `/** Repeats the title of an issue in a comment. */
import { cancelRun } from '../../discussion/listen-to-people.ts';
import { asCode } from '../../run/command-context.ts';
import { emitEffect } from '../../run/decision.ts';
import { endRun } from '../../run/end-run.ts';
import { HANDLED, ignore, type Outcome } from '../../run/outcome.ts';
import {
  isOpen,
  writeLane,
  type ResultData,
  type RunContext,
  type RunKind,
} from '../../run/thread-context.ts';

export const ECHO: RunKind<'echo'> = {
  name: 'Echo',
  label: 'echo',
  look: ({ thread, actor: { id, login } }) => ({ kind: 'look', thread, actor: { id, login } }),
  onEvent,
  show: () => undefined,
  end: () => undefined,
};

function onEvent(context: RunContext<'echo'>, data: ResultData): Outcome {
  const { run, step } = context;
  if (!isOpen(run)) return ignore('the run is over');
  if (data.kind === 'failed') return cancelRun(context, data.failure.code);
  if (data.kind === 'timer' || data.effectKind !== 'look') return HANDLED;
  const { thread } = run;
  const marker = { kind: 'run' as const, run: run.id, key: 'echo' };
  const body = asCode(data.result.view.issue.title);
  const order = { lane: writeLane(thread), isUnheard: true as const };
  emitEffect(step, { kind: 'comment', thread, marker, body, isNew: true }, order);
  run.status = 'consensus';
  endRun(context);
  return HANDLED;
}
`;

/** What is edited beside the folder: a file, what is there, and what takes its place. */
const EDITS = {
  'its trigger': [
    'src/domain/run/run-trigger.ts',
    "  'reflection',\n  'role_memory',",
    "  'reflection',\n  'echo',\n  'role_memory',",
  ],
  'what it keeps': [
    'src/domain/run/state/kind-state.ts',
    'chat_message: Discussing & IssueRunState;',
    'chat_message: Discussing & IssueRunState;\n  echo: { phase: RunPhase };',
  ],
  'its entry': [
    'src/decide/kinds/run-kinds.ts',
    '  code_watch: CODE_WATCH',
    '  echo: ECHO,\n  code_watch: CODE_WATCH',
  ],
} as const;

/** Part of the entry, in the same file. */
const IMPORT = [
  'import { CODE_WATCH }',
  "import { ECHO } from './echo/echo.ts';\nimport { CODE_WATCH }",
] as const;

export const PARTS = ['its folder', ...Object.keys(EDITS)];

/** Copies the sources and adds the kind, all but one part of it. */
export function copyWithEcho(leftOut?: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'quorum-kind-'));
  for (const name of COPIED)
    cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  if (leftOut !== 'its folder') {
    mkdirSync(path.dirname(path.join(folder, FILE)));
    writeFileSync(path.join(folder, FILE), ECHO);
  }
  for (const [part, [file, before, after]] of Object.entries(EDITS)) {
    if (part === leftOut) continue;
    replace(path.join(folder, file), [before, after]);
    if (part === 'its entry') replace(path.join(folder, file), IMPORT);
  }
  return folder;
}

function replace(file: string, [before, after]: readonly [string, string]): void {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(before)) throw new Error(`${file} has no ${before}`);
  writeFileSync(file, text.replace(before, after));
}
