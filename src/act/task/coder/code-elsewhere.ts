/**
 * A session that a workflow of the repository works on. Each time that the effect is carried out is one look: while the
 * workflow works, the effect waits in the queue. So it takes no worker and no turn of the sessions on this machine.
 */
import type { Config } from '../../../domain/config/config.ts';
import type { CodeData } from '../../../domain/dispatch/code-order.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import type { CoderTask } from '../../../domain/task/coder-task.ts';
import type { Exchange } from '../../../domain/task/exchange.ts';
import type { CodeResult } from '../../../domain/task/task-effects.ts';
import type { Coder, CoderErrand } from '../../../ports/coder.ts';
import type { Worktree } from '../../../ports/git.ts';
import type { WorkSession } from '../../../ports/github/work.ts';
import type { Waits } from '../../../ports/store.ts';
import type { ActPorts } from '../../ports.ts';
import { isGoingOn } from '../lease/hold.ts';
import { copyJournal } from './copy-journal.ts';
import { openTaskFolder } from './coding-runtime.ts';
import { findSent, withinCapsElsewhere, type DispatchRecord } from './money-elsewhere.ts';
import { changesIn, NO_CHANGE, toKeep } from './session-result.ts';

interface CodingElsewhere {
  ports: ActPorts;
  config: Config;
  coder: Coder;
  session: WorkSession;
  run: string;
  effectId: string;
  at: string;
  isUntouched: boolean;
  waits: Waits | undefined;
  signal: AbortSignal;
}

/** Nothing is put into a folder for it. */
const NO_FOLDER = { folder: '', gitDir: '' };

export async function codeElsewhere(
  data: CodeData,
  task: CoderTask,
  coding: CodingElsewhere,
): Promise<CodeResult> {
  const { ports, config, coder, run, effectId, isUntouched, signal } = coding;
  const exchanges: Exchange[] = [];
  const opened: { worktree?: Worktree } = {};
  const apply = async (patch: string): ReturnType<Worktree['apply']> => {
    opened.worktree ??= await openTaskFolder(data, coding);
    return opened.worktree.apply(patch);
  };
  try {
    const report = await withinCapsElsewhere({ ...data, run, effectId }, config, {
      ports,
      isUntouched,
      work: (usd, record) => {
        const errand = { ...errandOf(data, coding, record), apply, answered: push(exchanges) };
        const wanted = { ...task, limits: { ...task.limits, usd } };
        return coder.run(wanted, { ...NO_FOLDER, errand }, signal);
      },
    });
    const { worktree } = opened;
    const changed = worktree === undefined ? NO_CHANGE : await changesIn(worktree, report);
    const result = { coder: coder.name, report: toKeep(report), ...changed, exchanges };
    return worktree === undefined
      ? result
      : await copyJournal(data, result, { ...coding, worktree });
  } finally {
    await opened.worktree?.close();
  }
}

function push<T>(list: T[]): (one: T) => void {
  return (one) => void list.push(one);
}

/**
 * Most looks find the workflow at work. They ask GitHub for its run alone: the settings count before it is sent, and when it
 * has ended.
 */
export async function refuseAtWork(
  data: CodeData,
  coding: Pick<CodingElsewhere, 'ports' | 'session' | 'run' | 'effectId' | 'at' | 'isUntouched'>,
): Promise<void> {
  const { ports, session, effectId, at, isUntouched } = coding;
  const refuse = ports.codingRuntime?.refuseAtWork;
  if (isUntouched || refuse === undefined) return;
  if ((await findSent({ ...data, effectId }, ports.store.records)) === undefined) return;
  const { dispatches } = session;
  await refuse({ effectId, at, data, dispatches, isStopped: () => isStopped(data, coding) });
}

async function isStopped(
  data: CodeData,
  { ports, run }: Pick<CodingElsewhere, 'ports' | 'run'>,
): Promise<boolean> {
  return !(await isGoingOn(data, { ports, run }));
}

/** What a coder elsewhere has to know: it does there what is done here for one that works in the folder. */
function errandOf(
  data: CodeData,
  coding: CodingElsewhere,
  record: DispatchRecord,
): Omit<CoderErrand, 'apply' | 'answered'> {
  const { session, effectId, at, waits } = coding;
  const sent = { effectId, at, data, isStopped: () => isStopped(data, coding) };
  const unseen = waits?.code === 'workflow-not-shown' ? { unseenSince: waits.since } : {};
  return { ...sent, dispatches: session.dispatches, ...record, ...unseen };
}

/** A session whose task is lost says what becomes of what a workflow wrote for it. */
export async function refuseLostDispatch(
  data: CodeData,
  error: unknown,
  { ports, effectId, isUntouched }: Pick<CodingElsewhere, 'ports' | 'effectId' | 'isUntouched'>,
): Promise<never> {
  const isLost = error instanceof RefusedError && error.code === 'lease-lost';
  if (!isLost || isUntouched) throw error;
  const sent = await findSent({ ...data, effectId }, ports.store.records);
  if (sent === undefined) throw error;
  throw new RefusedError({
    code: 'lease-lost',
    isEventuallyConsistent: true,
    message: `${error.message} Somebody released it or took it meanwhile, so what a workflow wrote for this attempt is thrown away.`,
    cause: error,
  });
}
