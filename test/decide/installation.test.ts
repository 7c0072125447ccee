import { expect, test } from 'vitest';
import { decideInstallation } from '../../src/decide/installation.ts';
import type { Event } from '../../src/domain/event/event.ts';

const NOW = Date.parse('2026-11-23T10:00:00Z');
const repositories = [1, 2].map((repositoryId) => ({
  installationId: 7,
  repositoryId,
  owner: 'acme',
  repo: `r${repositoryId}`,
}));

function told(action: 'added' | 'removed' | 'suspended', about = repositories): Event {
  const trigger = { kind: 'installation', action, installationId: 7, repositories: about } as const;
  const at = new Date(NOW).toISOString();
  return { id: 'd1', key: 'installation:7', version: 1, at, data: { kind: 'trigger', trigger } };
}

test('wants no empty check suites in what is added, in one effect for each delivery', () => {
  const decide = () => decideInstallation(undefined, told('added'), { now: NOW }).effects;
  expect(decide().map(({ data }) => data)).toEqual([
    { kind: 'suite-preferences', installationId: 7, repositories },
  ]);
  expect(decide()).toEqual(decide());
  const whole = decideInstallation(undefined, told('added', []), { now: NOW });
  expect(whole.effects).toMatchObject([{ data: { installationId: 7, repositories: [] } }]);
  for (const action of ['removed', 'suspended'] as const)
    expect(decideInstallation(undefined, told(action), { now: NOW }).effects).toEqual([]);
});

test('goes on with the repositories that one effect left, until none is left', () => {
  const [effect] = decideInstallation(undefined, told('added'), { now: NOW }).effects;
  const { id: effectId = '', run = '' } = effect ?? {};
  const done = (left: typeof repositories): Event => ({
    ...told('added'),
    id: `done:${left.length}`,
    data: { kind: 'done', effectId, run, effectKind: 'suite-preferences', result: { left } },
  });
  const next = decideInstallation(undefined, done(repositories), { now: NOW }).effects;
  expect(next).toMatchObject([{ data: { installationId: 7, repositories } }]);
  expect(next[0]?.id).not.toBe(effectId);
  expect(decideInstallation(undefined, done([]), { now: NOW }).effects).toEqual([]);
});

test('remembers since when it, or a repository of it, is gone, and forgets that when it is there again', () => {
  const take = (before: unknown, action: 'added' | 'removed', about = repositories) =>
    decideInstallation(before, told(action, about), { now: NOW }).state;
  const at = new Date(NOW).toISOString();
  const removed = take(undefined, 'removed', []);
  expect(removed).toMatchObject({ isRemoved: true, removedAt: at });
  const later = { ...told('removed', []), at: new Date(NOW + 5).toISOString() };
  expect(decideInstallation(removed, later, { now: NOW + 5 }).state).toEqual(removed);
  expect(take(removed, 'added', [])).toEqual(take(undefined, 'added', []));
  const out = take(undefined, 'removed');
  expect(out).toMatchObject({
    removedRepositories: [1, 2],
    repositoriesRemovedAt: { 1: at, 2: at },
  });
  expect(take(out, 'added', repositories.slice(1))).toMatchObject({
    removedRepositories: [1],
    repositoriesRemovedAt: { 1: at },
  });
  expect(take(out, 'added')).toEqual(take(undefined, 'added'));
});
