/**
 * One of Quorum's check runs for each name and commit. Existing ones are updated, several in one call where the
 * server can.
 */
import { z } from 'zod';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { ChecksChange, Trace } from '../../../ports/github/github-writer.ts';
import type { SessionContext } from '../bound.ts';
import { createCheckRun } from './create-check-run.ts';
import { isMissing } from '../client/github-failure.ts';
import { sendGraphql } from '../client/ask-graphql.ts';
import { EDIT_CHECK_RUN, LIST_CHECK_RUNS, type WireCheckRun } from '../rest-operations.ts';
import { eachPage, PER_PAGE } from '../client/pages.ts';
import type { Place } from '../repository-locator.ts';
import type { KnownCheck } from '../cache/recall.ts';
import { askTrace, findOlder, keepOne, readTwice, SUPERSEDED, type Once } from './twins.ts';
import { externalIdOf, type Wire, toWire, isSameCheck } from './check-fields.ts';

interface Wanted {
  wire: Wire;
  headSha: string;
  /** Where it is remembered: check runs are never deleted, so that one need not be looked for again. */
  slot: string;
  known: KnownCheck | undefined;
  /** An earlier attempt may have written it. */
  isDoubtful: boolean;
}

export async function ensureChecks(
  bound: SessionContext,
  change: ChecksChange,
): Promise<Record<string, number>> {
  const { repository, headSha } = change;
  return bound.places.at(repository, bound.calls, async (place) => {
    const wanted = await findMissing(bound, place, change);
    const left =
      (await writeAtOnce(bound, change, wanted)) ??
      // No readable answer: some of them may exist already.
      (await findMissing(bound, place, inDoubt(change)));
    await writeEach(bound, { place, change, left });
    const doubtful = wanted.filter(({ isDoubtful, known }) => isDoubtful && known === undefined);
    for (const one of doubtful) await endOlder(bound, { place, headSha, one });
    return idsOf(bound, change);
  });
}

/** Those whose known check run is gone are looked for, and written again. */
async function writeEach(
  bound: SessionContext,
  { place, change, left }: { place: Place; change: ChecksChange; left: readonly Wanted[] },
): Promise<void> {
  const gone = new Set<string>();
  for (const one of left) {
    const isGone = await isMissing(() => write(bound, place, one));
    if (!isGone) continue;
    bound.recall.checks.delete(one.slot);
    gone.add(one.wire.name);
  }
  const checks = change.checks.filter(({ name }) => gone.has(name));
  const again = inDoubt({ ...change, checks });
  for (const one of await findMissing(bound, place, again)) await write(bound, place, one);
}

function inDoubt(change: ChecksChange): ChecksChange {
  const checks = change.checks.map((check) => ({ ...check, isNew: false, trace: unknown }));
  return { ...change, checks };
}

function unknown(): Promise<Trace> {
  return Promise.resolve({ isDoubtful: true });
}

function remember({ recall }: SessionContext, { slot, known }: Wanted, written: KnownCheck): void {
  recall.checks.set(slot, { id: written.id, nodeId: written.nodeId ?? known?.nodeId });
}

function idsOf({ recall }: SessionContext, change: ChecksChange): Record<string, number> {
  return Object.fromEntries(
    change.checks.flatMap(({ name }) => {
      const known = recall.checks.get(slotOf(change, name));
      return known === undefined ? [] : [[name, known.id]];
    }),
  );
}

function slotOf({ repository, headSha }: ChecksChange, name: string): string {
  return `${repository.installationId}/${repository.repositoryId}/${externalIdOf(name, headSha)}`;
}

/** What has to be written. */
async function findMissing(
  bound: SessionContext,
  place: Place,
  change: ChecksChange,
): Promise<Wanted[]> {
  const { headSha } = change;
  const all = await Promise.all(change.checks.map((check) => toWanted(bound, change, check)));
  const unheard = all.filter(({ isUnheard }) => isUnheard);
  const found = await findUnheard(bound, { place, headSha, unheard });
  return all.flatMap(({ isUnheard, ...one }) => {
    const there = isUnheard ? found.find((run) => isOf(run, one.wire)) : undefined;
    if (there === undefined) return [one];
    const known = { id: there.id, nodeId: there.node_id };
    if (!isSameCheck(there, one.wire)) return [{ ...one, known }];
    bound.recall.checks.set(one.slot, known);
    return [];
  });
}

async function toWanted(
  bound: SessionContext,
  change: ChecksChange,
  check: ChecksChange['checks'][number],
): Promise<Wanted & { isUnheard: boolean }> {
  const { headSha } = change;
  const slot = slotOf(change, check.name);
  const remembered = bound.recall.checks.get(slot);
  const isUnknown = remembered === undefined && check.isNew !== true;
  const trace = isUnknown ? await askTrace(check.trace) : {};
  const known = trace.id === undefined ? remembered : { id: trace.id, nodeId: undefined };
  const isUnheard = isUnknown && known === undefined;
  const isDoubtful = trace.isDoubtful === true;
  return { wire: toWire(check, headSha), headSha, slot, known, isUnheard, isDoubtful };
}

interface Looked {
  place: Place;
  headSha: string;
  unheard: readonly Pick<Wanted, 'wire' | 'isDoubtful'>[];
}

