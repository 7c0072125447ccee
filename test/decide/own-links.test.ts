/** Models' texts keep links to the GitHub that they are posted on: the host comes with what was read of the repository. */
import { describe, expect, test } from 'vitest';
import { renderAnswer as renderTalk } from '../../src/decide/talk/conversation/render-answer.ts';
import { renderPlanningAnswer as renderPlanning } from '../../src/decide/plan/planning/render-planning.ts';
import { renderPullBody } from '../../src/decide/task/render-task-pull.ts';
import type { Planning } from '../../src/domain/plan/planning.ts';
import { toPlanBody } from '../../src/domain/plan/draft.ts';
import type { TaskRun } from '../../src/domain/task/task.ts';
import type { Talk } from '../../src/domain/run/talk.ts';
import { aPullView } from '../helpers/a-finding.ts';
import { GOOD, HEAD, ORDER, playTask } from '../helpers/a-task.ts';
import { aPosition, aVerdict, aView } from '../helpers/an-issue.ts';
import { ANA, play, THREAD } from '../helpers/play.ts';

const HOST = 'git.example.org';
const OWN = `See [the file](https://${HOST}/acme/tidy/blob/main/a.ts).`;
const ELSEWHERE = 'See [the file](https://github.com/acme/tidy/blob/main/a.ts).';

const PLACES: Record<string, (text: string, host: string | undefined) => string> = {
  'a discussion': (text, host) => {
    const view = aView();
    const world = play({
      look: () => ({ ...view, repository: { ...view.repository, ...(host && { host }) } }),
      ask: ({ purpose }) =>
        purpose === 'verdict' ? aVerdict({ reasons: text }) : aPosition({ reasons: text }),
    });
    world.send({ kind: 'labeled', thread: THREAD, actor: ANA, label: 'deliberate' });
    return world.bodies().join('\n');
  },
  'a review': (text, host) => {
    const view = aPullView();
    const world = play({
      look: () => ({ code: 'bug', message: '', retryable: false }),
      pull: () => ({ ...view, repository: { ...view.repository, ...(host && { host }) } }),
      ask: ({ purpose }) =>
        purpose === 'verdict'
          ? aVerdict({ verdict: 'CHANGES', reasons: text, changes: [{ text }] })
          : aPosition({
              vote: 'CHANGES',
              reasons: text,
              findings: [{ severity: 'medium', title: 'A finding', evidence: text }],
            }),
    });
    const about = { thread: THREAD, actor: ANA };
    world.send({ kind: 'pull', action: 'opened', headSha: view.pull.headSha, ...about });
    return JSON.stringify(world.of('review'));
  },
  'a plan that the PM drafts': (text, host) => {
    const task = { number: 1, title: 'Say it', files: [], dependencies: [], estimate: '' };
    const draft = {
      title: 'Plan',
      goal: text,
      context: '',
      tasks: [{ ...task, description: 'Do.' }],
    };
    return toPlanBody({ ...draft, verification: [], risks: [] } as never, {
      repository: 'acme/tidy',
      host,
    }).body;
  },
  "the PM's answer": (text, host) =>
    renderPlanning(
      {
        id: 'p',
        thread: THREAD,
        ...(host && { host }),
        startedAt: '2026-03-02T09:00:00Z',
        made: { word: { risks: [text], questions: [] }, looked: [], isOffline: true },
      } as unknown as Planning,
      '',
      0,
    ),
  'a conversation': (text, host) =>
    renderTalk({
      text,
      references: [],
      talk: { thread: THREAD, ...(host && { host }) } as Talk,
      persona: undefined,
      answersBefore: 0,
      calls: [],
      now: 0,
    }),
  "a task's pull request": (text, host) => {
    const task = playTask();
    task.send({ kind: 'task-go', run: 'plan', order: ORDER });
    const { claim, code } = GOOD;
    task.answer({ ...claim, result: { ...claim.result, ...(host && { accountHost: host }) } });
    task.answer(code);
    const run = task.stream().run as TaskRun;
    const change = { ...run.change, summary: text } as NonNullable<TaskRun['change']>;
    return renderPullBody({ ...run, change }, HEAD);
  },
};

describe.each(Object.entries(PLACES))('in %s', (_, written) => {
  test('on an Enterprise Server a link to it stays, and one to github.com goes', () => {
    expect(written(OWN, HOST)).toContain(`(https://${HOST}/acme/tidy/blob/main/a.ts)`);
    expect(written(ELSEWHERE, HOST)).not.toContain('https://github.com/acme');
  });

  test('on github.com, and in states of before the host was kept, it is the other way round', () => {
    expect(written(OWN, undefined)).not.toContain(HOST);
    expect(written(ELSEWHERE, undefined)).toContain(
      '(https://github.com/acme/tidy/blob/main/a.ts)',
    );
  });
});
