/** Lets a coder work on a task in a worktree, and brings back what it changed. It gets no token and pushes nothing. */
import type { EffectData } from '../../domain/effect.ts';
import type { ModelCall } from '../../domain/ledger.ts';
import type { CoderOutcome, CoderTask } from '../../domain/task/coder.ts';
import type { Exchange } from '../../domain/task/exchange.ts';
import { taskKey } from '../../domain/task/task.ts';
import { toRepositoryRef } from '../../domain/thread.ts';
import { isRecord } from '../../domain/yaml.ts';
import type { Config } from '../../domain/config.ts';
import type { BaseReader, Worktree } from '../../ports/git.ts';
import type { WorkSession } from '../../ports/work.ts';
import { renewLease } from './lease.ts';
import { answerCoder } from './answer-coder.ts';
import { withinCaps } from './coder-money.ts';
import type { ActPorts, Performed } from '../ports.ts';
import type { FillProject, Project } from './project.ts';
import { commandsOf } from './gates.ts';
import type { ReadSettings } from '../settings.ts';
import { settingsNow } from '../survey.ts';
import { MAX_PATCH_BYTES } from './verify.ts';
import { leasePlace, refuseLostLease, workAt, workshopOf } from './workshop.ts';

type Code = Extract<EffectData, { kind: 'code' }>;

interface Context {
  ports: ActPorts;
  readSettings: ReadSettings;
  fillProject: FillProject;
  run: string;
  effectId: string;
}

const GUIDES = ['AGENTS.md', 'CLAUDE.md'];

export async function codeTask(data: Code, context: Context): Promise<Performed<'code'>> {
  const { ports } = context;
  const shop = workshopOf(ports);
  const session = workAt(ports, data.thread);
  await refuseLostLease(data, session, ports);
  const { config, texts, facts } = await settingsNow(data.thread, session, {
    ...context,
    files: GUIDES,
  });
  const guide = texts.map(({ text }) => text);
  const wanted = toCoderTask(data, { config, run: context.run, guide });
  const coder = shop.coder(config.coder, { hasDiff: wanted.diff !== undefined });
  const worktree = await shop.git.open(toRepositoryRef(data.thread), {
    name: data.name,
    branch: data.branch,
    sha: data.from,
    limitMb: config.coder.worktreeLimitMb,
  });
  try {
    const project = coder.runsCommands
      ? await filled(worktree, data, { ...context, config, baseSha: facts.headSha })
      : undefined;
    const task = await takenUp(data, { task: wanted, worktree });
    const exchanges: Exchange[] = [];
    const ask = asker(data, { ...context, config, base: worktree.base, exchanges });
    const work = (usd: number, spent?: (call: ModelCall) => void): Promise<CoderOutcome> =>
      watched(data, { ...context, session }, (signal) => {
        const told = spent === undefined ? {} : { spent };
        const place = { ...worktree, ask, ...project, ...told };
        return coder.run({ ...task, limits: { ...task.limits, usd } }, place, signal);
      });
    const purse = { ...data, run: context.run, effectId: context.effectId };
    const report = coder.isPaid
      ? await withinCaps(purse, config, { ports, work })
      : await work(task.limits.usd);
    const changed = await changesIn(worktree, report);
    return {
      effectKind: 'code',
      result: { coder: coder.name, report: toKeep(report), ...changed, exchanges },
      githubCalls: session.counts,
    };
  } finally {
    await worktree.close();
  }
}

interface Filling extends Context {
  config: Config;
  baseSha: string;
}

/** Before anything of the task is there: whoever works in it tests with what the gates will test with. */
async function filled(
  worktree: Worktree,
  { thread, name, branch }: Code,
  { ports, fillProject, config, baseSha }: Filling,
): Promise<Project> {
  const repository = toRepositoryRef(thread);
  const { git } = workshopOf(ports);
  const found = await commandsOf(repository, { git, baseSha, config });
  return fillProject(worktree, { repository, baseSha, name, branch, found, config, changed: [] });
}

/** Only a session that waits for an answer is taken up again. */
function toKeep(report: CoderOutcome): CoderOutcome {
  return report.outcome === 'asked' ? report : { ...report, transcript: '' };
}

