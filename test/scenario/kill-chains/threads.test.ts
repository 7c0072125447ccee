/** kill -9 again and again through what people do in issues: the same end, nothing twice. */
import { describe } from 'vitest';
import { THREAD_CHAINS } from '../../helpers/kill-chains/thread-chains.ts';
import { runChain, titleOf } from '../../helpers/kill-chains/run-chain.ts';
import { shareOfToday } from '../../helpers/share-of-today.ts';
import { verifies } from '../../verifies.ts';

describe('kill -9', () => {
  for (const chain of shareOfToday(THREAD_CHAINS))
    verifies(['P1', 'P2'], titleOf(chain), () => runChain(chain));
});
