import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DeliveryVerdict, Receiver } from '../../src/domain/github/delivery.ts';
import type { NewEvent } from '../../src/domain/event/event.ts';
import type { Trigger } from '../../src/domain/event/trigger.ts';
import { nameDigest } from '../../src/domain/persona/digest.ts';
import { parseDelivery } from '../../src/events/parse-delivery.ts';
import { example, readExamples } from '../adapters/http/door.ts';

const AT = '2026-01-02T03:04:05.000Z';
const EXAMPLES = readExamples();

function parse(event: string, payload: unknown, receiver: Receiver = {}): DeliveryVerdict {
  return parseDelivery({ event, deliveryId: 'd-1234567', payload, at: AT, ...receiver });
}

function onlyEvent(verdict: DeliveryVerdict): NewEvent {
  expect(verdict.events).toHaveLength(1);
  return verdict.events[0]!;
}

function triggerOf(event: string, payload: unknown): Trigger {
  const verdict = parse(event, payload);
  if (verdict.kind === 'ignored') throw new Error(verdict.reason);
  const { data } = onlyEvent(verdict);
  if (data.kind !== 'trigger') throw new Error(data.kind);
  return data.trigger;
}

function reasonOf(event: string, payload: unknown, receiver: Receiver = {}): string {
  const verdict = parse(event, payload, receiver);
  if (verdict.kind !== 'ignored') throw new Error('was not ignored');
  expect(onlyEvent(verdict).ignoredReason).toBe(verdict.reason);
  return verdict.reason;
}

function dedupKeyOf(event: string, payload: unknown, receiver: Receiver = {}): string | undefined {
  return onlyEvent(parse(event, payload, receiver)).dedupKey;
}

function issuePayload(action: string, parts: Record<string, unknown> = {}): unknown {
  return {
    action,
    installation: { id: 9 },
    repository: { id: 5, full_name: 'octo-org/hello.world', updated_at: '2026-01-01T00:00:00Z' },
    sender: { id: 3, login: 'mona', type: 'User' },
    issue: {
      id: 70,
      number: 7,
      updated_at: '2026-01-01T00:00:00Z',
      labels: [{ name: 'bug' }, { name: 'deliberate' }],
    },
    ...parts,
  };
}

const THREAD = {
  installationId: 9,
  repositoryId: 5,
  owner: 'octo-org',
  repo: 'hello.world',
  number: 7,
};
const MONA = { id: 3, login: 'mona', isBot: false };

