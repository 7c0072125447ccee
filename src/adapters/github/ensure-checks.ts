/** One check run of ours for each name and commit: updated where it is there already, several in one call where the server can. */
import { z } from 'zod';
import type { CheckWanted } from '../../domain/effect.ts';
import type { ChecksChange } from '../../ports/github.ts';
import type { Bound } from './bound.ts';
import { sendGraphql } from './graphql.ts';
import {
  CREATE_CHECK_RUN,
  EDIT_CHECK_RUN,
  LIST_CHECK_RUNS,
  type WireCheckRun,
} from './operations.ts';
import { eachPage, PER_PAGE } from './pages.ts';
import type { Place } from './places.ts';
import type { KnownCheck } from './recall.ts';

/** GitHub's limits of a check run's texts. */
const MAX_TITLE = 255;
const MAX_SUMMARY = 65_000;

interface Wanted {
  wire: Wire;
  headSha: string;
  /** Where it is remembered: check runs are never deleted, so that one need not be looked for again. */
  slot: string;
  known: KnownCheck | undefined;
}

export async function ensureChecks(bound: Bound, change: ChecksChange): Promise<void> {
  const { repository } = change;
  await bound.places.at(repository, bound.calls, async (place) => {
    const wanted = await findMissing(bound, place, change);
    const left =
      (await writeAtOnce(bound, change, wanted)) ??
      // No answer that can be read: some of them may be there by now.
      (await findMissing(bound, place, withoutNew(change)));
    for (const one of left) remember(bound, one, await write(bound, place, one));
  });
}

function withoutNew(change: ChecksChange): ChecksChange {
  return { ...change, checks: change.checks.map((check) => ({ ...check, isNew: false })) };
}

function remember({ recall }: Bound, { slot, known }: Wanted, written: KnownCheck): void {
  recall.checks.set(slot, { id: written.id, nodeId: written.nodeId ?? known?.nodeId });
}

/** What has to be written. */
async function findMissing(bound: Bound, place: Place, change: ChecksChange): Promise<Wanted[]> {
  const { repository, headSha, checks } = change;
  const all = checks.map((check) => {
    const wire = toWire(check, headSha);
    const slot = `${repository.installationId}/${repository.repositoryId}/${wire.external_id}`;
    const known = bound.recall.checks.get(slot);
    return { wire, headSha, slot, known, isUnheard: known === undefined && check.isNew !== true };
  });
  const unheard = all.filter(({ isUnheard }) => isUnheard).map(({ wire }) => wire);
  const found = unheard.length === 0 ? [] : await findOurs(bound, { place, headSha, unheard });
  return all.flatMap(({ isUnheard, ...one }) => {
    const there = isUnheard ? found.find((run) => isOf(run, one.wire)) : undefined;
    if (there === undefined) return [one];
    const known = { id: there.id, nodeId: there.node_id };
    if (!isSame(there, one.wire)) return [{ ...one, known }];
    bound.recall.checks.set(one.slot, known);
    return [];
  });
}

async function findOurs(
  bound: Bound,
  { place, headSha, unheard }: { place: Place; headSha: string; unheard: readonly Wire[] },
): Promise<WireCheckRun[]> {
  const [only, another] = unheard;
  const params = {
    ...place,
    ref: headSha,
    ...(only !== undefined && another === undefined && { check_name: only.name }),
    filter: 'all',
    per_page: PER_PAGE,
    ...(bound.appId !== undefined && { app_id: bound.appId }),
  };
  const isOurApp = (run: WireCheckRun): boolean =>
    bound.appId === undefined || !run.app || run.app.id === bound.appId;
  const found: WireCheckRun[] = [];
  for await (const { check_runs: runs } of eachPage(bound.calls, LIST_CHECK_RUNS, params))
    found.push(...runs.filter(isOurApp));
  return found;
}

function isOf(run: WireCheckRun, wire: Wire): boolean {
  return run.name === wire.name && run.external_id === wire.external_id;
}

async function write(bound: Bound, place: Place, one: Wanted): Promise<KnownCheck> {
  const { wire, headSha, known } = one;
  if (known !== undefined) {
    await bound.calls.send(EDIT_CHECK_RUN, { ...place, check_run_id: known.id, ...wire });
    return known;
  }
  const { data } = await bound.calls.send(CREATE_CHECK_RUN, {
    ...place,
    head_sha: headSha,
    ...wire,
  });
  return { id: data.id, nodeId: data.node_id };
}

const Written = z.object({ checkRun: z.object({ id: z.string(), databaseId: z.number() }) });

/** In one request, whatever GraphQL can write; returns what it did not, or undefined where it does not say. */
async function writeAtOnce(
  bound: Bound,
  { repository }: ChecksChange,
  wanted: readonly Wanted[],
): Promise<Wanted[] | undefined> {
  const repositoryId = bound.places.nodeId(repository);
  const able = wanted.filter(({ known }) => known === undefined || known.nodeId !== undefined);
  if (repositoryId === undefined || able.length < 2) return [...wanted];
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

type Wire = ReturnType<typeof toWire>;

function toWire({ name, conclusion, title, summary }: CheckWanted, headSha: string) {
  return {
    name,
    /** What a repetition is known by. */
    external_id: `quorum:v1:${name}@${headSha}`,
    status: 'completed',
    conclusion,
    output: {
      title: title.slice(0, MAX_TITLE).toWellFormed(),
      summary: summary.slice(0, MAX_SUMMARY).toWellFormed(),
    },
  } as const;
}

function isSame(found: WireCheckRun, wanted: Wire): boolean {
  return (
    found.status === wanted.status &&
    found.conclusion === wanted.conclusion &&
    found.output?.title === wanted.output.title &&
    found.output?.summary === wanted.output.summary
  );
}
