/** What a run was like for its voices, as it is recorded. */
import { expect, test } from 'vitest';
import { experiencesOf } from '../../../../src/decide/kinds/reflection/experiences.ts';
import type { ReflectionMaterial } from '../../../../src/domain/memory/reflection.ts';
import type { FindingStatus } from '../../../../src/domain/review/review.ts';
import type { ThreadState } from '../../../../src/decide/run/thread-context.ts';
import { verifies } from '../../../verifies.ts';

const MATERIAL: ReflectionMaterial = {
  run: 'RUN',
  subject: 'change',
  headSha: 'a',
  verdict: 'CHANGES',
  headline: '',
  voices: [{ handle: 'maya', vote: 'CHANGES', line: 'No.', findings: [] }],
  trust: 'maintainer',
  cited: [],
};
const said = (handle: string, vote?: string) => ({
  handle,
  outcome: vote === undefined ? 'skipped' : 'said',
  ...(vote && { position: { vote, line: `${vote} it is` } }),
});
const found = (status: FindingStatus, personas = ['maya'], why?: string) => ({
  status,
  why,
  finding: { personas, title: 'A leak', path: 'src/a.ts', fingerprint: `f-${status}` },
});

function lived(
  over: Partial<ReflectionMaterial>,
  contributions: unknown[] = [],
  findings: unknown[] = [],
) {
  const run = { id: 'RUN', trigger: 'pr_review', contributions };
  const state = { runs: { review: run }, ledger: { findings } } as unknown as ThreadState;
  return experiencesOf(state, { number: 12 }, { ...MATERIAL, ...over }).map(
    ({ persona, experience: { kind, id, text } }) => ({ persona, kind, id, text }),
  );
}

const ASKED = { question: 'Per user?', by: 'tom', words: 'Yes, since 2019.' };
const AUTHOR = { id: 5, login: 'tom' };
const asks = [{ handle: 'maya', vote: 'HUMAN' as const, line: 'Who owns it?', findings: [] }];

verifies('TG-16', 'what a person answered, in full, is guidance for every voice', () => {
  expect(lived({ answered: ASKED })).toEqual([
    {
      persona: 'maya',
      kind: 'owner_guidance',
      id: 'RUN/owner_guidance',
      text: 'Asked: Per user? tom answered: Yes, since 2019.',
    },
  ]);
});

verifies('TG-16', 'each other kind comes from what was recorded', () => {
  const kinds = (list: ReturnType<typeof lived>) =>
    list.map(({ persona, kind }) => [persona, kind]);
  expect(kinds(lived({ voices: asks }))).toEqual([['maya', 'question_emerged']]);
  expect(kinds(lived({ author: AUTHOR }))).toEqual([['maya', 'connection_formed']]);
  expect(kinds(lived({}, [said('bo')]))).toEqual([['bo', 'chose_silence']]);
  expect(kinds(lived({}, [said('bo', 'CHANGES'), said('bo', 'APPROVE')]))).toEqual([
    ['bo', 'saw_perspective'],
  ]);
  expect(kinds(lived({}, [], [found('fixed')]))).toEqual([['maya', 'helped_someone']]);
  expect(kinds(lived({}, [], [found('dismissed')]))).toEqual([['maya', 'was_challenged']]);
  expect(kinds(lived({}, [], [found('refuted')]))).toEqual([['maya', 'was_challenged']]);
  expect(kinds(lived({}, [], [found('open', ['maya', 'bo'])]))).toEqual([
    ['maya', 'idea_resonated'],
    ['bo', 'idea_resonated'],
  ]);
});

test('a voice that kept its vote, and a finding that is only open, bring nothing', () => {
  expect(lived({}, [said('bo', 'CHANGES'), said('bo', 'CHANGES')], [found('open')])).toEqual([]);
});

test('what became of a finding has its name, so that a later run records it again as the same', () => {
  const [first] = lived({}, [], [found('dismissed', ['maya'], 'it is meant so')]);
  expect(first).toMatchObject({
    id: 'f-dismissed/was_challenged',
    text: 'A leak (src/a.ts): it is meant so',
  });
});

test('a run that was replaced meanwhile brings what its material says', () => {
  const state = { runs: {} } as unknown as ThreadState;
  const all = experiencesOf(state, { number: 12 }, { ...MATERIAL, author: AUTHOR });
  expect(all).toMatchObject([
    { experience: { thread: 12, run: 'RUN', author: AUTHOR, trust: 'maintainer' } },
  ]);
});
