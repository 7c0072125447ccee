/** One check run of ours for each name and commit: updated where it is there already. */
import type { CheckChange } from '../../ports/github.ts';
import type { Bound } from './bound.ts';
import type { Place } from './places.ts';
import {
  CREATE_CHECK_RUN,
  EDIT_CHECK_RUN,
  LIST_CHECK_RUNS,
  type WireCheckRun,
} from './operations.ts';

/** GitHub's limits of a check run's texts. */
const MAX_TITLE = 255;
const MAX_SUMMARY = 65_000;

export async function ensureCheck(bound: Bound, check: CheckChange): Promise<void> {
  const { installationId, repositoryId } = check.repository;
  const slot = `${installationId}/${repositoryId}/${externalId(check)}`;
  await bound.places.at(check.repository, bound.calls, async (place) => {
    const id = await write(bound, { place, check, begun: bound.recall.checks.get(slot) });
    bound.recall.checks.set(slot, id);
  });
}

interface Wanted {
  place: Place;
  check: CheckChange;
  /** The check run that this process remembers: check runs are never deleted, so it need not be looked for. */
  begun: number | undefined;
}

async function write(bound: Bound, { place, check, begun }: Wanted): Promise<number> {
  const wanted = toWire(check);
  const isUnheard = begun === undefined && check.isNew !== true;
  const found = isUnheard ? await findOurs(bound, place, check) : undefined;
  const id = found?.id ?? begun;
  if (found !== undefined && isSame(found, wanted)) return found.id;
  if (id === undefined) {
    const start = { ...place, head_sha: check.headSha, ...wanted };
    return (await bound.calls.send(CREATE_CHECK_RUN, start)).data.id;
  }
  await bound.calls.send(EDIT_CHECK_RUN, { ...place, check_run_id: id, ...wanted });
  return id;
}

async function findOurs(
  bound: Bound,
  place: Place,
  check: CheckChange,
): Promise<WireCheckRun | undefined> {
  const { data } = await bound.calls.get(LIST_CHECK_RUNS, {
    ...place,
    ref: check.headSha,
    check_name: check.name,
    filter: 'all',
    per_page: 100,
    ...(bound.appId !== undefined && { app_id: bound.appId }),
  });
  const external = externalId(check);
  const isOurApp = (run: WireCheckRun): boolean =>
    bound.appId === undefined || !run.app || run.app.id === bound.appId;
  return data.check_runs.find(
    (run) => run.name === check.name && run.external_id === external && isOurApp(run),
  );
}

/** What a repetition is known by. */
function externalId(check: CheckChange): string {
  return `quorum:v1:${check.name}@${check.headSha}`;
}

function toWire(check: CheckChange) {
  return {
    name: check.name,
    external_id: externalId(check),
    status: 'completed',
    conclusion: check.conclusion,
    output: {
      title: check.title.slice(0, MAX_TITLE).toWellFormed(),
      summary: check.summary.slice(0, MAX_SUMMARY).toWellFormed(),
    },
  } as const;
}

function isSame(found: WireCheckRun, wanted: ReturnType<typeof toWire>): boolean {
  return (
    found.status === wanted.status &&
    found.conclusion === wanted.conclusion &&
    found.output?.title === wanted.output.title &&
    found.output?.summary === wanted.output.summary
  );
}
