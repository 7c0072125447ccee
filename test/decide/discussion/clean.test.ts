/** What a model wrote for one line cannot act once it is one line. */
import { expect } from 'vitest';
import { oneLine } from '../../../src/decide/discussion/clean.ts';
import { aVerdict, aView } from '../../helpers/an-issue.ts';
import { ANA, play, THREAD } from '../../helpers/play.ts';
import { verifies } from '../../verifies.ts';

verifies('INJ-07', 'a fence that is opened and never closed holds nothing back in one line', () => {
  const context = play({ look: () => aView(), ask: () => aVerdict() });
  context.hold({ kind: 'labeled', thread: THREAD, actor: ANA, label: 'deliberate' });
  const said = oneLine('Small.\n```\n@everyone closes #1 <img src=x>', context.run());
  expect(said).toBe("Small. ' `@everyone` `closes` #1 &lt;img src=x>");
});
