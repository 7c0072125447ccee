/** GitHub's refusals of unsigned commits, in the words of public threads; each is named in src/domain/github/signature-rule.ts. */
import { expect, test } from 'vitest';
import { saySignatureRefusal } from '../../../src/domain/github/signature-rule.ts';

test.each([
  'Commits must have verified signatures.',
  'Commits must have valid signatures.',
  'Base branch requires signed commits. Rebase merges cannot be automatically signed by GitHub',
  'remote: error: GH006: Protected branch update failed. · remote: error: Commits must have verified signatures.',
])('recognises %j as a branch that requires signatures', (said) => {
  expect(saySignatureRefusal(said)).toContain('only commits with verified signatures');
});

test('takes no other refusal for one', () => {
  expect(saySignatureRefusal('Required status check "ci" is expected.')).toBeUndefined();
});
