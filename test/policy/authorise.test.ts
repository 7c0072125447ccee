/** Who may run which command. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { authorise, toHeldPermission, type AccessQuestion } from '../../src/policy/authorise.ts';
import { renderDenial } from '../../src/policy/denial.ts';
import { COMMANDS } from '../../src/domain/commands/registry.ts';
import { Config, PERMISSION_FLOOR, defaultConfig } from '../../src/domain/config/config.ts';
import { hasPermission, PERMISSIONS, type Permission } from '../../src/domain/run/thread-ref.ts';

const ANA = { id: 7, login: 'ana', isBot: false };

/** GitHub says triage and maintain in `role_name` only. */
const LEGACY: Readonly<Record<Permission, string>> = {
  none: 'none',
  read: 'read',
  triage: 'read',
  write: 'write',
  maintain: 'write',
  admin: 'admin',
};
const role = (permission: Permission) => ({
  userId: 7,
  permission: LEGACY[permission],
  roleName: permission,
});

function ask(name: string, given: Partial<AccessQuestion> = {}) {
  return authorise({
    command: { name, args: [] },
    asker: ANA,
    role: role('write'),
    access: defaultConfig().access,
    us: { appId: 1, botId: 2 },
    ...given,
  });
}

const access = (given: object) => Config.parse({ access: given }).access;

describe('CMD-01: role × command', () => {
  const LEAST = { read: 'read', spend: 'triage', change: 'write' } as const;
  const table = COMMANDS.flatMap(({ name, kind }) =>
    PERMISSIONS.map((held) => [name, held, hasPermission(held, LEAST[kind])] as const),
  );
  test.each(table)('%s by somebody with %s: %s', (name, held, allowed) => {
    expect(ask(name, { role: role(held) }).allowed).toBe(allowed);
  });

  test('a custom role counts as the one it is built on', () => {
    expect(toHeldPermission({ permission: 'read', roleName: 'security-lead' })).toBe('read');
    expect(toHeldPermission({ permission: 'write', roleName: 'Admin' })).toBe('write');
    expect(toHeldPermission({ permission: 'owner', roleName: 'boss' })).toBe('none');
  });

  test('an answer that did not come is no', () => {
    expect(ask('status', { role: undefined })).toMatchObject({
      allowed: false,
      code: 'role-unknown',
    });
  });

  test('a command with arguments may ask for more', () => {
    const read = { role: role('read') };
    expect(ask('model', read).allowed).toBe(true);
    expect(ask('model', { ...read, command: { name: 'model', args: ['x'] } })).toMatchObject({
      allowed: false,
      needed: 'write',
    });
  });

  test('a repository may ask for more of one command', () => {
    const strict = access({ commands: { pause: 'admin' } });
    expect(ask('pause', { access: strict })).toMatchObject({ code: 'permission', needed: 'admin' });
  });

  test('no configuration goes below the floor', () => {
    const permission = fc.constantFrom(...PERMISSIONS);
    const settings = fc.record({
      read: permission,
      spend: permission,
      change: permission,
      commands: fc.dictionary(fc.constantFrom(...COMMANDS.map(({ name }) => name)), permission),
    });
    fc.assert(
      fc.property(settings, fc.constantFrom(...COMMANDS), permission, (given, entry, held) => {
        const answer = ask(entry.name, { access: access(given), role: role(held) });
        if (!hasPermission(held, PERMISSION_FLOOR[entry.kind])) expect(answer.allowed).toBe(false);
      }),
    );
  });
});