/** Newest first. In doubt the list is read twice, and of those written twice the older ones are ended. */
async function findUnheard(bound: SessionContext, looked: Looked): Promise<WireCheckRun[]> {
  const { place, headSha, unheard } = looked;
  if (unheard.length === 0) return [];
  const doubtful = unheard.filter(({ isDoubtful }) => isDoubtful);
  const list = (): Promise<WireCheckRun[]> => findOurs(bound, looked);
  if (doubtful.length === 0) return list();
  const found = await readTwice(bound, { list, idOf: ({ id }) => id });
  for (const one of doubtful)
    await keepOne(
      onceOf(bound, { place, headSha, one }),
      found.filter((run) => isOf(run, one.wire)),
    );
  return found.toSorted((a, b) => b.id - a.id);
}

interface LookedOne {
  place: Place;
  headSha: string;
  one: Pick<Wanted, 'wire' | 'isDoubtful'>;
}

/** GitHub shows the newest of a name, and deletes none: an older one that was written twice is ended. */
async function endOlder(bound: SessionContext, looked: LookedOne & { one: Wanted }): Promise<void> {
  const written = bound.recall.checks.get(looked.one.slot)?.id;
  if (written !== undefined) await findOlder(bound, onceOf(bound, looked), written);
}

function onceOf(bound: SessionContext, { place, headSha, one }: LookedOne): Once<WireCheckRun> {
  return {
    list: async () => {
      const found = await findOurs(bound, { place, headSha, unheard: [one] });
      return found.filter((run) => isOf(run, one.wire));
    },
    idOf: ({ id }) => id,
    stays: 'last',
    fold: async ({ id }) => {
      const params = { ...place, check_run_id: id, ...SUPERSEDED };
      await bound.calls.send(EDIT_CHECK_RUN, params);
    },
  };
}

async function findOurs(
  bound: SessionContext,
  { place, headSha, unheard }: Looked,
): Promise<WireCheckRun[]> {
  const [only, another] = unheard;
  const params = {
    ...place,
    ref: headSha,
    ...(only !== undefined && another === undefined && { check_name: only.wire.name }),
    filter: 'all',
    per_page: PER_PAGE,
    ...(bound.appId !== undefined && { app_id: bound.appId }),
  };
  const isOurApp = (run: WireCheckRun): boolean =>
    bound.appId === undefined || !run.app || run.app.id === bound.appId;
  const found: WireCheckRun[] = [];
  for await (const { check_runs: runs } of eachPage(bound.calls, LIST_CHECK_RUNS, params))
    found.push(...runs.filter(isOurApp));
  return found.toSorted((a, b) => b.id - a.id);
}

function isOf(run: WireCheckRun, wire: Wire): boolean {
  return run.name === wire.name && run.external_id === wire.external_id;
}

async function write(bound: SessionContext, place: Place, one: Wanted): Promise<void> {
  const { wire, headSha, known } = one;
  if (known !== undefined) {
    await bound.calls.send(EDIT_CHECK_RUN, { ...place, check_run_id: known.id, ...wire });
    return remember(bound, one, known);
  }
  const created = await createCheckRun(bound, place, { head_sha: headSha, ...wire });
  remember(bound, one, { id: created.id, nodeId: created.node_id });
}

const Written = z.object({ checkRun: z.object({ id: z.string(), databaseId: z.number() }) });

/** In one request, whatever GraphQL can write; returns what it did not, or undefined where it does not say. */
async function writeAtOnce(
  bound: SessionContext,
  { repository }: ChecksChange,
  wanted: readonly Wanted[],
): Promise<Wanted[] | undefined> {
  const able = wanted.filter(({ known }) => known === undefined || known.nodeId !== undefined);
  if (able.length < 2) return [...wanted];
  const repositoryId = await nodeIdOf(bound, repository);
  if (repositoryId === undefined) return [...wanted];
  const told = await sendGraphql(bound, toMutation(able, repositoryId));
  if (told === undefined) return undefined;
  const left = wanted.filter((one) => !able.includes(one));
  for (const [at, one] of able.entries()) {
    const { data } = Written.safeParse(told.fields[`c${at}`]);
    if (data === undefined) left.push(one);
    else remember(bound, one, { id: data.checkRun.databaseId, nodeId: data.checkRun.id });
  }
  return left;
}

/** Reads the repository where nothing told the id yet: one request more, in place of one for each check run. */
async function nodeIdOf(
  { places, calls }: SessionContext,
  repository: RepositoryRef,
): Promise<string | undefined> {
  if (places.nodeId(repository) === undefined) await places.read(repository, calls);
  return places.nodeId(repository);
}

function toMutation(wanted: readonly Wanted[], repositoryId: string) {
  const parts = wanted.map(({ known }, at) => {
    const [field, input] =
      known === undefined
        ? ['createCheckRun', 'CreateCheckRunInput']
        : ['updateCheckRun', 'UpdateCheckRunInput'];
    return {
      declared: `$i${at}: ${input}!`,
      field: `c${at}: ${field}(input: $i${at}) { checkRun { id databaseId } }`,
    };
  });
  const variables = Object.fromEntries(
    wanted.map((one, at) => [`i${at}`, { repositoryId, ...toInput(one) }]),
  );
  const declared = parts.map((one) => one.declared).join(', ');
  const text = `mutation checks(${declared}) {\n${parts.map(({ field }) => field).join('\n')}\n}`;
  return { text, variables };
}

function toInput({ wire, headSha, known }: Wanted): Record<string, unknown> {
  return {
    ...(known === undefined ? { headSha } : { checkRunId: known.nodeId }),
    name: wire.name,
    externalId: wire.external_id,
    status: wire.status.toUpperCase(),
    conclusion: wire.conclusion.toUpperCase(),
    output: wire.output,
  };
}