describe('what becomes a trigger', () => {
  const label = { id: 8, name: 'deliberate' };
  test.each<[string, Record<string, unknown>, Partial<Trigger>]>([
    ['opened', {}, { kind: 'opened', labels: ['bug', 'deliberate'] }],
    ['labeled', { label }, { kind: 'labeled', label: 'deliberate' }],
    ['unlabeled', { label }, { kind: 'unlabeled', label: 'deliberate' }],
    ['edited', {}, { kind: 'edited' }],
    ['closed', {}, { kind: 'ended', how: 'closed' }],
    ['reopened', {}, { kind: 'reopened' }],
    ['deleted', {}, { kind: 'ended', how: 'deleted' }],
    ['transferred', {}, { kind: 'ended', how: 'transferred' }],
    ['locked', {}, { kind: 'ended', how: 'locked' }],
  ])('an issue that was %s', (action, parts, trigger) => {
    const verdict = parse('issues', issuePayload(action, parts));
    const event = onlyEvent(verdict);
    expect(verdict.kind).toBe('events');
    expect(event).toMatchObject({ id: 'd-1234567', key: 'thread:5/7', at: AT, version: 1 });
    expect(event.data).toEqual({
      kind: 'trigger',
      trigger: { ...trigger, thread: THREAD, actor: MONA },
    });
    expect(event.ignoredReason).toBeUndefined();
  });

  test('a comment names its author, and whether a program wrote it', () => {
    const comment = (parts: object): Trigger =>
      triggerOf('issue_comment', issuePayload('created', { comment: { id: 40, ...parts } }));
    expect(comment({ user: { id: 4, login: 'hubot', type: 'Bot' } })).toEqual({
      kind: 'commented',
      thread: THREAD,
      actor: { id: 4, login: 'hubot', isBot: true },
      commentId: 40,
      isByBot: true,
    });
    const person = { id: 4, login: 'hubot[bot]', type: 'User' };
    expect(comment({ user: person })).toMatchObject({ isByBot: false });
    expect(comment({ user: person, performed_via_github_app: { id: 66 } })).toMatchObject({
      isByBot: true,
    });
  });

  test('a comment that may be for us carries what tells whether it is the same later, never its words', () => {
    const comment = { id: 40, user: null, updated_at: '2026-03-02T09:00:00Z' };
    const trigger = (body: string): Trigger =>
      triggerOf('issue_comment', issuePayload('created', { comment: { ...comment, body } }));
    const command = trigger('/pm hold until Friday');
    expect(command).toMatchObject({
      address: { place: 'thread', updatedAt: '2026-03-02T09:00:00Z', isOnlyCommands: true },
    });
    expect(JSON.stringify(command)).not.toContain('Friday');
    expect(trigger('Fine.\n/pm hold')).toMatchObject({ address: { isOnlyCommands: false } });
    for (const body of ['@maya hello', 'Hey Carlos, why?', 'Right. Priya: which test?'])
      expect(trigger(body)).toMatchObject({ address: { isOnlyCommands: false } });
    for (const body of ['no pm here', 'see /pm help', 'mail me@maya.example', 'maybe', ''])
      expect(trigger(body)).not.toHaveProperty('address');
  });

  test.each<[string, string]>([
    ['Zoe, is it safe?', 'Zoe'],
    ['Hi Zoe, is it safe?', 'Zoe'],
    ['Hey, Zoe: why?', 'Zoe'],
    ['It fails. Ada Lovelace can you look?', 'Ada Lovelace'],
    ['It fails.\nZoe?', 'Zoe'],
    ['Zoe', 'Zoe'],
    ['Élodie — look', 'Élodie'],
  ])('%j may call %j, and keeps none of the text', (body, name) => {
    const comment = { id: 40, user: null, body };
    const trigger = triggerOf('issue_comment', issuePayload('created', { comment }));
    expect(trigger).toMatchObject({
      address: { called: expect.arrayContaining([nameDigest(name)]) as string[] },
    });
    expect(JSON.stringify(trigger)).not.toContain(name);
  });

  test('a hostile comment is looked at in no time', () => {
    for (const piece of ['A', 'Ab cd ', '. A', 'Á,'])
      for (const length of [65_536, 200_000]) {
        const comment = { id: 40, user: null, body: piece.repeat(length / piece.length) };
        const trigger = triggerOf('issue_comment', issuePayload('created', { comment }));
        expect(JSON.stringify(trigger).length).toBeLessThan(2_000);
      }
  });

  test('a robot is read only when it gives a command', () => {
    const user = { id: 4, login: 'robot[bot]', type: 'Bot' };
    const trigger = (body: string): Trigger =>
      triggerOf('issue_comment', issuePayload('created', { comment: { id: 40, user, body } }));
    expect(trigger('@maya hello')).not.toHaveProperty('address');
    expect(trigger('/pm status')).toHaveProperty('address');
  });

  test('a comment on the diff is read when it may be for us', () => {
    const payload = (body: string) =>
      issuePayload('created', {
        pull_request: { number: 7 },
        comment: { id: 41, user: null, body },
      });
    expect(triggerOf('pull_request_review_comment', payload('/pm feedback no'))).toMatchObject({
      kind: 'commented',
      thread: THREAD,
      commentId: 41,
      address: { place: 'review' },
    });
    expect(reasonOf('pull_request_review_comment', payload('nit: a space'))).toBe(
      'a comment on the diff that speaks to nobody here',
    );
  });

  test('a comment whose author is gone falls back to the sender, and then to a ghost without rights', () => {
    const comment = { id: 40, user: null };
    expect(triggerOf('issue_comment', issuePayload('created', { comment }))).toMatchObject({
      actor: MONA,
    });
    expect(
      triggerOf('issue_comment', issuePayload('created', { comment, sender: null })),
    ).toMatchObject({ actor: { id: 0, login: 'ghost', isBot: false } });
  });

  test.each([
    ['installation', 'created', 'added'],
    ['installation', 'deleted', 'removed'],
    ['installation', 'suspend', 'suspended'],
    ['installation', 'unsuspend', 'unsuspended'],
    ['installation', 'new_permissions_accepted', 'added'],
  ])('%s.%s concerns the whole installation', (event, action, expected) => {
    const verdict = parse(event, example(event, action));
    expect(onlyEvent(verdict)).toMatchObject({
      key: 'installation:9',
      data: { trigger: { action: expected, installationId: 9, repositories: [] } },
    });
  });

  test('repositories that were added or removed are listed, and an empty list is not taken for all', () => {
    expect(
      triggerOf('installation_repositories', example('installation_repositories', 'added')),
    ).toMatchObject({
      kind: 'installation',
      action: 'added',
      repositories: [
        { installationId: 9, repositoryId: 186853007, owner: 'Codertocat', repo: 'Space' },
      ],
    });
    const empty = example('installation_repositories', 'removed', { repositories_removed: [] });
    expect(reasonOf('installation_repositories', empty)).toMatch(/lacks a usable list/);
  });

  test.each([
    ['renamed', 'renamed'],
    ['transferred', 'transferred'],
    ['publicized', 'visibility'],
    ['privatized', 'visibility'],
  ])('a repository that was %s', (action, expected) => {
    expect(triggerOf('repository', example('repository', action))).toMatchObject({
      kind: 'repository',
      action: expected,
    });
  });

  test('a review or a label may be what a merge waits for', () => {
    for (const [event, action] of [
      ['pull_request_review', 'submitted'],
      ['pull_request_review', 'dismissed'],
      ['pull_request', 'labeled'],
    ] as const)
      expect(onlyEvent(parse(event, example(event, action))).data).toMatchObject({
        trigger: { kind: 'pull-changed', thread: { number: expect.any(Number) } },
      });
  });

  test('a repository edit counts only when the default branch moved', () => {
    const payload = (changes: unknown): unknown => issuePayload('edited', { changes });
    expect(triggerOf('repository', payload({ default_branch: { from: 'master' } }))).toMatchObject({
      action: 'moved-branch',
      repository: { repositoryId: 5 },
    });
    expect(reasonOf('repository', payload({ description: { from: 'x' } }))).toMatch(
      /did not move the default branch/,
    );
  });

  test('a pull request that is closed, locked or unlabelled ends what runs on it', () => {
    expect(triggerOf('pull_request', example('pull_request', 'closed'))).toMatchObject({
      kind: 'ended',
      how: 'closed',
    });
    expect(triggerOf('pull_request', example('pull_request', 'unlabeled'))).toMatchObject({
      kind: 'unlabeled',
    });
  });
});

