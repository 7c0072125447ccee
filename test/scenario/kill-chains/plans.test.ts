/** kill -9 again and again through plans and issues of the team: the same end, nothing twice. */
import { describe } from 'vitest';
import { PLAN_CHAINS } from '../../helpers/kill-chains/plan-chains.ts';
import { runChain, titleOf } from '../../helpers/kill-chains/run-chain.ts';
import { shareOfToday } from '../../helpers/share-of-today.ts';
import { verifies } from '../../verifies.ts';

describe('kill -9', () => {
  for (const chain of shareOfToday(PLAN_CHAINS))
    verifies(['P1', 'P2'], titleOf(chain), () => runChain(chain));
});
