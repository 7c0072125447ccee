/** Makes a task's commit and lets it through the gates; and tests what a merge would give. No token and no model here. */
import type { Config } from '../../domain/config/config.ts';
import type { EffectData } from '../../domain/event/effect.ts';
import { RefusedError } from '../../domain/event/errors.ts';
import type { TestCommand } from '../../domain/gates/test-command.ts';
import type { CommitWanted, RetestResult, VerifyResult } from '../../domain/task/task-effects.ts';
import { noreplyEmail } from '../../domain/github/noreply.ts';
import { knownCopyOf } from '../../domain/task/journal-copy.ts';
import type { Patch } from '../../domain/task/patch.ts';
import { toRepositoryRef, type ThreadRef } from '../../domain/run/thread-ref.ts';
import type { Worktree } from '../../ports/git.ts';
import type { CountBase } from './base-tests.ts';
import type { ActPorts, Performed } from '../ports.ts';
import type { FillProject } from './coder/project.ts';
import type { ReadSettings } from '../settings/read-settings.ts';
import { settingsNow } from '../read/survey.ts';
import type { ConcurrencyLimit } from './coder/concurrency-limit.ts';
import { commandsOf, prove, runTests, sign, signingOf } from './gates.ts';
import { whileHeld } from './lease/hold.ts';
import { workAt, requireCodingRuntime } from './coder/coding-runtime.ts';

interface Context {
  ports: ActPorts;
  readSettings: ReadSettings;
  fillProject: FillProject;
  turns: ConcurrencyLimit;
  run: string;
}

interface Verifying extends Context {
  countBase: CountBase;
}

interface Working {
  config: Config;
  /** The signal that stops the work. */
  signal: AbortSignal;
}

/** As `code` may bring it. */
export const MAX_PATCH_BYTES = 4_000_000;

type Verify = Extract<EffectData, { kind: 'verify' }>;

/** A commit of the task, and what the gates that need no network to GitHub say of it. */
export async function verifyTask(data: Verify, context: Verifying): Promise<Performed<'verify'>> {
  const { ports, run } = context;
  const session = workAt(ports, data.thread);
  const { config } = await settingsNow(data.thread, session, context);
  const result = await whileHeld(data, { ports, session, run }, (signal) =>
    verifyIn(data, context, { config, signal }),
  );
  const told = config.journal.enabled ? result : { ...result, isJournalOff: true as const };
  return { effectKind: 'verify', result: told, githubCalls: session.counts };
}

async function verifyIn(data: Verify, context: Verifying, working: Working): Promise<VerifyResult> {
  const found = await commandsOf(toRepositoryRef(data.thread), {
    git: requireCodingRuntime(context.ports).git,
    baseSha: data.baseSha,
    config: working.config,
  });
  return context.turns.build(found.type, async () => {
    const at = { ...working, found };
    if (data.isRebuilt !== true) return proveIn(data, context, at);
    const rebuilt = await rebuild(data, working.config.coder.worktreeLimitMb, context.ports);
    if ('conflict' in rebuilt) return { headSha: '', receipts: [], ...rebuilt };
    const change = { ...data.commit.change, ...rebuilt };
    const commit = { ...data.commit, change };
    return { ...(await proveIn({ ...data, commit }, context, at)), rebuilt };
  });
}

/** The commit as it was is merged into the base as it is now: what that changes there is the change from now on. */
async function rebuild(
  data: Verify,
  limitMb: number,
  ports: ActPorts,
): Promise<NonNullable<VerifyResult['rebuilt']> | { conflict: string[] }> {
  const { worktree } = await makeCommit(data, limitMb, ports);
  const { headSha: head } = await worktree.facts();
  await worktree.close();
  const { baseSha: base, thread, task } = data;
  const { git } = requireCodingRuntime(ports);
  const merged = await git.merge(toRepositoryRef(thread), { base, head });
  if (merged.outcome === 'conflict') return { conflict: merged.paths };
  const change = await merged.change(MAX_PATCH_BYTES);
  if (change !== undefined && change.patch !== '')
    return { from: base, ...change, ...knownCopyOf(change, { plan: thread, task }) };
  throw new RefusedError({
    code: 'patch-refused',
    message: `Nothing that can be pushed is left of the change on ${base.slice(0, 12)}.`,
  });
}

