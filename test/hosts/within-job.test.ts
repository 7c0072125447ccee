/** A session in a job is held to what the App, the repository and the time limit of the job allow, whichever is least. */
import { describe, expect, test } from 'vitest';
import type { CodingRuntime } from '../../src/act/task/coder/coding-runtime.ts';
import type { Config } from '../../src/domain/config/config.ts';
import type { CoderTask } from '../../src/domain/task/coder-task.ts';
import { sessionMinutes, withinJob } from '../../src/hosts/action/task/within-job.ts';
import { createTestClock } from '../adapters/github/stage.ts';
import { TASK } from '../adapters/coder/actions/a-workflow.ts';

interface Asked {
  limits: CoderTask['limits'];
  runner: Config['coder']['runner'];
}

async function ask(
  most: Parameters<typeof withinJob>[1],
  own: Partial<CoderTask['limits']>,
  { runner, goneMs = 0 }: { runner?: Config['coder']['runner']; goneMs?: number } = {},
): Promise<Asked> {
  const clock = createTestClock();
  const seen: Asked[] = [];
  const runtime = {
    coder: (config: Config['coder']) => ({
      run: ({ limits }: CoderTask) => {
        seen.push({ limits, runner: config.runner });
        return Promise.resolve({});
      },
    }),
  } as unknown as CodingRuntime;
  const within = withinJob(runtime, most, clock);
  clock.advance(goneMs);
  const coder = within.coder({ runner } as Config['coder'], { hasDiff: false });
  const task = { ...TASK, limits: { ...TASK.limits, ...own } };
  await coder.run(task, { folder: '/', gitDir: '/' }, new AbortController().signal);
  const [asked] = seen;
  if (asked === undefined) throw new Error('nobody was asked');
  return asked;
}

test.each([
  [1, 2, 1],
  [3, 2, 2],
])('of $%d by the App and $%d by the repository the lower holds', async (app, own, usd) => {
  expect((await ask({ usd: app }, { usd: own })).limits).toMatchObject({ usd, minutes: 30 });
});

test.each([
  [50, 30, 30],
  [50, 120, 50],
])(
  'of %d minutes of the job and %d of the repository the lower holds',
  async (job, own, minutes) => {
    expect((await ask({ minutes: job }, { minutes: own })).limits).toMatchObject({
      minutes,
      usd: 2,
    });
  },
);

test.each([
  ['actions', 'local'],
  [undefined, 'local'],
  ['off', 'off'],
] as const)(
  'a job sends its session to no other workflow (coder.runner: %s)',
  async (runner, here) => {
    expect((await ask({}, {}, { runner })).runner).toBe(here);
  },
);

test.each([
  [0, 50],
  [12, 38],
  [60, 0],
])('of 50 minutes of the job %d have gone when the coder starts', async (gone, minutes) => {
  const asked = await ask({ minutes: 50 }, { minutes: 120 }, { goneMs: gone * 60_000 });
  expect(asked.limits.minutes).toBe(minutes);
});

describe('the coder stops ten minutes before its job', () => {
  test.each([
    ['60', 50],
    ['', 50],
    ['360', 350],
  ])('of %j minutes', (given, minutes) => {
    expect(sessionMinutes({ 'job-minutes': given })).toBe(minutes);
  });

  test.each(['10', '361', 'an hour'])('and %j is no time limit for it', (given) => {
    const message = expect.stringContaining('Use a whole number from 15 to 360.');
    expect(() => sessionMinutes({ 'job-minutes': given })).toThrow(
      expect.objectContaining({ code: 'action-input-invalid', message }),
    );
  });
});
