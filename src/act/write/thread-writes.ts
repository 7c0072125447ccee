/** Writes on threads and commits: comments, issues, labels, reactions, and checks. Each is safe to repeat. */
import type { Authority, CheckWanted } from '../../domain/event/effect-values.ts';
import { RefusedError } from '../../domain/event/errors.ts';
import { hasPermission, type ThreadRef } from '../../domain/run/thread-ref.ts';
import { folded } from '../../domain/text/folded.ts';
import { readReport } from '../read/read-report.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { ActPorts, Performed } from '../ports.ts';

type Wanted<K extends 'comment' | 'issue' | 'labels' | 'react' | 'close' | 'check'> = DataOf<K>;

export async function writeComment(
  { thread, marker, body: text, report, isWithdrawn, unlessLabelled }: Wanted<'comment'>,
  { ports, isNew, trace }: EffectContext,
): Promise<Performed<'comment'>> {
  const { read, write, counts: githubCalls } = ports.github.at(thread);
  if (unlessLabelled !== undefined && hasLabel(await read.issue(thread), unlessLabelled))
    return { effectKind: 'comment', result: NOT_WRITTEN, githubCalls };
  const body =
    report === undefined
      ? text
      : `${text}\n\n${folded('Report', await readReport(thread, report, ports.store))}`;
  const comment = { marker, body, isNew, trace, ...(isWithdrawn && { isWithdrawn }) };
  const result = await write.ensureComment(thread, comment);
  return { effectKind: 'comment', result, githubCalls };
}

const NOT_WRITTEN = { id: 0, url: '', outcome: 'withdrawn', updatedAt: '' } as const;

/** GitHub does not tell labels apart by their case. */
function hasLabel({ labels }: { labels: readonly string[] }, wanted: string): boolean {
  return labels.some((label) => label.toLowerCase() === wanted.toLowerCase());
}

export async function writeIssue(
  data: Wanted<'issue'>,
  { ports, at, trace }: EffectContext,
): Promise<Performed<'issue'>> {
  const { write, counts: githubCalls } = ports.github.at(data.repository);
  const result = await write.ensureIssue(data.repository, { ...data, at, trace });
  return { effectKind: 'issue', result, githubCalls };
}

export async function writeLabels(
  data: Wanted<'labels'>,
  { ports }: EffectContext,
): Promise<Performed<'labels'>> {
  const { write, counts: githubCalls } = ports.github.at(data.thread);
  if (data.authority !== undefined) await refuseWithoutAuthority(data, data.authority, ports);
  await write.ensureLabels(data.thread, data);
  return { effectKind: 'labels', result: null, githubCalls };
}

/** CMD-02: a role can be taken away between the command and what it does. */
export async function refuseWithoutAuthority(
  { thread }: { thread: ThreadRef },
  { user, needed }: Authority,
  { github }: ActPorts,
): Promise<void> {
  const held = await github.at(thread).read.permission(thread, user);
  if (hasPermission(held, needed)) return;
  throw new RefusedError({
    code: 'permission-lost',
    message: `@${user.login} does not have the ${needed} role any more.`,
  });
}

export async function writeReaction(
  data: Wanted<'react'>,
  { ports }: EffectContext,
): Promise<Performed<'react'>> {
  const { write, counts: githubCalls } = ports.github.at(data.thread);
  await write.ensureReaction(data.thread, data);
  return { effectKind: 'react', result: null, githubCalls };
}

export async function closeThread(
  { thread, reason }: Wanted<'close'>,
  { ports }: EffectContext,
): Promise<Performed<'close'>> {
  const { write, counts: githubCalls } = ports.github.at(thread);
  const result = await write.ensureClosed(thread, reason);
  return { effectKind: 'close', result, githubCalls };
}

export async function writeChecks(
  data: Wanted<'check'>,
  { ports, isFirst, trace }: EffectContext,
): Promise<Performed<'check'>> {
  const { write, counts: githubCalls } = ports.github.at(data.repository);
  const known = isFirst ? data.checks : data.checks.map(toKnown);
  const checks = known.map((check) => ({ ...check, trace: () => trace(check.name) }));
  const ids = await write.ensureChecks({ ...data, checks });
  return { effectKind: 'check', result: { ids }, githubCalls };
}

/** It may have been written by an earlier attempt. */
function toKnown({ name, conclusion, title, summary }: CheckWanted): CheckWanted {
  return { name, conclusion, title, summary };
}
