/** A whole world as text, and back: what a later process needs to go on where an earlier one was. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createBare } from '../git/bare.ts';
import { gitOutput } from '../git/git-process.ts';
import type { Repository } from './world-model.ts';
import type { State, World } from './world.ts';

/** Stands for the address of the server, which another one has when it is read. */
const ADDRESS = 'http://sandbox.invalid';

interface Snapshot {
  /** Without tokens, deliveries, logs and deleted repositories: nobody asks a later process for them. */
  state: State;
  /** Git bundles in base64 by the repository's id. */
  bundles: Record<string, string>;
}

export async function toSnapshot(world: World): Promise<string> {
  const state: State = {
    ...world.state,
    tokens: new Map(),
    deliveries: [],
    manifests: new Map(),
    logs: new Map(),
    deletedRepositories: new Map(),
  };
  const bundles: Snapshot['bundles'] = {};
  await inTemporaryFile(async (file) => {
    for (const { id, gitDir } of state.repositories.values()) {
      await gitOutput(gitDir, ['bundle', 'create', '--quiet', file, '--all']);
      bundles[id] = await readFile(file, 'base64');
    }
  });
  const text = JSON.stringify({ state, bundles }, toPlain);
  return text.replaceAll(world.htmlUrl, ADDRESS);
}

/** Puts everything in place; the world must be a new one, and its address known. */
export async function fromSnapshot(world: World, text: string): Promise<void> {
  const snapshot: Snapshot = JSON.parse(text.replaceAll(ADDRESS, world.htmlUrl), fromPlain);
  const { state, bundles } = snapshot;
  Object.assign(world.state, state);
  await inTemporaryFile(async (file) => {
    for (const repository of world.state.repositories.values()) {
      await writeFile(file, bundles[repository.id] ?? '', 'base64');
      await unbundle(world, repository, file);
    }
  });
}

async function unbundle(world: World, repository: Repository, file: string): Promise<void> {
  repository.gitDir = path.join(world.dir, `${repository.id}.git`);
  await createBare(repository.gitDir, repository.defaultBranch);
  await gitOutput(repository.gitDir, ['fetch', '--quiet', file, '+refs/*:refs/*']);
}

async function inTemporaryFile(use: (file: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'quorum-emulator-'));
  try {
    await use(path.join(dir, 'bundle'));
  } finally {
    await rm(dir, { recursive: true });
  }
}

function toPlain(key: string, value: unknown): unknown {
  // Git says it again when it is asked for.
  if (key === 'compared') return undefined;
  if (value instanceof Map) return { $map: [...value] };
  if (value instanceof Set) return { $set: [...value] };
  return value;
}

function fromPlain(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$map' in value && Array.isArray(value.$map)) return new Map(value.$map);
  if ('$set' in value && Array.isArray(value.$set)) return new Set(value.$set);
  return value;
}
