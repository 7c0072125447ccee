/** The gates as this machine carries them out: what the branch looks like, and what the repository's own tests say. */
import { RefusedError } from '../../domain/event/errors.ts';
import type { Config } from '../../domain/config/config.ts';
import { judgeBranch, judgeChanges, type BranchWanted } from '../../policy/gates/judge-branch.ts';
import { approvedPaths } from '../../domain/gates/protected-paths.ts';
import { judgeScope, manifestsIn, type Manifest } from '../../policy/gates/judge-scope.ts';
import { judgeTestRun } from '../../policy/gates/judge-tests.ts';
import {
  signReceipt,
  type GateReceipt,
  type Judgement,
  type Signing,
} from '../../domain/gates/receipt.ts';
import type { TestCounts } from '../../domain/gates/test-counts.ts';
import {
  findTestCommand,
  TEXTS_WANTED,
  type TestCommand,
} from '../../domain/gates/test-command.ts';
import type { DetectSecrets } from '../../domain/secrets/secret-text.ts';
import { withoutJournalCopy } from '../../domain/task/journal-copy.ts';
import { taskKey } from '../../domain/task/task.ts';
import type { Patch } from '../../domain/task/patch.ts';
import type { RepositoryRef, ThreadRef } from '../../domain/run/thread-ref.ts';
import type { CommandResult, Commands } from '../../ports/commands.ts';
import type { Git, Worktree } from '../../ports/git.ts';
import type { ActPorts } from '../ports.ts';
import type { Project } from './coder/project.ts';
import { requireCodingRuntime } from './coder/coding-runtime.ts';

const MAX_TEXT_CHARS = 64 * 1024;

export function signingOf(
  { markerSecret }: ActPorts,
  { thread, task }: { thread: ThreadRef; task: number },
): Signing {
  return { secret: markerSecret, scope: taskKey({ plan: thread, task }) };
}

/** The commands of the base, never of the branch: a task cannot choose what proves it. */
export async function commandsOf(
  ref: RepositoryRef,
  { git, baseSha, config }: { git: Git; baseSha: string; config: Config },
): Promise<TestCommand> {
  const base = await git.read(ref, baseSha);
  const paths = (await base.paths('')).split('\n');
  const { testCommand } = config.gates;
  const { initCommand } = config.coder;
  const wanted = TEXTS_WANTED.filter((path) => paths.includes(path));
  const texts: Record<string, string> = {};
  for (const path of wanted) texts[path] = (await base.file(path)).slice(0, MAX_TEXT_CHARS);
  return findTestCommand({ paths, texts }, { testCommand, initCommand });
}

export interface Proving {
  repository: RepositoryRef;
  worktree: Worktree;
  /** Puts into the worktree what the project needs. */
  fill: () => Promise<Project>;
  patch: Patch;
  commands: Commands;
  found: TestCommand;
  config: Config;
  wanted: Omit<BranchWanted, 'approvedPaths'>;
  scope: readonly string[];
  /** The copy of the journal that Quorum put in. Only what it says is judged. */
  journal?: string | undefined;
  /** Who accepts that nothing is tested, as people read it. */
  accepted: string | undefined;
  /** What the same tests count at the base. */
  before?: () => Promise<TestCounts | undefined>;
  /** Ends the tests at once, with an error. */
  signal: AbortSignal;
}

/** Gates P, S, 1 and 2, in this order; the first that does not pass is the last that is asked. */
export async function prove(proving: Proving, ports: ActPorts): Promise<Judgement[]> {
  const facts = await proving.worktree.facts();
  const { config, patch, scope } = proving;
  // Each file that the approved text names was said yes to.
  const approved = approvedPaths(scope);
  const wanted = { ...proving.wanted, approvedPaths: approved };
  const asked: (() => Judgement | Promise<Judgement>)[] = [
    () => judgeBranch(facts, wanted),
    async () =>
      judgeScope(
        { ...patch, files: withoutJournalCopy(patch.files, proving.journal) },
        {
          manifests: await manifestsOf(proving, { headSha: facts.headSha, ports }),
          planned: scope,
          paths: config.paths,
          approvedPaths: approved,
          maxChangedLines: config.gates.maxChangedLines,
          maxBinaryKb: config.gates.maxBinaryKb,
        },
        detectorOf(ports),
      ),
    () => judgeChanges(facts, wanted),
    () => judgeTests(proving, { headSha: facts.headSha, ports }),
  ];
  const judged: Judgement[] = [];
  for (const ask of asked) {
    const judgement = await ask();
    judged.push(judgement);
    if (judgement.result !== 'passed') break;
  }
  return judged;
}