describe('CMD-06, CMD-07: identity', () => {
  test('a login that belongs to another account now has nothing', () => {
    const other = { ...role('admin'), userId: 8 };
    expect(ask('status', { role: other })).toMatchObject({ allowed: false, code: 'identity' });
  });

  test('id 1 is somebody', () => {
    const first = { ...role('admin'), userId: 1 };
    expect(ask('status', { asker: { ...ANA, id: 1 }, role: first }).allowed).toBe(true);
  });

  test.each([0, -1, Number.NaN, 1.5])('id %s is nobody', (id) => {
    expect(
      ask('status', { asker: { ...ANA, id }, role: { ...role('admin'), userId: id } }),
    ).toMatchObject({ allowed: false, code: 'identity' });
  });

  test('a bot is refused, whatever role it has; a name that ends in [bot] means nothing', () => {
    const bot = { ...ANA, isBot: true };
    expect(ask('status', { asker: bot, role: role('admin') })).toMatchObject({ code: 'bot' });
    expect(ask('status', { asker: { ...ANA, login: 'x[bot]' } }).allowed).toBe(true);
  });

  test('a foreign App counts by its id in the configuration, and for write at most', () => {
    const app = { ...ANA, isBot: true, appId: 55 };
    const listed = access({ allowedApps: [55], commands: { pause: 'admin' } });
    expect(ask('stop', { asker: app })).toMatchObject({ code: 'foreign-app' });
    expect(ask('stop', { asker: app, access: listed, role: undefined }).allowed).toBe(true);
    expect(ask('pause', { asker: app, access: listed, role: role('admin') })).toMatchObject({
      code: 'permission',
    });
  });

  test('a person’s comment through a foreign App needs both', () => {
    const through = { ...ANA, appId: 55 };
    expect(ask('stop', { asker: through })).toMatchObject({ code: 'foreign-app' });
    const listed = access({ allowedApps: [55] });
    expect(ask('stop', { asker: through, access: listed }).allowed).toBe(true);
    expect(ask('stop', { asker: through, access: listed, role: role('read') }).allowed).toBe(false);
  });

  test.each(['approve', 'merge', 'done', 'ok-to-run'])('%s takes a person', (name) => {
    const listed = access({ allowedApps: [55] });
    for (const isBot of [true, false])
      expect(ask(name, { asker: { ...ANA, isBot, appId: 55 }, access: listed })).toMatchObject({
        code: 'person-only',
      });
  });

  test('our own output is never a command', () => {
    expect(ask('status', { asker: { ...ANA, appId: 1 } })).toMatchObject({ code: 'own-output' });
    expect(ask('status', { asker: { ...ANA, id: 2 } })).toMatchObject({ code: 'own-output' });
    const listed = access({ allowedApps: [1] });
    expect(ask('status', { asker: { ...ANA, appId: 1 }, access: listed }).allowed).toBe(false);
  });

  test('lists of people and teams narrow, and grant nothing', () => {
    const listed = access({ allowedUsers: ['@Ana'], allowedTeams: ['core'] });
    expect(ask('stop', { access: listed }).allowed).toBe(true);
    expect(ask('stop', { access: listed, role: role('read') }).allowed).toBe(false);
    const bo = { ...ANA, login: 'bo' };
    const inTeams = (teams: string[]) => ask('stop', { access: listed, asker: { ...bo, teams } });
    expect(inTeams([])).toMatchObject({ code: 'not-listed' });
    expect(inTeams(['docs'])).toMatchObject({ code: 'not-listed' });
    expect(inTeams(['Core']).allowed).toBe(true);
  });

  test('teams that cannot be read let nobody in who is not listed by login', () => {
    const listed = access({ allowedUsers: ['ana'], allowedTeams: ['@acme/core'] });
    expect(ask('stop', { access: listed }).allowed).toBe(true);
    const asker = { ...ANA, login: 'bo' };
    expect(ask('stop', { access: listed, asker })).toMatchObject({ code: 'teams-unknown' });
  });
});

describe('denials', () => {
  const deny = (given: Partial<AccessQuestion>, isPublic = true) => {
    const answer = ask('pause', given);
    if (answer.allowed) throw new Error('expected a refusal');
    return renderDenial({ command: 'pause', access: answer, owner: 'olga', isPublic });
  };

  test('say which permission is missing and who has it', () => {
    expect(deny({ role: role('read') })).toBe(
      '`/pm pause` was not run: it needs `write` permission and you have `read`; `olga` or somebody with `write` permission can.',
    );
  });

  test('strangers in public repositories and automated accounts get no words', () => {
    expect(deny({ role: role('none') })).toBeUndefined();
    expect(deny({ role: role('none') }, false)).toContain('you have none');
    expect(deny({ asker: { ...ANA, isBot: true } }, false)).toBeUndefined();
    expect(deny({ asker: { ...ANA, appId: 55 } }, false)).toBeUndefined();
  });

  test('name a failed look-up and a list for what they are', () => {
    expect(deny({ role: undefined }, false)).toContain('GitHub did not say');
    expect(deny({ access: access({ allowedUsers: ['bo'] }) }, false)).toContain('under `access`');
  });
});