interface Hearing extends Context {
  config: Config;
  base: BaseReader;
  /** Grows by what is answered. */
  exchanges: Exchange[];
}

/** The PM hears every question first. */
function asker(
  { thread: plan }: Code,
  { ports, run, config, base, exchanges }: Hearing,
): (question: string) => Promise<string | undefined> {
  return async (question) => {
    const asking = { plan, run, config, base, nonce: ports.random.id() };
    const exchange = await answerCoder(question, asking, ports);
    if (exchange === undefined) return undefined;
    exchanges.push(exchange);
    return `${exchange.answer}\n\n(from ${exchange.source})`;
  };
}

/** A session goes on where it was left; where its change does not fit any more, the task begins anew with the answer. */
async function takenUp(
  { before }: Code,
  { task, worktree }: { task: CoderTask; worktree: Worktree },
): Promise<CoderTask> {
  if (before === undefined) return task;
  const { outcome } = await worktree.apply(before);
  if (outcome === 'applied') return task;
  const { resume: _, ...anew } = task;
  return anew;
}

/** Only of a coder that came to its end, or will go on: half a change is no change. */
async function changesIn(worktree: Worktree, { outcome }: CoderOutcome) {
  if (outcome !== 'done' && outcome !== 'asked') return { patch: '', isTooLarge: false, files: [] };
  const { text: patch, isTooLarge, files } = await worktree.patch({ maxBytes: MAX_PATCH_BYTES });
  return { patch, isTooLarge, files };
}

interface Given {
  config: Config;
  run: string;
  guide: string[];
}

function toCoderTask(data: Code, { config, run, guide }: Given): CoderTask {
  const { prompt, diff, attempt, resume } = data;
  const { maxTurns, timeoutMinutes, model } = config.coder;
  return {
    run,
    attempt,
    prompt,
    guide: guide.join('\n\n'),
    diff,
    model,
    limits: { turns: maxTurns, minutes: timeoutMinutes, usd: config.budget.coder.perThreadUsd },
    ...(resume === undefined ? {} : { resume }),
  };
}

/** How soon a person's stop is seen (06: dead within 5 s). */
const LOOK_MS = 500;

/**
 * Works on while the hold is renewed, and nobody has stopped it: in another process too, so the store is asked.
 */
async function watched<T>(
  data: Code,
  { ports, run, session }: Context & { session: WorkSession },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { clock, store } = ports;
  const stopping = new AbortController();
  const ended = new AbortController();
  const key = taskKey({ plan: data.thread, task: data.task });
  let renewed = clock.now();
  const look = async (): Promise<void> => {
    if (!isGoingOn((await store.load(key))?.state, run)) stopping.abort();
    if (clock.now() - renewed < data.leaseAt.lastsMs / 3) return;
    if (!(await renew(data, session, ports))) stopping.abort();
    renewed = clock.now();
  };
  const watch = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await clock.sleep(LOOK_MS, ended.signal).catch(() => undefined);
      // A store or a GitHub that is away for a moment ends neither the work nor the watch over it.
      if (!ended.signal.aborted) await look().catch(() => undefined);
      if (clock.now() - renewed > data.leaseAt.lastsMs) stopping.abort();
    }
  };
  const watching = watch();
  try {
    return await work(stopping.signal);
  } finally {
    ended.abort();
    await watching;
  }
}

/** Whether the stream's attempt is still this one, and nobody has stopped it. */
function isGoingOn(state: unknown, run: string): boolean {
  const now = isRecord(state) ? state['run'] : undefined;
  return isRecord(now) && now['id'] === run && now['cancelled'] === undefined;
}

async function renew(data: Code, session: WorkSession, { clock }: ActPorts): Promise<boolean> {
  const { lease, leaseAt } = data;
  const { issue, task, holder, digest } = lease;
  const wanted = { issue, task, holder, digest, lastsMs: leaseAt.lastsMs };
  const ports = { leases: session.leases, clock };
  const taken = await renewLease(ports, leasePlace(data, data.from), wanted);
  return taken.outcome === 'taken' && taken.lease.fence === lease.fence;
}
