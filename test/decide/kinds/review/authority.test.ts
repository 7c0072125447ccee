/**
 * A review at a terminal continues where a role on GitHub would stop it: nothing is posted, and the
 * person who asks pays.
 */
import { describe, expect, test } from 'vitest';
import {
  RUN_CONDITIONS,
  type RunAuthority,
} from '../../../../src/domain/run/permit/run-authority.ts';
import { aPullView } from '../../../helpers/a-finding.ts';
import { aPosition, aVerdict } from '../../../helpers/an-issue.ts';
import { ANA, play, THREAD } from '../../../helpers/play.ts';

type View = Parameters<typeof aPullView>[0];

const TERMINAL: RunAuthority = { kind: 'terminal', waives: RUN_CONDITIONS };
const HEAD = 'b'.repeat(40);
const REPOSITORY = aPullView().repository;
const STOPPED: [string, View, string][] = [
  ['a draft', { pull: { isDraft: true } }, 'it is a draft'],
  ['a closed one', { pull: { state: 'closed' } }, 'the pull request was closed'],
  ['a locked one', { pull: { isLocked: true } }, 'the conversation is locked'],
  ['one on hold', { pull: { labels: ['hold'] } }, 'it is on hold'],
  [
    'one of an archived repository',
    { repository: { ...REPOSITORY, isArchived: true } },
    'the repository is archived',
  ],
  [
    'one where Quorum is switched off',
    { config: { enabled: false } },
    'Quorum is switched off here (`enabled: false`)',
  ],
];

function review(view: View, authority?: RunAuthority) {
  const played = play({
    look: () => ({ code: 'bug', message: '', retryable: false }),
    ask: ({ purpose }) => (purpose === 'verdict' ? aVerdict() : aPosition()),
    pull: () => aPullView(view),
  });
  played.send({
    kind: 'pull',
    action: 'opened',
    thread: THREAD,
    actor: ANA,
    headSha: HEAD,
    ...(authority && { authority }),
  });
  return played.run();
}

describe('a pull request that is not reviewed on GitHub', () => {
  test.each(STOPPED)('%s is stopped there', (_, view, reason) => {
    expect(review(view)).toMatchObject({ status: 'closed', endReason: reason });
  });

  test.each(STOPPED)('%s is reviewed at a terminal', (_, view) => {
    const run = review(view, TERMINAL);
    expect(run.authority).toEqual(TERMINAL);
    expect(run.endReason).toBeUndefined();
    expect(run.review?.headSha).toBe(HEAD);
  });

  test('a condition that a terminal does not waive still stops it', () => {
    const authority: RunAuthority = { kind: 'terminal', waives: ['role'] };
    expect(review({ pull: { isDraft: true } }, authority).endReason).toBe('it is a draft');
  });
});
