/** The table of effects: what writes, what a pause holds up, and what a dry run leaves out. */
import { describe, expect, test } from 'vitest';
import { createDryRun } from '../../src/act/dry-run.ts';
import { EFFECTS } from '../../src/act/effects.ts';
import type { Perform } from '../../src/act/perform.ts';
import { whereItIsNow } from '../../src/act/place.ts';
import type { Effect, EffectData, EffectKind } from '../../src/domain/event/effect.ts';
import { QuorumError } from '../../src/domain/event/errors.ts';

const AT = '2026-11-23T10:00:00.000Z';
const NOW = Date.parse(AT) + 1_000;
const HOUR_MS = 3_600_000;
const repository = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy' };
const thread = { ...repository, number: 1 };
const actor = { id: 2, login: 'ada', isBot: false };
const marker = { kind: 'run', run: 'run-1', key: 'live' } as const;
const isTable = (kind: string): kind is EffectKind => kind in EFFECTS;
const KINDS = Object.keys(EFFECTS).filter(isTable);

const comment: EffectData = { kind: 'comment', thread, marker, body: 'Our view.' };
const look: EffectData = { kind: 'look', thread, actor };
const lookAtComment: EffectData = {
  kind: 'look-comment',
  thread,
  comment: { id: 5, place: 'thread' },
  address: { place: 'thread', updatedAt: AT, digest: '', isOnlyCommands: true },
  actor,
};

function effectOf(data: EffectData): Effect {
  return { id: `run-1/1-${data.kind}`, key: 'thread:7/1', run: 'run-1', at: AT, data };
}

function kindsWhere(column: (entry: (typeof EFFECTS)[EffectKind]) => boolean): EffectKind[] {
  return KINDS.filter((kind) => column(EFFECTS[kind])).toSorted();
}

describe('columns', () => {
  test('everything but reading and thinking writes', () => {
    expect(kindsWhere(({ writes }) => !writes)).toEqual([
      'ask',
      'look',
      'look-build',
      'look-chat',
      'look-code',
      'look-comment',
      'look-consolidation',
      'look-feedback',
      'look-memory',
      'look-merge',
      'look-plan',
      'look-pull',
      'look-rest',
      'look-roles',
      'look-standup',
      'look-ticks',
      'look-week',
      'name-label',
      'propose',
      'retest',
      'transcribe',
    ]);
  });

  test('a pause lets through what reads commands, answers in channels, and what is of no one repository', () => {
    expect(kindsWhere(({ whilePaused }) => whilePaused === 'always')).toEqual([
      'chat-react',
      'chat-reply',
      'erase',
      'look-chat',
      'look-comment',
      'reconcile',
      'suite-preferences',
    ]);
  });

  test('answers to people pass a pause where they are marked', () => {
    expect(kindsWhere(({ whilePaused }) => whilePaused === 'if-marked')).toEqual([
      'comment',
      'labels',
      'react',
      'reply',
      'report-group',
    ]);
  });
});

describe('in a paused repository', () => {
  const paused = { by: '@ada', why: '', at: AT };
  const state = { v: 1, isGone: false, runs: 0, unchangedRuns: 0, last: [], paused };
  const ports = (now: number): Parameters<typeof whereItIsNow>[1] => ({
    store: { load: async (key) => (key === 'repository:7' ? { state, version: 1 } : undefined) },
    clock: { now: () => now },
  });
  const codeOf = async (data: EffectData, now = NOW): Promise<unknown> => {
    try {
      await whereItIsNow(effectOf(data), ports(now));
      return 'goes on';
    } catch (error) {
      if (!(error instanceof QuorumError)) throw error;
      return `${error.code}, ${error.retryable ? 'later' : 'never'}`;
    }
  };

  test('work waits, and is refused once it waited for too long', async () => {
    expect(await codeOf(look)).toBe('repository-paused, later');
    expect(await codeOf(look, NOW + 71 * HOUR_MS)).toBe('repository-paused, never');
  });

  test('a marked comment is written, an unmarked one waits', async () => {
    expect(await codeOf({ ...comment, evenPaused: true })).toBe('goes on');
    expect(await codeOf(comment)).toBe('repository-paused, later');
  });

  test('a mark says nothing for a kind whose entry is `never`', async () => {
    const marked: EffectData = Object.assign({}, look, { evenPaused: true });
    expect(await codeOf(marked)).toBe('repository-paused, later');
  });

  test('commands are read, and what is of no repository is carried out', async () => {
    expect(await codeOf(lookAtComment)).toBe('goes on');
    expect(await codeOf({ kind: 'reconcile', since: AT })).toBe('goes on');
  });
});

describe('a dry run', () => {
  const performed: EffectKind[] = [];
  const perform: Perform = async ({ data }) => {
    performed.push(data.kind);
    return { effectKind: 'labels', result: null, githubCalls: {} };
  };
  const dryRun = createDryRun(perform);

  test('carries out what reads', async () => {
    await dryRun(effectOf(look), { isFirst: true });
    expect(performed.splice(0)).toEqual(['look']);
  });

  test('answers for a comment without writing it', async () => {
    expect(await dryRun(effectOf(comment), { isFirst: true })).toEqual({
      effectKind: 'comment',
      result: { id: 0, url: '', outcome: 'unchanged' },
      githubCalls: {},
    });
    expect(performed).toEqual([]);
  });

  test('refuses a write whose outcome it cannot know', async () => {
    const drop: EffectData = { kind: 'drop-branch', thread, branch: 'quorum/1', heads: [] };
    await expect(dryRun(effectOf(drop), { isFirst: true })).rejects.toMatchObject({
      code: 'dry-run',
    });
    expect(performed).toEqual([]);
  });
});
