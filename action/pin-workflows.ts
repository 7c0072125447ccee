/**
 * Names the published commit in the reusable workflows: `node action/pin-workflows.ts owner/name <commit of the bundles>`.
 * A release has two commits, because none can name itself: one with the bundles, and one whose workflow names that one.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UNKNOWN_OWNER } from '../src/domain/setup/product-pin.ts';

const WORKFLOWS = [
  'quorum.yml',
  'quorum-task.yml',
  'quorum-code.yml',
  'quorum-merge.yml',
  'quorum-standup.yml',
  'quorum-sweep.yml',
];

/** @throws Error for a name or a commit that cannot stand there */
export function pinActions(workflow: string, repository: string, sha: string): string {
  if (!/^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(repository)) throw new Error('Name owner/name');
  if (!/^[0-9a-f]{40}$/.test(sha)) throw new Error('Name a commit by its 40 hexadecimal digits');
  const own = new RegExp(`${UNKNOWN_OWNER}/quorum/action/([\\w-]+)@v0`, 'g');
  return workflow.replaceAll(own, (_, name: string) => `${repository}/action/${name}@${sha}`);
}

/** In the repository at `root`. */
export async function pinWorkflows(root: string, repository: string, sha: string): Promise<void> {
  for (const name of WORKFLOWS) {
    const file = path.join(root, '.github/workflows', name);
    await writeFile(file, pinActions(await readFile(file, 'utf8'), repository, sha));
  }
}

if (import.meta.main) {
  const [repository = '', sha = ''] = process.argv.slice(2);
  await pinWorkflows(path.resolve(import.meta.dirname, '..'), repository, sha);
}
