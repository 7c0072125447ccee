/** kill -9 again and again through standups: the same end, nothing twice. */
import { describe } from 'vitest';
import { STANDUP_CHAINS } from '../../helpers/kill-chains/standup-chains.ts';
import { runChain, titleOf } from '../../helpers/kill-chains/run-chain.ts';
import { noBwrap } from '../../helpers/no-bwrap.ts';
import { shareOfToday } from '../../helpers/share-of-today.ts';
import { verifies } from '../../verifies.ts';

describe.skipIf(noBwrap !== undefined)('kill -9, with tests in the sandbox', () => {
  for (const chain of shareOfToday(STANDUP_CHAINS))
    verifies(['P1', 'P2', 'TG-4', 'GIT-09'], titleOf(chain), () => runChain(chain));
});
