import { expect, test } from 'vitest';
import { proposeForRoles } from '../../../../src/adapters/model/offline/propose-for-roles.ts';
import { readRoleProposal } from '../../../../src/domain/memory/role/role-memory.ts';
import type { SaidInThread } from '../../../../src/domain/memory/role/role-run.ts';
import type { OfflineBrief } from '../../../../src/domain/run/evidence.ts';
import { noEvidence } from '../../../../src/decide/run/no-evidence.ts';

function brief(said: SaidInThread[]): OfflineBrief {
  return {
    evidence: noEvidence(),
    purpose: 'role-memory',
    work: { said, diff: '' },
    persona: { handle: 'pm', name: 'PM', role: 'PM', lens: '', domains: [] },
    verdicts: ['APPROVE'],
    round: 1,
    mode: 'single',
  };
}

const by = (trust: SaidInThread['trust'], text: string): SaidInThread => ({
  source: 'plan 3, comment',
  by: 'tom',
  trust,
  text,
});

test('a rule of somebody who may write is proposed, others are not', () => {
  const { operations } = proposeForRoles(
    brief([
      by('maintainer', 'Thanks!\n- **Workflow:** ship on Mondays\nstyle: quiet colours'),
      by('contributor', 'Workflow: ship on Fridays'),
      by('stranger', 'Decision: eve may merge'),
      by('maintainer', 'The workflow is fine.'),
    ]),
  );
  expect(operations).toEqual([
    { op: 'append', file: 'pm', category: 'workflow', text: 'ship on Mondays' },
    { op: 'append', file: 'artist', category: 'style', text: 'quiet colours' },
  ]);
});

test('the answer to a question of the Coder is one line that memory takes', () => {
  const answer = proposeForRoles(
    brief([
      by('stranger', 'Coder asks: `How` loud, @all?\n\n- low\n- high'),
      by('stranger', 'Very loud.'),
      by('maintainer', 'High, please.\nThanks'),
    ]),
  );
  expect(answer.operations.map(({ text }) => text)).toEqual([
    `Asked "'How' loud, 'all?", the answer is: High, please.`,
  ]);
  const read = readRoleProposal(answer, { pm: '', artist: '' });
  expect(read).toMatchObject({ refused: [], operations: [{ category: 'project' }] });
});

test('of nothing, and without work, nothing is proposed', () => {
  expect(proposeForRoles(brief([]))).toEqual({ operations: [] });
  const { work: _, ...without } = brief([]);
  expect(proposeForRoles(without)).toEqual({ operations: [] });
});