describe('what is kept as ignored, with the reason', () => {
  test('own events, by numeric id of the account or of the App, never by a login', () => {
    const sender = { id: 777, login: 'mona', type: 'Bot' };
    const own = { botId: 777, appId: 66 };
    const label = { id: 8, name: 'deliberate' };
    expect(reasonOf('issues', issuePayload('labeled', { sender, label }), own)).toBe('own event');
    const viaUs = { id: 40, user: { id: 3, login: 'mona' }, performed_via_github_app: { id: 66 } };
    const payload = issuePayload('created', { comment: viaUs });
    expect(reasonOf('issue_comment', payload, { appId: 66 })).toBe('own event');
    expect(parse('issue_comment', payload, { appId: 67 }).kind).toBe('events');
    const issue = { id: 70, number: 7, performed_via_github_app: { id: 66 } };
    expect(reasonOf('issues', issuePayload('opened', { issue }), own)).toBe('own event');
    // Someone else labels an issue that we opened: that is theirs.
    expect(parse('issues', issuePayload('labeled', { issue, label }), own).kind).toBe('events');
    const lookalike = { id: 778, login: 'quorum[bot]', type: 'Bot' };
    expect(parse('issues', issuePayload('labeled', { sender: lookalike, label }), own).kind).toBe(
      'events',
    );
  });

  test('a webhook without an installation, unless one is assumed', () => {
    const payload = issuePayload('closed', { installation: undefined });
    expect(reasonOf('issues', payload)).toMatch(/no installation in the payload of issues.closed/);
    const verdict = parse('issues', payload, { installationId: 31 });
    expect(onlyEvent(verdict).data).toMatchObject({
      trigger: { thread: { installationId: 31 } },
    });
  });

  test('edited comments and reviews, pings and strangers', () => {
    const comment = { id: 40, user: null };
    expect(reasonOf('issue_comment', issuePayload('edited', { comment }))).toMatch(
      /edited comment/,
    );
    expect(reasonOf('pull_request_review_comment', issuePayload('edited', { comment }))).toMatch(
      /edited comment/,
    );
    expect(reasonOf('pull_request_review', issuePayload('edited'))).toBe(
      'the words of a review change nothing',
    );
    expect(reasonOf('ping', { zen: 'x', hook_id: 1 })).toBe('ping');
    expect(reasonOf('issues', issuePayload('pinned'))).toBe('nothing acts on issues.pinned');
    expect(reasonOf('telepathy', {})).toBe('nothing acts on telepathy');
    expect(reasonOf('constructor', { action: '__proto__' })).toBe(
      'nothing acts on constructor.__proto__',
    );
  });

  test('missing fields, a label that is gone, and payloads that are no object', () => {
    expect(reasonOf('issues', issuePayload('closed', { issue: undefined }))).toBe(
      'issues.closed lacks a usable issue',
    );
    expect(reasonOf('issues', issuePayload('closed', { repository: null }))).toBe(
      'issues.closed lacks a usable repository',
    );
    expect(
      reasonOf('issues', issuePayload('closed', { repository: { id: 1, full_name: '../../etc' } })),
    ).toBe('issues.closed lacks a usable repository');
    expect(reasonOf('issues', issuePayload('labeled', { label: null }))).toBe(
      'labeled without a label',
    );
    for (const payload of [null, 7, 'x', [], true])
      expect(reasonOf('issues', payload)).toBe('the payload is no JSON object');
  });

  test('what was refused is found in the journal of its thread', () => {
    expect(onlyEvent(parse('issues', issuePayload('pinned'))).key).toBe('thread:5/7');
    expect(onlyEvent(parse('push', issuePayload('x', { issue: null }))).key).toBe('repository:5');
    expect(onlyEvent(parse('meta', { installation: { id: 9 } })).key).toBe('installation:9');
    expect(onlyEvent(parse('meta', {})).key).toBe('deliveries');
  });
});

