/** The files in a prompt: rid of credentials and of what nobody sees, before they are cut. */
import { expect, test } from 'vitest';
import { sharedPrompt } from '../../../src/decide/discussion/ask/council-prompt.ts';
import { decideEvidence } from '../../../src/rules/issue/decide-evidence.ts';
import { aPersona } from '../../helpers/a-persona.ts';
import { aView } from '../../rules/issue/small-repository.ts';

const CAP = 12_000;

function promptWith(text: string): string {
  const view = aView({
    title: 'Crash',
    body: 'See `src/parse.ts`.',
    files: [{ path: 'src/parse.ts', text, isCut: false }],
  });
  const evidence = decideEvidence({ ...view, files: [] });
  return sharedPrompt({
    view,
    nonce: 'k7f3q9x2m5v8b1n4',
    evidence,
    persona: aPersona({ handle: 'maya', name: 'Maya', role: 'Reviewer', triggers: [] }),
  }).join('\n');
}

test('a credential that the cap would cut in two does not go through in part', () => {
  const token = ['ghp', 'Ab1'.repeat(12)].join('_');
  for (const kept of [8, 20, 33]) {
    const prompt = promptWith(`${'x\n'.repeat((CAP - kept) / 2)}${token}\nend\n`);
    expect(prompt).not.toContain(token.slice(0, 7));
  }
});

test('a credential that invisible characters break up is taken out, and they are gone and counted', () => {
  const [first, second] = [['ghp', 'Ab1Ab1'].join('_'), 'Ab1'.repeat(11)];
  const prompt = promptWith(
    `const a = 1;\n// ${first}\u{200b}${second}\n// \u{e0041}\u{e0042}seen\n`,
  );
  expect(prompt).not.toContain(second);
  expect(prompt).not.toMatch(/[\u{200b}\u{e0041}\u{e0042}]/u);
  expect(prompt).toContain('2\t// (GitHub token removed)');
  expect(prompt).toContain('3\t// seen');
  expect(prompt).toMatch(/src\/parse\.ts[^\n]*hidden-removed="?3/);
});

test('lines after a key keep their numbers', () => {
  const head = ['-----BEGIN', 'PRIVATE', 'KEY-----'].join(' ');
  const prompt = promptWith(`a\n${head}\n${'Ab1+'.repeat(16)}\n${'Cd2/'.repeat(16)}\n}\n`);
  expect(prompt).not.toContain('Ab1+Ab1+');
  expect(prompt).toContain('5\t}');
});
