/**
 * Twenty plans in one repository, ten with a tension that was put into them and ten without: what is found, what is
 * invented. `.ci/run` plays a share of them.
 */
import { describe, expect } from 'vitest';
import type { NewTask } from '../../src/domain/plan/body/render-plan.ts';
import { adding, aPlanWorld, testOf, type PlanWorld } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { shareOfToday } from '../helpers/share-of-today.ts';
import { waitUntil } from '../helpers/wait-until.ts';
import { verifies } from '../verifies.ts';

/** Twenty plans are more than one person may start in an hour. */
const SETTINGS =
  'merge:\n  mode: auto\naccess:\n  codeRunsPerHour: 100\n  codeRunsPerUserPerHour: 100\n';

/** Lines that say that something was left for later. */
const PLANTED = [
  '// TODO: take the language from the settings',
  '// FIXME: crashes on an empty name',
  '// HACK: the name is trimmed twice',
  '// XXX: nobody knows why this is needed',
  '// TODO(ana): say it louder',
  '/* TODO: several names at once */',
  '// TODO - translate it',
  '// FIXME',
  '// TODO: remove with the old client',
  '// TODO: a test for umlauts',
];

/** Lines that look like it and are not. */
const CLEAN = [
  '// Renders the name.',
  "const LABEL = 'TODO';",
  '// The list of things to do is elsewhere.',
  '// Hacks are not welcome here.',
  "const FIXME_COLOUR = 'red';",
  '// Says it once, however often it is called.',
  '// See the TODO list in the wiki.',
  'const todo = [];',
  '// Nothing is left to do.',
  "const XXX = 'size';",
];

function taskWith(name: string, line: string): NewTask {
  const source = [
    `export function ${name}(name) {`,
    `  ${line}`,
    `  return \`${name}, \${name}\`;`,
    '}',
    '',
  ].join('\n');
  const files = { [`src/${name}.js`]: source, [`test/${name}.test.js`]: testOf(name, name) };
  return {
    number: 1,
    title: `A function that says ${name}`,
    dependencies: [],
    files: Object.keys(files).map((path) => ({ path, note: 'as agreed' })),
    description: `Add \`${name}(name)\`.\n\n\`\`\`diff\n${adding(files)}\n\`\`\``,
  };
}

/** Plans one after the other, each from its label to its standup. */
async function runPlan(world: PlanWorld, task: NewTask): Promise<number> {
  const number = await world.plan([task]);
  await world.idle();
  const [pull] = (await world.pulls()).filter((each) => each.merged_at === null);
  await world.emulator.as('tom').comment(REPO, pull?.number ?? 0, '/pm approve');
  await waitUntil(async () => (await heldFor(world, number)) !== undefined);
  return number;
}

async function heldFor({ store, emulator }: PlanWorld, number: number) {
  const { id } = emulator.repository(REPO);
  const held = await store.standups.standups({ repositories: [id], limit: 100 });
  return held.find(({ thread }) => thread === number);
}

describe.skipIf(noBwrap !== undefined)('twenty standups', { timeout: 1_800_000 }, () => {
  verifies(
    ['LS-12'],
    'find what was put into plans, at its line, and nothing in as many others',
    async () => {
      const world = await aPlanWorld(SETTINGS);
      const expected = new Map<number, string | undefined>();
      const chosen = shareOfToday(PLANTED.map((line, at) => ({ line, at })));
      for (const { line, at } of chosen) {
        expected.set(await runPlan(world, taskWith(`planted${at}`, line)), line);
        const clean = CLEAN[at] ?? '';
        expected.set(await runPlan(world, taskWith(`clean${at}`, clean)), undefined);
      }
      await world.idle();
      const { id } = world.emulator.repository(REPO);
      const { insights } = await world.store.standups.insights({ repositories: [id], limit: 500 });
      let found = 0;
      let invented = 0;
      for (const [number, line] of expected) {
        const held = await heldFor(world, number);
        const said = insights.filter(({ run, type }) => run === held?.run && type !== 'none');
        const hits = said.filter(({ message }) => line !== undefined && message.includes(line));
        found += Math.min(1, hits.length);
        invented += said.length - hits.length;
      }
      expect({ runs: expected.size, found, invented }).toEqual({
        runs: 2 * chosen.length,
        found: chosen.length,
        invented: 0,
      });
    },
  );
});
