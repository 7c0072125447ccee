/** kill -9 again and again through reviews: the same end, nothing twice. */
import { describe } from 'vitest';
import { REVIEW_CHAINS } from '../../helpers/kill-chains/review-chains.ts';
import { runChain, titleOf } from '../../helpers/kill-chains/run-chain.ts';
import { shareOfToday } from '../../helpers/share-of-today.ts';
import { verifies } from '../../verifies.ts';

describe('kill -9', () => {
  for (const chain of shareOfToday(REVIEW_CHAINS))
    verifies(['P1', 'P2'], titleOf(chain), () => runChain(chain));
});
