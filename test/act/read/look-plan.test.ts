/** Where the tasks of a plan stand besides what its text says: who holds them, and whether that is somebody else. */
import { expect, test } from 'vitest';
import { lookAtPlan } from '../../../src/act/read/look-plan.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import type { ReadSettings } from '../../../src/act/settings/read-settings.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import { CLOCK_SKEW_MS, type HeldLease, type Lease } from '../../../src/domain/plan/lease.ts';
import { taskDigest } from '../../../src/domain/plan/plan-digest.ts';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import { aPersona } from '../../helpers/a-persona.ts';
import { aPlanView } from '../../helpers/a-plan.ts';
import { ANA, PLAN } from '../../helpers/a-task.ts';
import { NOW, saying } from '../../decide/plan/show-plan.ts';

const BODY = saying({ 1: ['in_progress', 'dev'] });
const [FIRST] = parsePlan(BODY).tasks;

function heldBy(holder: string, over: Partial<Lease> = {}): HeldLease {
  const lease = {
    issue: PLAN.number,
    task: 1,
    holder,
    digest: FIRST === undefined ? '' : taskDigest(FIRST),
    fence: 1,
    issuedAt: NOW,
    expiresAt: NOW + 60_000,
    isReleased: false,
    ...over,
  };
  return { sha: 'l', lease };
}

async function look(kept: HeldLease | undefined, { body = BODY, held = [] as number[] } = {}) {
  const author = { ...ANA, isBot: false };
  const { issue, repository } = aPlanView({ body, author });
  const survey = {
    repository,
    issue,
    permissions: new Map(),
    comments: [],
    pastIssues: [],
    files: [],
  };
  const read: string[] = [];
  const session = {
    counts: { read: 1 },
    survey: { issue: async () => survey },
    plans: {},
    tasks: {},
    leases: {
      read: async ({ ref }: { ref: string }) => {
        read.push(ref);
        return kept;
      },
    },
  };
  const ports = {
    clock: { now: () => NOW },
    github: { at: () => session },
    codingRuntime: { instance: 'we' },
  } as unknown as ActPorts;
  const settings = { config: defaultConfig(), personas: [aPersona({ handle: 'dev' })] };
  const readSettings = (async () => settings) as unknown as ReadSettings;
  const readUnsignedReason = async () => ({});
  const context = { ports, readSettings, readUnsignedReason };
  const { result } = await lookAtPlan({ kind: 'look-plan', thread: PLAN, held }, context);
  const { unheld, hasOthers } = result;
  return { unheld, hasOthers, read };
}

const FREE = { unheld: [{ task: 1 }], hasOthers: undefined };
const OURS = { unheld: undefined, hasOthers: undefined };
const OTHERS = { unheld: undefined, hasOthers: true };

test.each<[string, HeldLease | undefined, object]>([
  ['by another instance', heldBy('they/run-1'), OTHERS],
  ['by an instance whose name begins like ours', heldBy('we2/run-1'), OTHERS],
  ['by something that nobody can read', { sha: 'l', lease: undefined }, OTHERS],
  ['by us', heldBy('we/run-1'), OURS],
  ['by nobody', undefined, FREE],
  [
    'no longer by another instance, which gave it back',
    heldBy('they/run-1', { isReleased: true }),
    FREE,
  ],
  [
    'no longer by another instance, whose time is over',
    heldBy('they/run-1', { expiresAt: NOW - CLOCK_SKEW_MS - 1 }),
    FREE,
  ],
])('a task in progress is held %s', async (_, kept, wanted) => {
  const { read, ...seen } = await look(kept);
  expect(seen).toEqual(wanted);
  expect(read).toEqual([`refs/quorum/leases/${PLAN.number}-1`]);
});

test('no lease is read for what our own runs hold, and for what nobody works on', async () => {
  expect(await look(heldBy('they/run-1'), { held: [1] })).toEqual({ ...OURS, read: [] });
  const idle = await look(heldBy('they/run-1'), { body: saying({}) });
  expect(idle).toEqual({ ...OURS, read: [] });
});
