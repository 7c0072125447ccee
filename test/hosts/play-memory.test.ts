/** What a job plays of a persona's memory: one look that GitHub answers late does not end it. */
import { expect, onTestFinished, test } from 'vitest';
import type { Perform } from '../../src/act/perform.ts';
import type { Performed } from '../../src/act/ports.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemRandom } from '../../src/adapters/system/system-clock.ts';
import { MAY_NOT_OPEN_PULLS } from '../../src/adapters/github/work/ensure-pull.ts';
import { defaultConfig } from '../../src/domain/config/config.ts';
import { RefusedError } from '../../src/domain/event/errors.ts';
import type { Consolidation } from '../../src/domain/memory/consolidation/consolidation.ts';
import { playMemory } from '../../src/hosts/action/sweep/memory/play-memory.ts';
import { createFastClock } from '../contract/fast-clock.ts';
import { anEntry } from '../domain/memory/some-memory.ts';
import { TEAM } from '../helpers/an-issue.ts';
import { THREAD } from '../helpers/play.ts';

const quiet = () => undefined;
const log = { info: quiet, warn: quiet, error: quiet, debug: quiet };
const [persona] = TEAM;
const handle = persona?.handle ?? '';
const FOUND: Consolidation = {
  kind: 'condense',
  persona: handle,
  file: 'working',
  evidence: '0123456789',
  entries: ['one', 'two'].map((word) => anEntry({ text: `The parser keeps rows, lesson ${word}` })),
};
type Look = Extract<Performed, { effectKind: 'look-consolidation' }>['result'];
const READ = {
  config: defaultConfig(),
  ...(persona && { persona }),
  nonce: 'A1B2C3D4E5F6A7B8C9D0',
};
const DUE: Look = { ...READ, found: FOUND };
const LATE: Look = { ...READ, off: 'GitHub does not say who pushed this memory', isLagging: true };

/** What the job carries out: looks that are answered in this order, then words, then a proposal. */
async function play(looks: readonly Look[], timeoutMs = 120_000, refusal?: RefusedError) {
  const clock = createFastClock();
  const store = await openSqliteStore({ memory: true, clock });
  onTestFinished(() => store.close());
  const kinds: string[] = [];
  const perform: Perform = async ({ data: { kind } }) => {
    const nth = kinds.filter((each) => each === kind).length;
    kinds.push(kind);
    const look = looks[Math.min(nth, looks.length - 1)] ?? LATE;
    if (kind === 'look-consolidation') return { effectKind: kind, result: look, githubCalls: {} };
    const value = { lines: ['- [PATTERN] The parser keeps the order of rows'] };
    if (kind === 'ask') return { effectKind: kind, result: { value, calls: [] }, githubCalls: {} };
    if (refusal !== undefined) throw refusal;
    const result = { pull: { number: 1, url: '' } };
    return { effectKind: 'open-consolidation', result, githubCalls: {} };
  };
  const at = new Date(clock.now()).toISOString();
  const evidence = FOUND.evidence;
  const nothing = await playMemory({
    basics: { env: {}, log, clock, random: systemRandom },
    context: { repository: THREAD } as never,
    ticket: { claim: 'memory', at, persona: handle, evidence },
    store,
    perform,
    timeoutMs,
  });
  return { nothing, kinds };
}

test('what GitHub lists a moment late is looked at again, and proposed', async () => {
  const { nothing, kinds } = await play([LATE, LATE, DUE]);
  expect(nothing).toBeUndefined();
  const looks = Array.from({ length: 3 }, () => 'look-consolidation');
  expect(kinds).toEqual([...looks, 'ask', 'open-consolidation']);
});

test('what GitHub never lists is a failure of GitHub, and no model is asked', async () => {
  const { nothing, kinds } = await play([LATE]);
  expect(nothing).toMatchObject({ isFailed: true, isUntried: true });
  expect(nothing?.why).toContain('github-lagging');
  expect(kinds).not.toContain('ask');
});

test('what takes longer than its job has for it is given up, and a later pass tries again', async () => {
  await expect(play([LATE], 1_000)).rejects.toMatchObject({ code: 'not-settled', retryable: true });
});

test.each([
  ['a setting lets no workflow open pull requests', true, MAY_NOT_OPEN_PULLS],
  ['a permission of the job is missing', false, 'GitHub answered 403 to POST /pulls.'],
])('where %s, a refused proposal is no try: %s', async (_, isForbidden, message) => {
  const refusal = new RefusedError({ code: 'github-forbidden', message });
  const { nothing } = await play([DUE], undefined, refusal);
  expect(nothing).toMatchObject({ isFailed: true, isUntried: false, isForbidden });
});
