/** Labels on a thread: missing ones are created in the repository first, with colour and description. */
import type { LabelWanted } from '../../../domain/event/effect-values.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import type { RepositoryRef, ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { LabelChange } from '../../../ports/github/github-writer.ts';
import type { SessionContext } from '../bound.ts';
import { isNotFound } from '../client/github-failure.ts';
import {
  ADD_LABELS,
  CREATE_LABEL,
  GET_LABEL,
  LIST_LABELS,
  REMOVE_LABEL,
} from '../rest-operations.ts';
import { PER_PAGE } from '../client/pages.ts';
import type { Place } from '../repository-locator.ts';

/** GitHub's own limits of a label. */
const MAX_NAME = 50;
const MAX_DESCRIPTION = 100;

/** Calls nothing when the thread has what it should have; an absent label to be removed is fine. */
export async function ensureLabels(
  bound: SessionContext,
  ref: ThreadRef,
  change: LabelChange,
): Promise<void> {
  await bound.places.at(ref, bound.calls, async (place) => {
    const thread = { ...place, issue_number: ref.number };
    const on =
      change.has === undefined ? await readNames(bound, thread) : new Set(change.has.map(key));
    const missing = change.add.filter((label) => !on.has(key(label.name)));
    for (const label of missing) await ensureLabelExists(bound, ref, { place, label });
    if (missing.length > 0) {
      const labels = missing.map((label) => label.name);
      await bound.calls.send(ADD_LABELS, {
        ...thread,
        labels,
      });
    }
    for (const name of change.remove) if (on.has(key(name))) await remove(bound, thread, name);
  });
}

type Thread = Place & { issue_number: number };

/** GitHub compares label names without case. */
function key(name: string): string {
  return name.toLowerCase();
}

async function readNames(bound: SessionContext, thread: Thread): Promise<Set<string>> {
  const { data } = await bound.calls.get(LIST_LABELS, { ...thread, per_page: PER_PAGE });
  return new Set(data.map((label) => key(label)));
}

/** Creates a label with its colour and description where the repository has none of that name. */
export async function ensureLabelExists(
  bound: SessionContext,
  ref: RepositoryRef,
  { place, label }: { place: Place; label: LabelWanted },
): Promise<void> {
  const slot = `${ref.installationId}/${ref.repositoryId}/${key(label.name)}`;
  if (bound.recall.labels.get(slot) === true) return;
  const found = await bound.calls.find(GET_LABEL, {
    ...place,
    name: label.name,
  });
  if (found === undefined) await createLabel(bound, place, label);
  bound.recall.labels.set(slot, true);
}

async function createLabel(bound: SessionContext, place: Place, label: LabelWanted): Promise<void> {
  const params = {
    ...place,
    name: label.name.slice(0, MAX_NAME),
    color: label.color.replace(/^#/, ''),
    description: label.description.slice(0, MAX_DESCRIPTION),
  };
  try {
    await bound.calls.send(CREATE_LABEL, params);
  } catch (error) {
    // 422: somebody else created it in this moment. If the name is not allowed, adding it says so.
    if (!(error instanceof RefusedError) || error.code !== 'github-invalid') throw error;
  }
}

/** One that stays on asks for another run: "not found" is believed where it is seen to be gone. */
async function remove(bound: SessionContext, thread: Thread, name: string): Promise<void> {
  try {
    await bound.calls.send(REMOVE_LABEL, { ...thread, name });
  } catch (error) {
    if (!isNotFound(error) || (await readNames(bound, thread)).has(key(name))) throw error;
  }
}
