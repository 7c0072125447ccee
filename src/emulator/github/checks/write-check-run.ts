/** Writes of check runs, whichever way they are asked for. */
import type { z } from 'zod';
import { readRefs, resolveCommit } from '../git/objects.ts';
import { forbiddenForApp, HttpError } from '../behave/http-error.ts';
import type { CheckRun, CheckSuite } from '../world/check-model.ts';
import type { Repository } from '../world/world-model.ts';
import { suiteState, toCheckRun, toCheckSuite } from '../render/to-check-run.ts';
import { applyRunChange, type NewRun, type RunChange } from '../routes/check/check-fields.ts';
import { actorAccount, type Actor } from '../world/tokens.ts';
import { nextId, nowIso, type World } from '../world/world.ts';

export interface CheckContext {
  world: World;
  actor: Actor;
  repository: Repository;
}

/** Only an App writes checks. */
function ownAppId({ actor }: CheckContext): number {
  if (actor.kind !== 'installation') throw forbiddenForApp();
  return actor.app.id;
}

/** The pull request's branch, or any branch whose tip it is. */
async function branchOf({ repository }: CheckContext, headSha: string): Promise<string | null> {
  const pull = [...repository.threads.values()].find((one) => one.pull?.headSha === headSha)?.pull;
  if (pull !== undefined) return pull.headRef;
  const heads = 'refs/heads/';
  for (const [ref, sha] of await readRefs(repository.gitDir))
    if (sha === headSha && ref.startsWith(heads)) return ref.slice(heads.length);
  return null;
}

/** A suite of the App's own. `isNew`: whether it was not there before. */
export async function createSuite(
  context: CheckContext,
  sha: string,
): Promise<{ suite: CheckSuite; isNew: boolean }> {
  const { repository } = context;
  const headSha = await resolveCommit(repository.gitDir, sha);
  if (headSha === undefined) throw new HttpError(422, `No commit found for SHA: ${sha}`);
  const before = repository.checkSuites.length;
  const suite = await ensureSuite(context, ownAppId(context), headSha);
  return { suite, isNew: repository.checkSuites.length > before };
}

/**
 * GitHub's reference says that an App whose suites are not created automatically has to create one before its check runs
 * (docs.github.com, "Create a check suite"). Whether github.com insists is not known: the emulator does.
 */
function refuseWithoutSuite({ repository }: CheckContext, appId: number, headSha: string): void {
  const isManual = repository.appsWithoutSuites?.has(appId) === true;
  const isThere = repository.checkSuites.some(
    (one) => one.appId === appId && one.headSha === headSha,
  );
  if (isManual && !isThere) throw new HttpError(422, 'No check suite found for this commit.');
}

async function ensureSuite(
  context: CheckContext,
  appId: number,
  headSha: string,
): Promise<CheckSuite> {
  const { repository, world } = context;
  const headBranch = await branchOf(context, headSha);
  const found = repository.checkSuites.find(
    (one) => one.appId === appId && one.headSha === headSha,
  );
  if (found !== undefined) return found;
  const at = nowIso(world);
  const times = { createdAt: at, updatedAt: at };
  const suite: CheckSuite = { id: nextId(world), appId, headSha, headBranch, ...times };
  repository.checkSuites.push(suite);
  return suite;
}

export function emitRun(context: CheckContext, run: CheckRun, action: string): void {
  const { world, repository } = context;
  const payload = { check_run: toCheckRun(world, repository, run) };
  world.emit({ event: 'check_run', action, repository, sender: senderOf(context), payload });
}

function senderOf({ actor }: CheckContext) {
  const user = actorAccount(actor);
  if (user === undefined) throw new HttpError(401, 'Requires authentication');
  return user;
}

export async function createRun(
  context: CheckContext,
  body: z.infer<typeof NewRun>,
): Promise<CheckRun> {
  const { world, repository } = context;
  const appId = ownAppId(context);
  const headSha = await resolveCommit(repository.gitDir, body.head_sha);
  if (headSha === undefined) throw new HttpError(422, `No commit found for SHA: ${body.head_sha}`);
  refuseWithoutSuite(context, appId, headSha);
  const run: CheckRun = {
    id: nextId(world),
    suiteId: (await ensureSuite(context, appId, headSha)).id,
    appId,
    headSha,
    name: body.name,
    status: 'queued',
    conclusion: null,
    externalId: '',
    detailsUrl: null,
    startedAt: nowIso(world),
    completedAt: null,
    output: { title: null, summary: null, text: null },
    annotations: [],
  };
  applyRunChange(world, run, body);
  repository.checkRuns.push(run);
  emitRun(context, run, 'created');
  if (run.status === 'completed') completed(context, run);
  return run;
}

export function updateRun(
  context: CheckContext,
  run: CheckRun,
  body: z.infer<typeof RunChange>,
): CheckRun {
  if (run.appId !== ownAppId(context))
    throw new HttpError(
      403,
      'Invalid app_id `' +
        run.appId +
        '` - check run can only be modified by the GitHub App that created it.',
    );
  const wasCompleted = run.status === 'completed';
  applyRunChange(context.world, run, body);
  if (run.status === 'completed' && !wasCompleted) completed(context, run);
  return run;
}

/** A completed run may complete its suite. */
function completed(context: CheckContext, run: CheckRun): void {
  const { world, repository } = context;
  emitRun(context, run, 'completed');
  const suite = repository.checkSuites.find((one) => one.id === run.suiteId);
  if (suite === undefined || suiteState(repository, suite).status !== 'completed') return;
  suite.updatedAt = nowIso(world);
  world.emit({
    event: 'check_suite',
    action: 'completed',
    repository,
    sender: senderOf(context),
    payload: { check_suite: toCheckSuite(world, repository, suite) },
  });
}
