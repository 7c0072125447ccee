/** What a job announces before it signs: also where the answer to the announcement is lost. */
import { expect, onTestFinished, test } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '../../src/adapters/system/system-clock.ts';
import { claimEvent } from '../../src/domain/actions/actions-state.ts';
import { jobKeysOf } from '../../src/domain/github/job-keys.ts';
import { createJobKey } from '../../src/domain/github/job-signature.ts';
import { createGitHubEmulator } from '../../src/emulator/github/github-emulator.ts';
import { renderAppJwt } from '../../src/adapters/github/client/app-jwt.ts';
import {
  readActionsState,
  updateActionsState,
} from '../../src/hosts/action/branch/state-branch.ts';
import { announceSigner, type Announcing } from '../../src/hosts/action/job/announce-signer.ts';
import { openUnsigned } from '../../src/hosts/action/job/workflow-github.ts';
import { createTestClock } from '../adapters/github/stage.ts';
import { withOpenApiCheck } from '../emulator/github/openapi.ts';

const quiet = () => undefined;
const log = { info: quiet, warn: quiet, error: quiet, debug: quiet };
const CLAIM = 'thread:1/7 commented 9';
const SCOPE = 'thread:1/7';
const TEXT = 'The team answers.\n\n<!-- quorum:v1 marker -->';

/** A repository in which this workflow holds a claim. */
async function aHeldClaim() {
  const dir = await mkdtemp(join(tmpdir(), 'quorum-announce-'));
  const clock = createTestClock();
  const emulator = await createGitHubEmulator({ dir, clock, limits: { enforced: false } });
  const watch = withOpenApiCheck(emulator);
  onTestFinished(async () => {
    await emulator.close();
    await rm(dir, { recursive: true, force: true });
    expect(watch.violations).toEqual([]);
  });
  emulator.createUser('ana');
  emulator.createOrg('acme', { ana: 'admin' });
  const files = { 'README.md': '# Tidy\n' };
  const { id: repositoryId } = await emulator.createRepository({
    owner: 'acme',
    name: 'tidy',
    files,
  });
  const permissions = { contents: 'write', metadata: 'read' } as const;
  const { appId, privateKey } = await emulator.createApp({ name: 'github-actions', permissions });
  const jwt = await renderAppJwt(appId, privateKey, clock.now());
  const installation = emulator.installApp(appId, 'acme');
  const minted = await fetch(`${emulator.apiUrl}/app/installations/${installation}/access_tokens`, {
    method: 'POST',
    headers: { authorization: `bearer ${jwt}` },
  });
  const { token } = (await minted.json()) as { token: string };
  const repository = { installationId: 0, repositoryId, owner: 'acme', repo: 'tidy' };
  const basics = { env: {}, log, clock, random: systemRandom };
  const context: Announcing['context'] = {
    apiUrl: emulator.apiUrl,
    token,
    repository,
    workflowRun: '77',
    attempt: 1,
  } as Announcing['context'];
  const github = openUnsigned(basics, context);
  const place = { github, repository, branch: 'quorum/memory', seen: {} };
  const { workflowRun, attempt } = context;
  const wanted = { event: CLAIM, workflowRun, attempt, now: clock.now(), lifeMs: 3_600_000 };
  await updateActionsState(place, 'quorum: claim', (state) => ({
    state: claimEvent(state, wanted).state,
    told: undefined,
  }));
  return { emulator, place, announcing: { basics, context, place, claim: CLAIM } };
}

test('a job whose announcement took effect, and whose answer was lost, is believed by the job that runs again', async () => {
  const { emulator, place, announcing } = await aHeldClaim();
  emulator.faults.add({
    path: '/graphql',
    nth: 2,
    fault: { kind: 'effect-then-fail', reset: true },
  });
  const random = { ...systemRandom, id: () => 'lost' };
  const basics = { ...announcing.basics, random };
  await expect(announceSigner({ ...announcing, basics })).rejects.toMatchObject({
    retryable: true,
  });
  expect(emulator.faults.hits()).toEqual([1]);
  const lost = createJobKey('lost lost lost');
  expect(jobKeysOf(await readActionsState(place), CLAIM)).toEqual([lost.publicKey]);
  const { jobSignatures, state } = await announceSigner(announcing);
  expect(jobKeysOf(await readActionsState(place), CLAIM)).toEqual(jobKeysOf(state, CLAIM));
  for (const sign of [lost.sign, jobSignatures?.sign]) {
    const signed = sign?.(TEXT, SCOPE) ?? '';
    expect(jobSignatures?.isSigned(signed, SCOPE)).toBe(true);
    expect(jobSignatures?.isSigned(signed, 'thread:1/8')).toBe(false);
  }
});

test('a lost answer whose commit was not made leaves no key', async () => {
  const { emulator, place, announcing } = await aHeldClaim();
  emulator.faults.add({
    path: '/graphql',
    nth: 2,
    fault: { kind: 'fail-without-effect', status: 503 },
  });
  await expect(announceSigner(announcing)).rejects.toMatchObject({ retryable: true });
  expect(jobKeysOf(await readActionsState(place), CLAIM)).toEqual([]);
  const { state } = await announceSigner(announcing);
  expect(jobKeysOf(state, CLAIM)).toHaveLength(1);
});
