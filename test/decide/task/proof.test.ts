/** A merge and the receipts that it rests on. */
import { expect } from 'vitest';
import type { PullNews } from '../../../src/domain/event/event.ts';
import { HEAD, mergeView, ORDER, playToPull, TOM } from '../../helpers/a-task.ts';
import { verifies } from '../../verifies.ts';

verifies(
  'TG-5',
  'a merge waits while its receipts do not prove the head, and hands them over',
  () => {
    const play = playToPull();
    const tell = (news: PullNews): unknown => play.send({ kind: 'pull-told', run: 'r', news });
    const word = { by: TOM, headSha: HEAD, at: '2026-11-22T09:00:00Z' };
    tell({ kind: 'reviewed', headSha: HEAD, verdict: 'APPROVE', asks: [] });
    play.answer(mergeView());
    tell({ kind: 'merge', word });
    const { proof } = play.last('look-merge');
    expect(proof).toMatchObject({ task: ORDER.ref });
    expect(proof?.receipts.map(({ gate }) => gate)).toEqual(['P', 'S', '1', '2', '3', '4']);
    const unproved = ['gate 3 (push) has not passed for this head'];
    play.answer(mergeView({ proved: { unproved, isOfBase: true, isRetested: false } }));
    expect(play.stream().run?.missing).toEqual(unproved);
    tell({ kind: 'merge', word });
    const older = mergeView();
    if (older.effectKind === 'look-merge') delete older.result.proved;
    play.answer(older);
    expect(play.stream().run?.missing).toEqual(['the gates are checked again']);
    expect(play.effects.some(({ data }) => data.kind === 'merge')).toBe(false);
    tell({ kind: 'merge', word });
    play.answer(mergeView());
    expect(play.last('merge').proof).toEqual(proof);
  },
);
