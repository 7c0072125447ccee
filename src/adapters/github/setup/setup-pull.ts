/** The pull request of `quorum init`: finds, opens and edits it. */
import { createHash } from 'node:crypto';
import type { SetupChange, SetupOutcome } from '../../../ports/setup-target.ts';
import {
  CREATE_PULL,
  EDIT_PULL,
  LIST_PULLS,
  type WireListedPull,
} from '../pulls/pull-operations.ts';
import type { Bound } from './setup-branch.ts';

const MARKER = /\n\n<!-- quorum-setup ([0-9a-f]{16}) -->\s*$/;

export function toSetupOutcome(
  { number, html_url: url }: Pick<WireListedPull, 'number' | 'html_url'>,
  did: 'opened' | 'updated' | 'unchanged',
): SetupOutcome {
  return { kind: 'pull', number, url, did };
}

/** Of the branch, newest first. */
export async function findSetupPulls({
  client,
  place,
  found,
  options,
}: Bound): Promise<WireListedPull[]> {
  const head = `${found.owner}:${options.branch}`;
  const pulls = await client.call(LIST_PULLS, { ...place, head, state: 'all' });
  // A fork's branch may have the same name, and a server may not filter.
  return pulls.filter((one) => one.head.ref === options.branch && one.head.repo?.id === found.id);
}

export async function openSetupPull(bound: Bound, change: SetupChange): Promise<SetupOutcome> {
  const { client, place, found, options } = bound;
  const pull = await client.call(CREATE_PULL, {
    ...place,
    title: change.title,
    body: withMarker(change.body),
    head: options.branch,
    base: found.defaultBranch,
  });
  return toSetupOutcome(pull, 'opened');
}

/** What a person wrote into it stays. Returns whether it changed. */
export async function editSetupPull(
  { client, place }: Bound,
  pull: WireListedPull,
  { body }: SetupChange,
): Promise<boolean> {
  const text = pull.body.replaceAll('\r\n', '\n');
  const before = text.replace(MARKER, '');
  if (before === body || MARKER.exec(text)?.[1] !== digestOf(before)) return false;
  await client.call(EDIT_PULL, { ...place, pull_number: pull.number, body: withMarker(body) });
  return true;
}

function withMarker(body: string): string {
  return `${body}\n\n<!-- quorum-setup ${digestOf(body)} -->`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