/** Gate 2, or what another machine says of it for this very head. */
async function judgeTests(
  proving: Proving,
  { headSha, ports }: { headSha: string; ports: ActPorts },
): Promise<Judgement> {
  const { tested } = requireCodingRuntime(ports).known ?? {};
  if (tested === undefined) return runTests(proving);
  if (tested.headSha === headSha) return tested.judgement;
  throw new RefusedError({
    code: 'head-differs',
    message: `The commit came out as ${headSha.slice(0, 12)}, not as ${tested.headSha.slice(0, 12)}, which was tested.`,
  });
}

/** As they are in the commits: a link in the folder leads nowhere here. */
async function manifestsOf(
  { repository, worktree, patch }: Proving,
  { headSha, ports }: { headSha: string; ports: ActPorts },
): Promise<Manifest[]> {
  const paths = manifestsIn(patch);
  if (paths.length === 0) return [];
  const head = await requireCodingRuntime(ports).git.read(repository, headSha);
  const read = async (path: string): Promise<Manifest> => ({
    path,
    before: await worktree.base.file(path),
    after: await head.file(path),
  });
  return Promise.all(paths.map(read));
}

/** Fails closed: without a detector nothing is known to hold no secret. */
function detectorOf({ detectSecrets }: ActPorts): DetectSecrets {
  if (detectSecrets !== undefined) return detectSecrets;
  throw new RefusedError({
    code: 'no-detector',
    message: 'Nothing here can tell whether a change holds a credential.',
  });
}

type Testing = Omit<Proving, 'repository' | 'patch' | 'wanted' | 'scope'>;

/** Gate 2: what the project needs with the network and without scripts, then its tests without either. */
export async function runTests(testing: Testing): Promise<Judgement> {
  const { found, config, accepted, before } = testing;
  const { test: command } = found;
  const may = config.gates.tests === 'none' ? 'the configuration (`gates.tests: none`)' : accepted;
  if (command === undefined)
    return judgeTestRun({ command, ended: undefined, before: undefined, accepted: may });
  // First: two worktrees are never filled at once, and what was counted is not lost to a later retry.
  const earlier = await before?.();
  const ended = await fillAndRun(command, testing);
  if ('gate' in ended) return ended;
  return judgeTestRun({ command, ended, before: earlier, accepted: may });
}

async function fillAndRun(
  command: string,
  { worktree, fill, commands, config, signal }: Testing,
): Promise<CommandResult | Judgement> {
  const project = await fill().catch(toUnready);
  if ('gate' in project) return project;
  return commands.run(
    {
      ...project,
      folder: worktree.folder,
      script: command,
      timeoutMs: config.gates.testTimeoutSeconds * 1000,
      network: config.gates.testNetwork,
    },
    signal,
  );
}

/** What could not be installed could not be tested: an outcome of this gate, not of the machine. */
function toUnready(error: unknown): Judgement {
  if (!(error instanceof RefusedError) || error.code !== 'project-not-ready') throw error;
  return { gate: '2', result: 'failed', sentence: error.message, flags: [] };
}

export function sign(
  judged: readonly Judgement[],
  about: { headSha: string; baseSha?: string; at: number },
  signing: Signing,
): GateReceipt[] {
  const of = { ...about, at: new Date(about.at).toISOString() };
  return judged.map((judgement) => signReceipt(judgement, of, signing));
}
