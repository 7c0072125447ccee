/**
 * Logs of jobs and archives of artifacts, at addresses of their own. These need no login and work for a minute, as those
 * of GitHub's storage do.
 */
import type { WorkflowJob } from './check-model.ts';
import type { PageAnswer } from '../listener.ts';
import { drawHex, nowMs, type World } from './world.ts';

const LIFETIME_MS = 60_000;

/** An address that nobody can guess. */
export function logUrl(world: World, { log = '' }: WorkflowJob): string {
  return keep(world, { body: log, type: 'text/plain; charset=utf-8' });
}

/** The same for the archive of an artifact. */
export function archiveUrl(world: World, body: Buffer): string {
  return keep(world, { body, type: 'application/zip' });
}

function keep(world: World, kept: { body: string | Buffer; type: string }): string {
  const key = drawHex(world.random, 32);
  const { logs } = world.state;
  for (const [old, { untilMs }] of logs) if (untilMs < nowMs(world)) logs.delete(old);
  logs.set(key, { ...kept, untilMs: nowMs(world) + LIFETIME_MS });
  return `${world.htmlUrl}/_logs/${key}`;
}

export function answerLog(world: World, path: string): PageAnswer | undefined {
  const key = /^\/_logs\/([0-9a-f]{32})$/.exec(path)?.[1];
  if (key === undefined) return undefined;
  const found = world.state.logs.get(key);
  const headers = { 'content-type': found?.type ?? 'text/plain; charset=utf-8' };
  if (found === undefined || found.untilMs < nowMs(world))
    return { status: 403, headers, body: 'Signature not valid in the specified time frame' };
  return { status: 200, headers, body: found.body };
}