async function proveIn(
  data: Verify,
  { ports, fillProject, countBase }: Verifying,
  { config, signal, found }: Working & { found: TestCommand },
): Promise<VerifyResult> {
  const { thread, commit, task } = data;
  const { worktree, patch } = await makeCommit(data, config.coder.worktreeLimitMb, ports);
  try {
    const wanted = {
      branch: data.branch,
      baseSha: commit.change.from,
      author: await authorOf(ports),
      task: { number: task, title: commit.title },
      taskTrailer: `${thread.number}/${task}`,
      coAuthors: [commit.coAuthor],
    };
    const about = { name: data.name, branch: data.branch, baseSha: data.baseSha, found, config };
    const repository = toRepositoryRef(thread);
    const changed = patch.files.flatMap(({ path, from = path }) => [path, from]);
    const judged = await prove(
      {
        repository,
        worktree,
        fill: () => fillProject(worktree, { ...about, repository, changed, signal }),
        patch,
        commands: requireCodingRuntime(ports).commands(config.coder),
        found,
        config,
        wanted,
        scope: data.scope,
        journal: commit.change.journal,
        accepted: data.acceptsNoTests,
        before: () => countBase(repository, { ...about, signal }),
        signal,
      },
      ports,
    );
    const { headSha } = await worktree.facts();
    const of = { headSha, baseSha: data.baseSha, at: ports.clock.now() };
    return { headSha, receipts: sign(judged, of, signingOf(ports, data)) };
  } finally {
    await worktree.close();
  }
}

interface Made {
  thread: ThreadRef;
  branch: string;
  name: string;
  commit: CommitWanted;
}

/** A fresh worktree with the task's commit in it. The same change gives the same commit, wherever it is made. */
export async function makeCommit(
  { thread, branch, name, commit }: Made,
  limitMb: number,
  ports: ActPorts,
): Promise<{ worktree: Worktree; patch: Patch }> {
  const { git } = requireCodingRuntime(ports);
  const { change, message, at } = commit;
  const worktree = await git.open(toRepositoryRef(thread), {
    name: `${name}-gates`,
    branch,
    sha: change.from,
    limitMb,
  });
  const applied = await worktree.apply(change.patch);
  if (applied.outcome === 'applied') {
    const patch = await worktree.patch({ maxBytes: MAX_PATCH_BYTES });
    await worktree.commit({ message, author: await authorOf(ports), at });
    return { worktree, patch };
  }
  await worktree.close();
  throw new RefusedError({
    code: 'patch-refused',
    message: `The change does not apply where it was made: ${applied.reason}`,
  });
}

/** Commits are by the App's own account, as GitHub shows it. */
async function authorOf({ github }: ActPorts): Promise<{ name: string; email: string }> {
  const { id, login } = await github.app.self();
  return { name: login, email: noreplyEmail({ id, login }, github.accountHost) };
}

type Retest = Extract<EffectData, { kind: 'retest' }>;

/** The rule that the tested tree is the merged tree. */
export async function retestMerge(data: Retest, context: Context): Promise<Performed<'retest'>> {
  const { ports, run } = context;
  const session = workAt(ports, data.thread);
  const { config } = await settingsNow(data.thread, session, context);
  const holding = { ports, session, run, hasPull: true } as const;
  const result = await whileHeld(data, holding, (signal) =>
    retestIn(data, context, { config, signal }),
  );
  return { effectKind: 'retest', result, githubCalls: session.counts };
}

async function retestIn(
  data: Retest,
  context: Context,
  { config, signal }: Working,
): Promise<RetestResult> {
  const { git } = requireCodingRuntime(context.ports);
  const repository = toRepositoryRef(data.thread);
  const { headSha, baseSha } = data;
  const merged = await git.merge(repository, { base: baseSha, head: headSha });
  if (merged.outcome === 'conflict') return { outcome: 'conflict', baseSha, paths: merged.paths };
  const found = await commandsOf(repository, { git, baseSha, config });
  const { commit } = merged;
  return context.turns.build(found.type, () =>
    testMerged(data, context, { config, signal, found, commit }),
  );
}

async function testMerged(
  data: Retest,
  { ports, fillProject }: Context,
  { config, signal, found, commit }: Working & { found: TestCommand; commit: string },
): Promise<RetestResult> {
  const runtime = requireCodingRuntime(ports);
  const repository = toRepositoryRef(data.thread);
  const { headSha, baseSha } = data;
  const worktree = await runtime.git.open(repository, {
    name: `${data.name}-merge`,
    branch: data.branch,
    sha: commit,
    limitMb: config.coder.worktreeLimitMb,
  });
  try {
    const { name, branch } = data;
    const wanted = { name, branch, baseSha, found, config, repository, changed: [], signal };
    const judgement = await runTests({
      worktree,
      fill: () => fillProject(worktree, wanted),
      commands: runtime.commands(config.coder),
      found,
      config,
      accepted: data.acceptsNoTests,
      signal,
    });
    const about = { headSha, baseSha, at: ports.clock.now() };
    const [receipt] = sign([judgement], about, signingOf(ports, data));
    if (receipt === undefined) throw new Error('the tests gave no receipt');
    return { outcome: 'tested', baseSha, receipt };
  } finally {
    await worktree.close();
  }
}
