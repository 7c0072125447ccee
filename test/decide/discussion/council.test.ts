import { describe, expect, test } from 'vitest';
import type { Position, Verdict } from '../../../src/domain/run/council.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import type { Failure } from '../../../src/domain/event/errors.ts';
import type { Trigger } from '../../../src/domain/event/trigger.ts';
import type { RunTrace } from '../../../src/domain/run/run-trace.ts';
import type { IssueView } from '../../../src/domain/run/view.ts';
import { aComment, aPosition, aVerdict, aView } from '../../helpers/an-issue.ts';
import { ANA, play, THREAD, type Play, type Script } from '../../helpers/play.ts';
import { verifies } from '../../verifies.ts';

const LABELED: Trigger = { kind: 'labeled', thread: THREAD, actor: ANA, label: 'deliberate' };
const TIMED_OUT: Failure = { code: 'model-timeout', message: 'no answer', retryable: true };

interface Told {
  view?: () => IssueView | Failure;
  positions?: Record<string, Partial<Position> | Failure | ((round: number) => Partial<Position>)>;
  leadAlone?: Partial<Position>;
  verdict?: Partial<Verdict> | Failure | ((nth: number) => Partial<Verdict>);
}

function council(told: Told = {}): Play {
  let verdicts = 0;
  const script: Script = {
    look: told.view ?? (() => aView()),
    ask: (ask) => {
      if (ask.purpose === 'verdict') {
        verdicts += 1;
        const given = typeof told.verdict === 'function' ? told.verdict(verdicts) : told.verdict;
        return given !== undefined && 'retryable' in given ? given : aVerdict(given ?? {});
      }
      if (ask.purpose === 'lead-alone') return aPosition(told.leadAlone);
      const said = told.positions?.[ask.persona];
      const given = typeof said === 'function' ? said(ask.round) : said;
      if (given !== undefined && 'retryable' in given) return given;
      return aPosition({ reasons: `${ask.persona} looked at it in round ${ask.round}.`, ...given });
    },
  };
  return play(script);
}

function withCouncil(settings: Partial<ReturnType<typeof defaultConfig>['council']>): IssueView {
  const config = defaultConfig();
  return aView({ config: { council: { ...config.council, ...settings } } });
}

function lastBody(played: Play): string {
  return played.of('comment').findLast(({ marker }) => marker.kind !== 'notice')?.body ?? '';
}

test('all see totals of the roadmap and a few titles, the lead every title', () => {
  const items = Array.from({ length: 7 }, (_, n) => `- [ ] step ${n}\n`).join('');
  const text = `## Next\n${items}`;
  const played = council({ view: () => aView({ roadmap: { path: 'ROADMAP.md', text } }) });
  played.send(LABELED);
  const asks = played.of('ask');
  const shared = asks.map(({ prompt }) => prompt.shared.join('\n'));
  expect(new Set(shared).size).toBe(1);
  expect(shared[0]).toMatch(
    /source="roadmap, ROADMAP\.md" trust="maintainer">>>\n- Next: 0 of 7 done\n {2}- step 0\n/,
  );
  expect(shared[0]).not.toContain('step 6');
  const whole = asks.filter(({ prompt }) => prompt.own.join('\n').includes('  - step 6'));
  expect(new Set(whole.map(({ persona }) => persona))).toEqual(new Set(['carlos']));
});