describe('semantic duplicates', () => {
  const label = { id: 8, name: 'deliberate' };

  test('the same body under another GUID has the same key', () => {
    for (const { event, payload } of EXAMPLES) {
      const body = { ...payload, installation: { id: 9 } };
      expect(dedupKeyOf(event, structuredClone(body))).toBe(dedupKeyOf(event, body));
    }
  });

  test('the same thing done again, by another, to another, or with another label is no duplicate', () => {
    const first = dedupKeyOf('issues', issuePayload('labeled', { label }));
    const issue = { id: 70, number: 7, updated_at: '2026-01-01T00:00:09Z' };
    const others = [
      issuePayload('unlabeled', { label }),
      issuePayload('labeled', { label, issue }),
      issuePayload('labeled', { label, sender: { id: 4, login: 'mona' } }),
      issuePayload('labeled', { label: { id: 9, name: 'board' } }),
      issuePayload('labeled', { label, repository: { id: 6, full_name: 'a/b' } }),
    ].map((payload) => dedupKeyOf('issues', payload));
    expect(new Set([first, ...others]).size).toBe(6);
    expect(first).toBeDefined();
  });

  test('another text within the same second is another edit', () => {
    const edited = (parts: object) => {
      const issue = { id: 70, number: 7, updated_at: '2026-01-01T00:00:09Z', ...parts };
      return dedupKeyOf('issues', issuePayload('edited', { issue }));
    };
    const first = edited({ title: 'a', body: 'b' });
    expect(edited({ title: 'a', body: 'b' })).toBe(first);
    const others = [edited({ title: 'a', body: 'c' }), edited({ title: 'c', body: 'b' })];
    expect(new Set([first, ...others, edited({ title: 'a', body: null })]).size).toBe(4);
  });

  test('a pull request that is reopened again at the same head is no duplicate', () => {
    const reopened = (updated: string) =>
      dedupKeyOf('pull_request', {
        ...example('pull_request', 'reopened'),
        installation: { id: 9 },
        pull_request: {
          id: 70,
          number: 7,
          updated_at: updated,
          head: { sha: 'a'.repeat(40) },
        },
      });
    expect(reopened('2026-01-01T00:00:09Z')).toBe(reopened('2026-01-01T00:00:09Z'));
    expect(reopened('2026-01-01T00:00:09Z')).not.toBe(reopened('2026-01-01T00:00:10Z'));
  });

  test('another base is news of a pull request, other words are not', () => {
    const edited = (changes: object) => ({
      ...example('pull_request', 'reopened'),
      action: 'edited',
      installation: { id: 9 },
      changes,
    });
    expect(reasonOf('pull_request', edited({ title: { from: 'x' } }))).toMatch(/^words are read/);
    const base = { ref: { from: 'main' }, sha: { from: 'b'.repeat(40) } };
    expect(onlyEvent(parse('pull_request', edited({ base }))).data).toMatchObject({
      trigger: { kind: 'pull', action: 'retargeted' },
    });
  });

  test('without a time of change nothing is called a duplicate', () => {
    const issue = { id: 70, number: 7 };
    expect(dedupKeyOf('issues', issuePayload('labeled', { label, issue }))).toBeUndefined();
    expect(dedupKeyOf('installation', example('installation', 'suspend'))).toBeUndefined();
  });
});

