/** `intents.json` on its way from the agent job to the apply job: an artifact of the workflow's run. */
import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  digestIntents,
  MAX_INTENTS_BYTES,
  type IntentsFile,
} from '../../../domain/actions/intents.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import type { Env } from '../../environment/env-file.ts';

/** The file that an agent job hands over. */
export const INTENTS = 'intents.json';
const KEPT_DAYS = 1;

/** Returns the digest of what was handed over. */
export async function uploadIntents(
  file: IntentsFile,
  { env, artifact }: HandOver,
): Promise<string> {
  const bytes = Buffer.from(JSON.stringify(file));
  if (bytes.length > MAX_INTENTS_BYTES) throw refused(`it would have ${bytes.length} bytes`);
  await uploadFiles(new Map([[INTENTS, bytes]]), { env, artifact });
  return digestIntents(bytes);
}

/** @throws RefusedError `intents-invalid` */
export async function downloadIntents(from: HandOver): Promise<Uint8Array> {
  const files = await downloadFiles(new Map([[INTENTS, MAX_INTENTS_BYTES]]), from);
  return files.get(INTENTS) ?? new Uint8Array();
}

export interface HandOver {
  env: Env;
  artifact: string;
  /** How long GitHub keeps it: a day by default. */
  keptDays?: number;
}

/** Puts these files, and nothing else, into the artifact. */
export async function uploadFiles(
  files: ReadonlyMap<string, Uint8Array>,
  { env, artifact, keptDays = KEPT_DAYS }: HandOver,
): Promise<void> {
  const dir = await temporaryFolder(env);
  const paths: string[] = [];
  for (const [name, bytes] of files) {
    const at = path.join(dir, name);
    await writeFile(at, bytes);
    paths.push(at);
  }
  const { default: client } = await import('@actions/artifact');
  await client.uploadArtifact(artifact, paths, dir, { retentionDays: keptDays });
}

/**
 * Reads an artifact that holds exactly these files.
 *
 * @param most - bytes that each file may have
 * @throws RefusedError `intents-invalid`
 */
export async function downloadFiles(
  most: ReadonlyMap<string, number>,
  { env, artifact }: HandOver,
): Promise<Map<string, Uint8Array>> {
  const [{ default: client }, { unzip }] = await Promise.all([
    import('@actions/artifact'),
    import('../../../adapters/github/dispatch/unzip.ts'),
  ]);
  const found = await client.getArtifact(artifact).catch((cause: unknown) => {
    throw refused(`there is no artifact ${artifact}`, cause);
  });
  const whole = [...most.values()].reduce((sum, bytes) => sum + bytes, 0);
  if (found.artifact.size > whole) throw refused('the artifact is too large');
  const dir = await temporaryFolder(env);
  // The client would unpack whatever is in it to disk; so the archive is judged as it came.
  await client.downloadArtifact(found.artifact.id, { path: dir, skipDecompress: true });
  return unzip(await readArchive(dir, whole), most);
}

/** The client names the file as the server does. */
async function readArchive(dir: string, most: number): Promise<Buffer> {
  const [name, ...others] = await readdir(dir);
  if (name === undefined || others.length > 0) throw refused('the artifact is not one file');
  const at = path.join(dir, name);
  if ((await stat(at)).size > most) throw refused('the artifact is too large');
  return readFile(at);
}

function temporaryFolder(env: Env): Promise<string> {
  return mkdtemp(path.join(env['RUNNER_TEMP'] ?? os.tmpdir(), 'quorum-'));
}

function refused(why: string, cause?: unknown): RefusedError {
  return new RefusedError({
    code: 'intents-invalid',
    message: `Nothing was written. What the agent job handed over is refused: ${why}.`,
    ...(cause === undefined ? {} : { cause }),
  });
}
