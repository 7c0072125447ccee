/** Reads a plan's issue, the settings that hold for it, and whose yes it may have. */
import type { EffectData } from '../domain/effect.ts';
import type { Config } from '../domain/config.ts';
import type { PlanView } from '../domain/plan/plan-view.ts';
import { hasPermission, type ThreadRef } from '../domain/thread.ts';
import type { WorkSession } from '../ports/work.ts';
import type { ActPorts, Performed } from './ports.ts';
import { readSettingsAt, type ReadSettings } from './settings.ts';
import { workAt } from './workshop.ts';

/** Two reads and the configuration, which costs nothing while it is as it was. */
export async function lookAtPlan(
  { thread, actor, thumbs }: Extract<EffectData, { kind: 'look-plan' }>,
  { ports, readSettings }: { ports: ActPorts; readSettings: ReadSettings },
): Promise<Performed<'look-plan'>> {
  const session = ports.github.at(thread);
  const [repository, issue] = await Promise.all([
    session.read.repository(thread),
    session.read.issue(thread),
  ]);
  const { config, personas } = await readSettingsAt(thread, repository, { session, readSettings });
  const result: PlanView = { repository, issue, config, personas: [...personas] };
  if (actor !== undefined) result.actorPermission = await session.read.permission(thread, actor);
  if (thumbs !== undefined) result.thumbs = await thumbsOn(workAt(ports, thread), thread, thumbs);
  const whyNoCoder = whyNone(ports, config);
  if (whyNoCoder !== undefined) result.whyNoCoder = whyNoCoder;
  return { effectKind: 'look-plan', result, githubCalls: session.counts };
}

function whyNone({ workshop }: ActPorts, { coder }: Config): string | undefined {
  if (coder.runner === 'off') return 'writing code is switched off here (`coder.runner: off`)';
  return workshop === undefined ? 'the App here writes no code (`QUORUM_CODER`)' : undefined;
}

/** Whoever left a thumbs-up and may approve; one that is older than the text says nothing about it. */
async function thumbsOn(
  session: WorkSession,
  thread: ThreadRef,
  { commentId, since }: { commentId: number; since: string },
): Promise<{ id: number; login: string }[]> {
  const reactions = await session.work.reactions(thread, commentId);
  const fresh = reactions.filter(
    ({ content, by, createdAt }) =>
      content === '+1' && !by.isBot && Date.parse(createdAt) >= Date.parse(since),
  );
  const found: { id: number; login: string }[] = [];
  for (const { by } of fresh) {
    const { id, login } = by;
    const held = await session.read.permission(thread, { id, login });
    if (hasPermission(held, 'write')) found.push({ id, login });
  }
  return found;
}
