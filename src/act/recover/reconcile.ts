/** Finds what was lost: asks GitHub to deliver again what failed, and starts what was labelled, opened, pushed or asked without a webhook. */
import type { EffectData } from '../../domain/event/effect.ts';
import type { EffectResults } from '../../domain/event/result.ts';
import type { ActPorts, Performed } from '../ports.ts';
import { recoverInstallation, type RecoverContext } from './recover-installation.ts';

type Pass = Extract<EffectData, { kind: 'reconcile' }>;

/** One part of a pass; all of it where an older version wanted it. */
export async function reconcile(
  pass: Pass,
  context: RecoverContext,
): Promise<Performed<'reconcile'>> {
  const result = await carryOut(pass, context);
  return { effectKind: 'reconcile', result, githubCalls: {} };
}

async function carryOut(
  { since, foundSince, part }: Pass,
  context: RecoverContext,
): Promise<EffectResults['reconcile']> {
  const { github } = context.ports;
  if (part === 'deliveries')
    return { redelivered: await github.app.redeliverFailed(since), started: 0 };
  if (part === 'installations')
    return { redelivered: 0, started: 0, installations: await activeInstallations(github) };
  if (part !== undefined)
    return { redelivered: 0, ...(await recoverInstallation(part, foundSince, context)) };
  const redelivered = await github.app.redeliverFailed(since);
  let started = 0;
  for (const installationId of await activeInstallations(github))
    started += (await recoverInstallation({ installationId, owed: [] }, foundSince, context))
      .started;
  return { redelivered, started };
}

async function activeInstallations({ app }: ActPorts['github']): Promise<number[]> {
  const all = await app.installations();
  return all.filter(({ isSuspended }) => !isSuspended).map(({ installationId }) => installationId);
}
