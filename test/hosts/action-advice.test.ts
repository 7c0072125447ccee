/** What the summary of a job adds to a refusal of GitHub. */
import { expect, test } from 'vitest';
import { RefusedError } from '../../src/domain/event/errors.ts';
import { adviseOnRefusal } from '../../src/hosts/action/tell/advise-on-refusal.ts';

const said = (words: string): RefusedError =>
  new RefusedError({
    code: 'github-forbidden',
    message: 'GitHub answered 403 to POST /git/refs.',
    details: `Accept the permissions of the App on its installation page.\nGitHub said: ${words}`,
  });

test('a token without a permission gets the permissions of the job as advice', () => {
  const advice = adviseOnRefusal(said('Resource not accessible by integration'));
  expect(advice).toContain('`permissions` that docs/actions.md names');
});

test('any other refusal gets the words of GitHub, in which the runner finds no command', () => {
  const advice = adviseOnRefusal(said('Repository was archived so is read-only. ::add-mask::a'));
  expect(advice).toMatch(/^GitHub said: Repository was archived so is read-only\./);
  expect(advice).not.toContain('permissions');
});

test('other errors get no advice', () => {
  const invalid = new RefusedError({ code: 'github-invalid', message: 'GitHub answered 422.' });
  for (const error of [invalid, new Error('no'), undefined])
    expect(adviseOnRefusal(error)).toBe('');
});
