/** Checks of single gates: posted where the base branch requires them by name, and nowhere else. */
import { expect } from 'vitest';
import { mergeView as view, playToPull, REVIEWED } from '../../../helpers/a-task.ts';
import { verifies } from '../../../verifies.ts';

function namesShown({ checks }: { checks: readonly { name: string }[] }): string[] {
  return checks.map(({ name }) => name);
}

verifies('TG-6', 'shows a gate alone only where the base branch requires it by name', () => {
  const play = playToPull();
  expect(namesShown(play.last('check'))).toEqual(['quorum / gates']);
  play.send(REVIEWED);
  const required = [
    { name: 'quorum / gate / tests', state: 'missing' as const },
    { name: 'ci', state: 'success' as const },
  ];
  play.answer(view({ required }));
  expect(namesShown(play.last('check'))).toEqual(['quorum / gate / tests']);
  // It is looked at again after the check, in the same lane.
  const lanes = play.effects.slice(-2).map(({ data, lane }) => [data.kind, lane]);
  expect(lanes).toEqual([
    ['check', lanes[1]?.[1]],
    ['look-merge', expect.any(String)],
  ]);
  play.answer(view({ required }));
  expect(namesShown(play.last('check'))).toEqual(['quorum / merge']);
  expect(play.stream().run?.missing?.join()).toContain('`quorum / gate / tests` (missing)');
});
