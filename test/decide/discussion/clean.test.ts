/** What a model wrote for one line cannot act once it is one line. */
import { expect, test } from 'vitest';
import { cleanPosition, cleanVerdict, oneLine } from '../../../src/decide/discussion/clean.ts';
import { aPosition, aVerdict, aView } from '../../helpers/an-issue.ts';
import { ANA, play, THREAD } from '../../helpers/play.ts';
import { verifies } from '../../verifies.ts';

verifies('INJ-07', 'a fence that is opened and never closed holds nothing back in one line', () => {
  const context = play({ look: () => aView(), ask: () => aVerdict() });
  context.hold({ kind: 'labeled', thread: THREAD, actor: ANA, label: 'deliberate' });
  const said = oneLine('Small.\n```\n@everyone closes #1 <img src=x>', context.run());
  expect(said).toBe("Small. ' `@everyone` `closes` #1 &lt;img src=x>");
});

test('a voice loses canned words in its prose, and no byte of code, paths, numbers and quotes', () => {
  const kept = 'Retry 3 times in `src/queue.ts:12`, as "certainly, of course" says.';
  const said = aPosition({
    reasons: `Great question! ${kept}`,
    line: `Certainly! ${kept}`,
    findings: [],
  });
  const run = { thread: THREAD };
  expect(cleanPosition(said, run)).toMatchObject({ reasons: kept, line: kept });
  const verdict = aVerdict({
    headline: 'Certainly! It holds.',
    reasons: `Great question! ${kept}`,
  });
  expect(cleanVerdict(verdict, run)).toMatchObject({ headline: 'It holds.', reasons: kept });
});
