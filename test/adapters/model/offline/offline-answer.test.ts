/** `/pm ask` without a model: what is found for the question, or that only names can be looked up. */
import { expect, test } from 'vitest';
import { answerQuestion } from '../../../../src/adapters/model/offline/offline-answer.ts';
import { evidenceFor } from '../../../../src/rules/issue/question-evidence.ts';
import { aView } from '../../../rules/issue/small-repository.ts';

const VIEW = aView({
  title: 'Quoted cells are split',
  body: '`parseTable` in `src/parse.ts` splits a quoted cell at its delimiter.',
});
const persona = { handle: 'dev', name: 'Dev', role: 'Implementer', lens: '', domains: [] };

function answer(question: string): string {
  const evidence = evidenceFor(question, VIEW);
  return answerQuestion({
    evidence,
    purpose: 'answer',
    persona,
    verdicts: ['HUMAN'],
    round: 1,
    mode: 'single',
  }).text;
}

test('a question with a name in it is answered from the question', () => {
  const said = answer('Where is `renderMarkdown`?');
  expect(said).toMatch(/^What the code shows:\n\n- `renderMarkdown` is in /);
  expect(said).not.toContain('parseTable');
});

test('a question without any name says so, and what follows is not passed off as an answer', () => {
  const said = answer('How do we get this onto the servers?');
  expect(said).toMatch(
    /^Without a model I can only look up names, and I found none of this question in the repository\. This is what the thread itself is about:\n\n/,
  );
  expect(said).toContain('parseTable');
});
