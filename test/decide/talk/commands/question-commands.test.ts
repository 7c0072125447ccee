/** A question by command finds who answers it. */
import { expect, test } from 'vitest';
import { aComment, aView, TEAM } from '../../../helpers/an-issue.ts';
import { BEFORE, refusal, say, sumUp } from './say-on-thread.ts';

const NOBODY = TEAM.map((persona) => ({ ...persona, active: false }));

test.each([
  ['/pm ask where is it?', 'carlos', 'where is it?'],
  ['/pm ask Maya, where is it?', 'carlos', 'Maya, where is it?'],
  ['/pm consult maya where is it?', 'maya', 'where is it?'],
  ['/pm consult @Priya where is it?', 'priya', 'where is it?'],
])('%s is for %s', (words, handle, text) => {
  const came = say(words);
  expect(came).toMatchObject({
    said: '',
    reaction: 'eyes',
    effects: [{ kind: 'look', about: text }],
  });
  const [talk] = Object.values(came.state.talks ?? {});
  expect(talk?.questions).toEqual([{ handle, text, command: words, depth: 0 }]);
});

test('the last team member who spoke answers', () => {
  const spoke = aComment({
    author: aView().self,
    createdAt: BEFORE,
    marker: { kind: 'notice', run: 'r', key: 'voice-maya-7' },
  });
  const came = say('/pm ask and why?', { view: { comments: [spoke] } });
  const [talk] = Object.values(came.state.talks ?? {});
  expect(talk?.questions[0]?.handle).toBe('maya');
});

test('nobody is asked who is not there', () => {
  const asked = say('/pm ask where is it?', { view: { personas: NOBODY } });
  expect(sumUp(asked)).toEqual(refusal('No member of the team is active here.'));
  const words = 'The team has no member called `nemo`. The team: `carlos`, `maya`, `priya`, `dev`.';
  expect(sumUp(say('/pm consult nemo why?'))).toEqual(refusal(words));
});
