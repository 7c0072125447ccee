/** Which pull requests of memory a digest lists: those of Quorum that a person has to decide about. */
import { expect, test } from 'vitest';
import { findWaitingProposals } from '../../../src/act/digest/waiting-proposals.ts';
import { defaultConfig, type Config } from '../../../src/domain/config/config.ts';
import { roleBranch } from '../../../src/domain/memory/role/role-proposal.ts';
import type { GitHubSession } from '../../../src/ports/github/github.ts';
import type { PullInto } from '../../../src/ports/github/work.ts';
import { THREAD } from '../../helpers/play.ts';

const MEMORY = defaultConfig().memory.branch;
const WHAT = 'a change of memory waits to be merged or closed';

function aPull(number: number, over: Partial<PullInto> = {}): PullInto {
  const openedAt = `2026-11-${20 + number}T00:00:00.000Z`;
  return { number, head: roleBranch(number), isOpen: true, openedAt, ...over };
}

/** What is found, and the branches that were asked about. */
async function find(
  pulls: Readonly<Record<string, readonly PullInto[]>>,
  { config = defaultConfig(), isTerminal = false }: { config?: Config; isTerminal?: boolean } = {},
) {
  const asked: string[] = [];
  const work = {
    pullsInto: async (_: object, base: string) => {
      asked.push(base);
      return pulls[base] ?? [];
    },
  };
  const session = isTerminal ? {} : { work, leases: {}, plans: {}, tasks: {} };
  const found = await findWaitingProposals(THREAD, {
    session: session as unknown as GitHubSession,
    config,
    defaultBranch: 'main',
  });
  return { found, asked };
}

test('open ones onto the memory branch, and those of roles onto the default branch', async () => {
  const { found } = await find({
    [MEMORY]: [
      aPull(1, { head: 'quorum/consolidate-maya-0123456789' }),
      aPull(2, { isOpen: false }),
    ],
    main: [aPull(3), aPull(4, { head: 'quorum/task-9-1-cart' }), aPull(5, { isOpen: false })],
  });
  expect(found).toEqual([
    { number: 1, what: WHAT, since: '2026-11-21T00:00:00.000Z' },
    { number: 3, what: WHAT, since: '2026-11-23T00:00:00.000Z' },
  ]);
});

test('GitHub is not asked where memory is off, and not at a terminal', async () => {
  const config = defaultConfig();
  config.memory.enabled = false;
  const pulls = { [MEMORY]: [aPull(1)] };
  expect(await find(pulls, { config })).toEqual({ found: [], asked: [] });
  expect(await find(pulls, { isTerminal: true })).toEqual({ found: [], asked: [] });
});