describe('a blind deliberation', () => {
  verifies(
    ['NW-5', 'NW-5b'],
    'everybody is asked at once and sees nobody, then the lead sees all',
    () => {
      const played = council();
      played.send(LABELED);
      const asks = played.of('ask');
      const contributors = asks.filter((ask) => ask.purpose === 'position');
      expect(contributors.map((ask) => ask.persona).toSorted()).toEqual(['dev', 'maya', 'priya']);
      expect(contributors.every((ask) => ask.brief.evidence.positions.length === 0)).toBe(true);
      const verdict = asks.find((ask) => ask.purpose === 'verdict');
      expect(verdict?.persona).toBe('carlos');
      expect(verdict?.brief.evidence.positions.map((each) => each.handle).toSorted()).toEqual([
        'dev',
        'maya',
        'priya',
      ]);
      expect(played.run().status).toBe('consensus');
      expect(played.run().result).toBe('approved');
    },
  );

  test('the run of another instance that took the label off with its verdict is given way to', () => {
    let looks = 0;
    const now = new Date(8.64e15).toISOString();
    const other: RunTrace = { run: 'other', id: 1, stage: 'ended', movedAt: now, isForeign: true };
    const played = council({
      view: () => {
        looks += 1;
        return looks === 1 ? aView() : { ...aView({ issue: { labels: [] } }), traces: [other] };
      },
    });
    played.send(LABELED);
    expect(played.run().endReason).toMatch(/^another instance of the App speaks/);
    expect(played.of('comment').at(-1)).toMatchObject({ isWithdrawn: true });
  });

  test('the part that all voices share comes first, byte for byte the same', () => {
    const played = council();
    played.send(LABELED);
    const shared = played.of('ask').map((ask) => JSON.stringify(ask.prompt.shared));
    // The lead's verdict too: only whose turn it is differs.
    expect(shared.length).toBe(5);
    expect(new Set(shared).size).toBe(1);
  });

  verifies('NW-9', 'READY sets the label, takes the trigger off and answers the reaction', () => {
    const played = council();
    played.send(LABELED);
    const labels = played.of('labels').at(-1);
    expect(labels?.add.map((label) => label.name)).toEqual(['ready']);
    expect(labels?.remove).toContain('deliberate');
    expect(played.of('react').map((each) => [each.add, each.remove])).toEqual([
      ['eyes', undefined],
      ['rocket', 'eyes'],
    ]);
    expect(played.of('close')).toEqual([]);
    expect(lastBody(played)).toMatch(/^### Ready: worth doing, small/);
  });

  verifies('NW-9', 'DRAFT sets its label and lists what is missing', () => {
    const played = council({
      verdict: {
        verdict: 'DRAFT',
        changes: [{ text: 'say what is expected', place: { path: 'src/cli.ts', line: 3 } }],
      },
    });
    played.send(LABELED);
    expect(
      played
        .of('labels')
        .at(-1)
        ?.add.map((label) => label.name),
    ).toEqual(['draft']);
    expect(lastBody(played)).toContain('- [ ] say what is expected ([`src/cli.ts#L3`]');
  });

  verifies('NW-9', 'CLOSE closes as a duplicate of an issue that was read', () => {
    const original = {
      number: 4,
      title: 'Quiet flag for the tidy command',
      state: 'open' as const,
      labels: [],
      body: 'tidy prints a line per file; a --quiet flag to print only errors',
      isPull: false,
    };
    const played = council({
      view: () => aView({ pastIssues: [original] }),
      verdict: { verdict: 'CLOSE', closeReason: 'duplicate', duplicateOf: 4 },
      positions: { dev: { vote: 'CLOSE' }, maya: { skip: true }, priya: { vote: 'CLOSE' } },
    });
    played.send(LABELED);
    expect(played.of('close').map((each) => each.reason)).toEqual(['duplicate']);
    expect(lastBody(played)).toContain('The same as #4');
  });

  verifies('NW-5b', 'a SKIP posts nothing, and words that were said already are dropped', () => {
    const played = council({
      positions: {
        maya: { skip: true },
        priya: { line: 'one', reasons: 'the same words' },
        dev: { line: 'One!', reasons: 'The same  words.' },
      },
    });
    played.send(LABELED);
    const outcomes = played
      .run()
      .contributions.map((each) => each.outcome)
      .toSorted();
    expect(outcomes).toEqual(['repeated', 'said', 'skipped']);
    expect(lastBody(played)).not.toContain('Maya');
  });
});

describe('rounds', () => {
  const critical = {
    severity: 'high' as const,
    title: 'tokens are logged',
    evidence: 'src/cli.ts prints them',
  };

  verifies(
    'NW-5b',
    'a disputed serious finding opens round 2, in which everybody sees everything',
    () => {
      const played = council({
        positions: {
          maya: (round) => ({
            vote: round === 1 ? 'DRAFT' : 'READY',
            findings: round === 1 ? [critical] : [],
          }),
        },
      });
      played.send(LABELED);
      const second = played
        .of('ask')
        .filter((ask) => ask.purpose === 'position' && ask.round === 2);
      expect(second.length).toBeGreaterThan(0);
      expect(second.every((ask) => ask.brief.evidence.positions.length > 0)).toBe(true);
      expect(played.run().round).toBe(2);
    },
  );

  verifies(
    'NW-5b',
    'there are never more than two rounds and six contributions, the lead’s included',
    () => {
      const played = council({
        positions: { maya: { vote: 'DRAFT', findings: [critical] } },
        verdict: () => ({ anotherRound: true }),
      });
      played.send(LABELED);
      expect(played.run().round).toBe(2);
      const made = played.of('ask').filter((ask) => ask.purpose === 'position').length;
      expect(made).toBeLessThanOrEqual(5);
      expect(played.run().status).not.toBe('active');
    },
  );

  verifies('NW-5b', 'in sequence each sees those before', () => {
    const played = council({ view: () => withCouncil({ mode: 'sequential' }) });
    played.send(LABELED);
    const asks = played.of('ask').filter((ask) => ask.purpose === 'position');
    expect(asks.map((ask) => ask.brief.evidence.positions.length)).toEqual([0, 1, 2]);
  });

  test('a single reviewer is asked once and nobody else is', () => {
    const played = council({ view: () => withCouncil({ mode: 'single' }) });
    played.send(LABELED);
    expect(played.of('ask').map((ask) => ask.purpose)).toEqual(['verdict']);
    expect(played.run().meter).toMatchObject({ leadAlone: 'READY', changed: false });
  });
});

describe('bounds on the lead', () => {
  const finding = {
    severity: 'critical' as const,
    title: 'the command runs what the issue says',
    evidence: 'exec in src/cli.ts',
    place: { path: 'src/cli.ts', line: 1 },
  };

  verifies(
    'NW-8',
    'READY over a critical finding that two voices raised becomes a question',
    () => {
      const played = council({
        positions: {
          maya: { vote: 'DRAFT', confidence: 0.5, findings: [finding] },
          priya: { vote: 'DRAFT', confidence: 0.5, findings: [finding] },
          dev: { confidence: 0.5 },
        },
      });
      played.send(LABELED);
      expect(played.run().verdict?.verdict).toBe('HUMAN');
      expect(played.run().status).toBe('blocked');
      expect(lastBody(played)).toContain('a critical finding is open');
    },
  );

  verifies('NW-8', 'a duplicate that nobody read is not believed', () => {
    const played = council({
      verdict: { verdict: 'CLOSE', closeReason: 'duplicate', duplicateOf: 999 },
    });
    played.send(LABELED);
    expect(played.run().verdict?.verdict).toBe('HUMAN');
    expect(played.of('close')).toEqual([]);
  });

  verifies(
    'NW-8',
    'too few answers, or none from the lead, is left to a person with one question and an owner',
    () => {
      const few = council({ positions: { maya: TIMED_OUT, priya: TIMED_OUT } });
      few.send(LABELED);
      expect(few.run()).toMatchObject({
        status: 'blocked',
        result: 'human_needed',
        needsYou: { owner: 'ana' },
      });
      expect(lastBody(few)).toContain('could not answer');
      const none = council({
        verdict: { code: 'model-invalid-output', message: 'x', retryable: false },
      });
      none.send(LABELED);
      expect(none.run().status).toBe('blocked');
      expect(
        none
          .of('labels')
          .at(-1)
          ?.add.map((label) => label.name),
      ).toEqual(['needs-human']);
      expect(lastBody(none)).toContain('**You decide:**');
    },
  );

  verifies('CB-14b', 'an exhausted budget is a partial result that says so', () => {
    const refused: Failure = { code: 'budget-thread', message: 'used up', retryable: false };
    const played = council({ positions: { priya: refused }, verdict: refused });
    played.send(LABELED);
    expect(played.run().status).toBe('blocked');
    expect(lastBody(played)).toContain('partial result');
  });

  test.each([
    ['budget-thread', 'The budget for this thread is used up before a verdict.'],
    ['budget-host-day', 'This host has spent what it may today. There is no verdict yet.'],
  ])('%s: the question says whose money it is', (code, question) => {
    const message = 'This host has spent what it may today.';
    const refused = { code, message, retryable: false } as Failure;
    const played = council({ positions: { priya: refused }, verdict: refused });
    played.send(LABELED);
    expect(lastBody(played)).toContain(question);
  });
});

describe('people first', () => {
  const COMMENTED: Trigger = {
    kind: 'commented',
    thread: THREAD,
    actor: ANA,
    commentId: 500,
    isByBot: false,
  };

  verifies(
    'NW-10',
    'a comment stops further contributions; after the quiet the lead goes on with it in view',
    () => {
      let comments: IssueView['comments'] = [];
      const played = council({ view: () => aView({ comments }) });
      played.hold(LABELED);
      played.settle((effect) => effect.data.kind === 'look');
      comments = [aComment()];
      played.hold(COMMENTED);
      played.settle();
      expect(played.of('ask').some((ask) => ask.purpose === 'verdict')).toBe(false);
      played.passTime(59_000);
      expect(played.run().phase.kind).toBe('listening');
      played.passTime(2_000);
      const verdict = played.of('ask').find((ask) => ask.purpose === 'verdict');
      expect(verdict?.prompt.shared.join('')).toContain('Keep it simple, please.');
      expect(played.run().status).toBe('consensus');
    },
  );

  verifies('NW-10', 'each further comment restarts the quiet period', () => {
    const played = council({ view: () => aView({ comments: [aComment()] }) });
    played.hold(LABELED);
    played.settle((effect) => effect.data.kind === 'look');
    played.hold({ ...COMMENTED, commentId: 501 });
    played.passTime(40_000);
    played.hold({ ...COMMENTED, commentId: 502 });
    played.passTime(40_000);
    expect(played.run().phase.kind).toBe('listening');
    played.passTime(21_000);
    expect(played.run().status).toBe('consensus');
  });

  verifies(['NW-5', 'NW-10'], 'a blocked run goes on when somebody entitled answers', () => {
    let comments: IssueView['comments'] = [];
    const played = council({
      view: () => aView({ comments }),
      verdict: (nth) => (nth === 1 ? { verdict: 'HUMAN', question: 'Keep the old name?' } : {}),
    });
    played.send(LABELED);
    expect(played.run().status).toBe('blocked');
    const stranger = { id: 300, login: 'eve', isBot: false };
    comments = [aComment({ id: 600, author: stranger, permission: 'none', body: 'yes!' })];
    played.send({ ...COMMENTED, actor: stranger, commentId: 600 });
    expect(played.run().status).toBe('blocked');
    // A command is an order to the App, and answers nothing.
    comments = [...comments, aComment({ id: 601, body: '/PM status\n/pm cost' })];
    played.send({ ...COMMENTED, commentId: 601 });
    expect(played.run().status).toBe('blocked');
    comments = [...comments, aComment({ id: 602, body: 'Yes, for one release.\n\n/pm status' })];
    played.send({ ...COMMENTED, commentId: 602 });
    expect(played.run().status).toBe('consensus');
    expect(played.of('labels').at(-1)?.remove).toContain('needs-human');
    // Edits notify nobody, so each person who is asked gets a comment of their own. The question
    // itself stays readable.
    const told = played.of('comment').filter(({ marker }) => marker.kind === 'notice');
    expect(told.map(({ marker, isNew }) => [marker.key?.replace(/\d+$/, ''), isNew])).toEqual([
      ['question-', true],
      ['settled-', true],
    ]);
    expect(told.map(({ body }) => body)).toEqual([
      "**@ana, the team needs your decision:** Keep the old name? A reply here is enough; the team's comment above has the reasons.",
      '@ana, your question is settled: **Ready: worth doing, small**. It was: Keep the old name?',
    ]);
    expect(lastBody(played)).toContain('> **Asked:** Keep the old name? Answered by `ana`.');
  });

  test('an unanswered question is asked again after a day, and only while it is open', () => {
    let state: 'open' | 'closed' = 'open';
    const played = council({
      view: () => aView({ issue: { state } }),
      verdict: { verdict: 'HUMAN', question: 'Keep the old name?' },
    });
    played.send(LABELED);
    const reminders = () =>
      played.of('comment').filter(({ marker }) => marker.key?.startsWith('reminder-')).length;
    played.passTime(23 * 3_600_000);
    expect(reminders()).toBe(0);
    played.passTime(2 * 3_600_000);
    expect(reminders()).toBe(1);
    state = 'closed';
    played.passTime(30 * 24 * 3_600_000);
    expect(reminders()).toBe(1);
    expect(played.run().status).toBe('closed');
  });

  test('a bot’s comment moves nothing', () => {
    const played = council();
    played.hold(LABELED);
    played.settle((effect) => effect.data.kind === 'look');
    played.hold({ ...COMMENTED, isByBot: true });
    expect(played.run().phase.kind).toBe('gathering');
  });
});

describe('when not to start, and when to stop', () => {
  verifies('NW-6', 'a second start joins the run that is going on', () => {
    const played = council();
    played.hold(LABELED);
    played.hold({ kind: 'opened', thread: THREAD, actor: ANA, labels: ['deliberate'] });
    played.settle();
    expect(played.ignored.some((reason) => reason.startsWith('joined run'))).toBe(true);
    expect(played.of('ask').filter((ask) => ask.purpose === 'verdict').length).toBe(1);
  });

  verifies(
    'NW-6',
    'what happened before the end was answered by it, and what no person asks waits half an hour',
    () => {
      const played = council();
      const before = played.now;
      played.send(LABELED);
      played.send(LABELED, before);
      const sweep = { ...LABELED, kind: 'requested' as const, by: 'reconcile' as const };
      played.passTime(60_000);
      played.send(sweep);
      expect(played.of('ask').filter((ask) => ask.purpose === 'verdict').length).toBe(1);
      played.passTime(31 * 60_000);
      played.send(sweep);
      expect(played.of('ask').filter((ask) => ask.purpose === 'verdict').length).toBe(2);
    },
  );

  test('an automated account starts nothing, whatever role it has', () => {
    const played = council();
    played.send({ ...LABELED, actor: { id: 5, login: 'sweeper[bot]', isBot: true } });
    expect(played.of('ask')).toEqual([]);
    expect(played.bodies()).toEqual([]);
    expect(played.run().endReason).toContain('automated account');
  });

  verifies('NW-6', 'a person who asks again is answered at once', () => {
    const played = council();
    played.send(LABELED);
    played.passTime(60_000);
    played.send(LABELED);
    expect(played.of('ask').filter((ask) => ask.purpose === 'verdict').length).toBe(2);
  });

  const quiet: [string, IssueView][] = [
    ['the issue is closed', aView({ issue: { state: 'closed' } })],
    ['the conversation is locked', aView({ issue: { isLocked: true } })],
    ['the label is gone', aView({ issue: { labels: [] } })],
    ['the asker may not spend', aView({ actorPermission: 'read' })],
    ['the team is told to stay out', aView({ issue: { labels: ['deliberate', 'quorum:skip'] } })],
    ['it is switched off', aView({ config: { enabled: false } })],
  ];
  test.each(quiet)('nothing is said when %s', (_, view) => {
    const played = council({ view: () => view });
    played.send(LABELED);
    expect(played.run()).toMatchObject({ status: 'closed', result: 'cancelled' });
    expect(played.of('comment')).toEqual([]);
    expect(played.of('ask')).toEqual([]);
  });

  verifies(
    'TG-1',
    'a team whose persona an agent changed keeps still and fails the configuration check',
    () => {
      const played = play({
        look: () => aView(),
        ask: () => aVerdict(),
        stopped: () => 'an agent changed @maya',
      });
      played.send(LABELED);
      expect(played.of('ask')).toEqual([]);
      expect(played.of('check')).toMatchObject([
        { checks: [{ name: 'quorum / config', conclusion: 'failure' }] },
      ]);
    },
  );

  test('taking the label off while they talk stops the run and says so', () => {
    let labels = ['deliberate'];
    const played = council({ view: () => aView({ issue: { labels } }) });
    played.hold(LABELED);
    played.settle((effect) => effect.data.kind === 'look');
    labels = [];
    played.send({ kind: 'unlabeled', thread: THREAD, actor: ANA, label: 'deliberate' });
    expect(played.run().status).toBe('closed');
    expect(lastBody(played)).toMatch(/^### Stopped: the label `deliberate` is not on any more/);
    expect(played.of('labels')).toEqual([]);
  });

  test('a late word that the label was removed, or the issue closed, does not stop what holds now', () => {
    const played = council();
    played.hold(LABELED);
    played.settle((effect) => effect.data.kind === 'look');
    played.hold({ kind: 'unlabeled', thread: THREAD, actor: ANA, label: 'deliberate' });
    played.hold({ kind: 'ended', thread: THREAD, actor: ANA, how: 'closed' });
    played.settle();
    expect(played.run().status).toBe('consensus');
    expect(played.bodies().some((body) => body.startsWith('### Stopped'))).toBe(false);
  });

  test('a deleted issue ends the run without another word', () => {
    const played = council();
    played.hold(LABELED);
    played.settle((effect) => effect.data.kind === 'look');
    const said = played.of('comment').length;
    played.send({ kind: 'ended', thread: THREAD, actor: ANA, how: 'deleted' });
    expect(played.of('comment').length).toBe(said);
    expect(played.run().status).toBe('closed');
  });

  test('an issue closed during the talk is noticed before the verdict even when no event says so', () => {
    let state: 'open' | 'closed' = 'open';
    const played = council({ view: () => aView({ issue: { state } }) });
    played.hold(LABELED);
    played.settle((effect) => effect.data.kind === 'look');
    state = 'closed';
    played.settle();
    expect(played.run()).toMatchObject({ status: 'closed', endReason: 'the issue was closed' });
    expect(played.of('labels')).toEqual([]);
  });
});

describe('other labels', () => {
  test('prd asks how it would be built, with the words for changes', () => {
    const played = council({
      view: () => aView({ issue: { labels: ['prd'] } }),
      positions: { dev: { vote: 'CHANGES' as Position['vote'] } },
      leadAlone: { vote: 'APPROVE' as Position['vote'] },
      verdict: { verdict: 'CHANGES' as Verdict['verdict'], changes: [{ text: 'split it in two' }] },
    });
    played.send({ ...LABELED, label: 'prd' });
    expect(played.run().trigger).toBe('prd_kickoff');
    expect(played.run().participants.map((voice) => voice.handle)).toEqual(['dev']);
    expect(
      played
        .of('labels')
        .at(-1)
        ?.add.map((label) => label.name),
    ).toEqual(['changes-requested']);
    expect(played.run().meter?.changed).toBe(true);
  });

  test('a label that Quorum does not own is looked up in the configuration first', () => {
    const played = council();
    played.hold({ ...LABELED, label: 'discuss' });
    expect(played.of('name-label').map((each) => each.label)).toEqual(['discuss']);
  });
});