describe('totality', () => {
  function isWellFormed(verdict: DeliveryVerdict): boolean {
    const event = verdict.events[0];
    if (event === undefined || verdict.events.length !== 1) return false;
    const isIgnored = verdict.kind === 'ignored';
    return isIgnored
      ? event.data.kind === 'refused' && verdict.reason !== '' && event.key !== ''
      : event.data.kind === 'trigger' && event.ignoredReason === undefined;
  }

  test('never throws on any JSON', () => {
    const names = fc.constantFrom(...new Set(EXAMPLES.map((each) => each.event)), 'x');
    fc.assert(
      fc.property(names, fc.jsonValue(), (event, payload) => isWellFormed(parse(event, payload))),
      { numRuns: 500 },
    );
  });

  test('never throws on real payloads with parts replaced or taken away', () => {
    const mutation = fc.record({
      at: fc.nat(EXAMPLES.length - 1),
      path: fc.array(fc.nat(), { maxLength: 4 }),
      value: fc.option(fc.jsonValue(), { nil: undefined }),
    });
    fc.assert(
      fc.property(mutation, ({ at, path, value }) => {
        const { event, payload } = EXAMPLES[at]!;
        const body: Record<string, unknown> = {
          ...structuredClone(payload),
          installation: { id: 9 },
        };
        mutate(body, path, value);
        return isWellFormed(parse(event, body));
      }),
      { numRuns: 2000 },
    );
  });

  function mutate(body: Record<string, unknown>, path: readonly number[], value: unknown): void {
    let at: Record<string, unknown> = body;
    for (const [depth, step] of path.entries()) {
      const keys = Object.keys(at);
      const key = keys[step % Math.max(keys.length, 1)];
      if (key === undefined) return;
      const next = at[key];
      if (depth === path.length - 1 || typeof next !== 'object' || next === null) {
        at[key] = value;
        return;
      }
      at = next as Record<string, unknown>;
    }
  }
});

describe('a deleted comment', () => {
  const comment = { id: 33, body: 'a word that is gone', user: { id: 3, login: 'mona' } };
  const about = (fields: Record<string, unknown>) =>
    issuePayload('deleted', { comment, ...fields });

  test.each([
    ['issue_comment', about({})],
    ['pull_request_review_comment', about({ issue: undefined, pull_request: { number: 7 } })],
  ])('%s.deleted asks for its text to be erased, and does not carry it', (event, payload) => {
    expect(triggerOf(event, payload)).toMatchObject({
      kind: 'comment-deleted',
      commentId: 33,
      thread: { repositoryId: 5, number: 7 },
    });
    expect(JSON.stringify(parse(event, payload))).not.toContain('a word');
  });
});
