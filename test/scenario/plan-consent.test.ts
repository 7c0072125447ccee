/** What a plan's approval is bound to: somebody without a role edits the plan while it is approved, and nothing of the new text runs. */
import { describe, expect } from 'vitest';
import { aPlanOf, aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { branchesOf, leasesOf } from '../helpers/what-is-left.ts';
import { EVENT_VERSION } from '../../src/domain/event/event.ts';
import { threadKey } from '../../src/domain/run/thread-ref.ts';
import { toCommentAddress } from '../../src/events/may-address.ts';
import { verifies } from '../verifies.ts';

const HELD_MS = 1_500;
const SHOWN = aPlanOf([sayTask(1, 'goodbye')]);
const OTHER = aPlanOf([sayTask(1, 'thanks')]);
const WAITING = '**Waiting for approval**';

/** A plan by somebody without a role, labelled by somebody else, and shown. */
async function aShownPlan(of?: PlanWorld): Promise<PlanWorld | TestWorld> {
  const world = of ?? (await aWorld());
  world.emulator.addCollaborator(REPO, 'tom', 'write');
  await world.emulator.as('eve').openIssue(REPO, { title: '[PLAN] More', body: SHOWN });
  await world.emulator.as('ana').label(REPO, 1, ['plan']);
  await world.idle();
  return world;
}

async function edit(world: TestWorld, login: string, body: string): Promise<void> {
  await world.emulator.as(login).request('PATCH', `/repos/${REPO}/issues/1`, { body });
}

async function comments(world: TestWorld): Promise<string[]> {
  return (await world.tell(1)).comments;
}

interface Wire {
  updated_at: string;
  user: { id: number; login: string };
}

function threadOf({ emulator, installationId }: TestWorld) {
  const { id: repositoryId } = emulator.repository(REPO);
  const [owner = '', repo = ''] = REPO.split('/');
  return { repositoryId, thread: { installationId, repositoryId, owner, repo, number: 1 } };
}

/** The App's reads of the issue wait, so that an edit comes between. */
function holdReads({ emulator }: TestWorld): void {
  const fault = { kind: 'latency', ms: HELD_MS } as const;
  emulator.faults.add({ path: /\/issues\/1(?:\/comments)?$/, times: 2, fault });
}

describe('an approval of a plan', () => {
  verifies(
    ['CB-4', 'CMD-09: text of a plan'],
    'that is not changed holds at once, by command and in words',
    async () => {
      for (const words of ['/pm approve', 'lgtm']) {
        const world = await aShownPlan();
        await world.emulator.as('tom').comment(REPO, 1, words);
        await world.idle();
        expect((await comments(world))[0]).toContain('Approved by `tom`');
      }
    },
  );

  verifies(
    ['CB-4', 'CMD-09: text of a plan'],
    'in the second in which the plan was shown is asked for again',
    async () => {
      const world = await aShownPlan();
      const shown = Date.parse(
        (
          (await world.emulator.as('ana').request('GET', `/repos/${REPO}/issues/1/comments`)) as {
            updated_at: string;
          }[]
        )[0]?.updated_at ?? '',
      );
      world.emulator.allowSameSecond(true);
      world.emulator.setClockOffset(shown - Date.now() + 100);
      await world.emulator.as('tom').comment(REPO, 1, '/pm approve');
      world.emulator.allowSameSecond(false);
      world.emulator.setClockOffset(0);
      await world.idle();
      const told = await comments(world);
      expect(told[0]).toContain(WAITING);
      expect(told[1]).toContain('was shown here in the same second as your approval, or after it');
      await world.emulator.as('tom').comment(REPO, 1, '/pm approve');
      await world.idle();
      expect((await comments(world))[0]).toContain('Approved by `tom`');
    },
  );

  verifies(
    ['CB-4', 'CMD-09: text of a plan'],
    'that names the digest is of exactly that text',
    async () => {
      const world = await aShownPlan();
      const [, digest = ''] =
        /text \(`([0-9a-f]{40})`\)/.exec((await comments(world))[0] ?? '') ?? [];
      await edit(world, 'eve', OTHER);
      await world.emulator.as('tom').comment(REPO, 1, `/pm approve ${digest}`);
      await world.idle();
      expect((await comments(world))[0]).toContain(WAITING);
      await edit(world, 'eve', SHOWN);
      await world.emulator.as('tom').comment(REPO, 1, `/pm approve ${digest}`);
      await world.idle();
      expect((await comments(world))[0]).toContain('Approved by `tom`');
    },
  );

  verifies(
    ['CB-4', 'CMD-09: text of a plan'],
    'that the reconcile pass finds, without a delivery, is asked for again',
    async () => {
      const world = await aShownPlan();
      const { repositoryId, thread } = threadOf(world);
      world.emulator.faults.addHook({
        event: 'issue_comment',
        fault: { kind: 'lost', recorded: false },
      });
      const body = 'lgtm';
      const said = await world.emulator.as('tom').comment(REPO, 1, body);
      const { updated_at: updatedAt, user: actor } = said as unknown as Wire;
      const place = 'thread' as const;
      const address = toCommentAddress({
        place,
        body,
        updatedAt,
        appId: undefined,
        isByBot: false,
      });
      const isByBot = false;
      const by = { id: actor.id, login: actor.login, isBot: false };
      const trigger = {
        kind: 'commented',
        thread,
        actor: by,
        commentId: said.id,
        isByBot,
      } as const;
      const data = {
        kind: 'trigger',
        trigger: { ...trigger, ...(address && { address }) },
      } as const;
      const at = new Date().toISOString();
      const key = threadKey({ repositoryId, number: 1 });
      await world.store.append([{ id: 'found', key, version: EVENT_VERSION, at, data }]);
      await world.idle();
      const told = await comments(world);
      expect(told[0]).toContain(WAITING);
      expect(told[1]).toContain('GitHub did not deliver your approval');
    },
  );

  verifies(
    ['CB-4', 'CMD-09: text of a plan'],
    'by a thumbs-up that came before the last edit of the text does not hold',
    async () => {
      const world = await aShownPlan();
      const [shown] = (await world.emulator
        .as('ana')
        .request('GET', `/repos/${REPO}/issues/1/comments`)) as { id: number }[];
      await edit(world, 'eve', OTHER);
      const at = `/repos/${REPO}/issues/comments/${shown?.id ?? 0}/reactions`;
      await world.emulator.as('tom').request('POST', at, { content: '+1' });
      await edit(world, 'eve', SHOWN);
      await world.idle();
      expect((await comments(world))[0]).toContain(WAITING);
    },
  );
});

describe('a label', () => {
  verifies(
    ['CB-4', 'CMD-09: text of a plan'],
    'by the author approves what they wrote, and not what came after it',
    async () => {
      const world = await aWorld();
      world.emulator.addCollaborator(REPO, 'tom', 'write');
      await world.emulator.as('ana').openIssue(REPO, { title: '[PLAN] More', body: SHOWN });
      world.emulator.faults.addHook({
        event: 'issues',
        action: 'labeled',
        fault: { kind: 'delay', ms: HELD_MS },
      });
      await world.emulator.as('ana').label(REPO, 1, ['plan']);
      await edit(world, 'tom', OTHER);
      await world.idle();
      expect((await comments(world))[0]).toContain(
        `The label by \`ana\` does not approve it. The text changed after the label was added. ${WAITING}`,
      );
    },
  );

  verifies(
    ['CB-4', 'CMD-09: text of a plan'],
    'by the author does not approve what somebody else wrote into it',
    async () => {
      const world = await aWorld();
      world.emulator.addCollaborator(REPO, 'tom', 'write');
      await world.emulator.as('ana').openIssue(REPO, { title: '[PLAN] More', body: SHOWN });
      await edit(world, 'tom', OTHER);
      await world.emulator.as('ana').label(REPO, 1, ['plan']);
      await world.idle();
      expect((await comments(world))[0]).toContain(
        'The person who added the label did not write the text',
      );
    },
  );

  verifies(
    'CB-4',
    'by the author approves their own text, edited by themselves or not',
    async () => {
      for (const isEdited of [false, true]) {
        const world = await aWorld();
        await world.emulator.as('ana').openIssue(REPO, { title: '[PLAN] More', body: SHOWN });
        if (isEdited) await edit(world, 'ana', OTHER);
        await world.emulator.as('ana').label(REPO, 1, ['plan']);
        await world.idle();
        expect((await comments(world))[0]).toContain('Approved by `ana`');
      }
    },
  );
});

describe.skipIf(noBwrap !== undefined)('a plan that is edited between approval and read', () => {
  verifies(
    ['CB-4', 'CMD-09: text of a plan', 'INJ-08: plan edited before its approval is read'],
    'runs nothing of the new text, shows the difference, and goes on with a new approval',
    async () => {
      const world = await aPlanWorld();
      await aShownPlan(world);
      for (const words of ['/pm approve', 'lgtm']) {
        holdReads(world);
        await world.emulator.as('tom').comment(REPO, 1, words);
        await edit(world, 'eve', OTHER);
        await world.idle();
        const told = await comments(world);
        expect(told[0]).toContain(WAITING);
        expect(told.at(-1)).toContain('Not approved. The plan changed');
        expect(told.at(-1)).toMatch(/```diff\n[^]*- .*goodbye[^]*\+ .*thanks/);
        expect([await branchesOf(world), leasesOf(world), await world.pulls()]).toEqual([
          ['main'],
          [],
          [],
        ]);
        await edit(world, 'eve', SHOWN);
        await world.idle();
      }
      await world.emulator.as('tom').comment(REPO, 1, '/pm approve');
      await world.idle();
      expect((await world.pulls()).map(({ title }) => title)).toEqual([
        'A function that says goodbye (#1, task 1)',
      ]);
    },
  );
});
