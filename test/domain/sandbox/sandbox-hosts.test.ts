/** Which hosts a list allows: its syntax, spellings of one host, and what never matches. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  findAllowed,
  parseAuthority,
  parseSandboxHosts,
  renderAllowed,
  renderRefused,
  targetOfUrl,
} from '../../../src/domain/sandbox/sandbox-hosts.ts';

const ALLOWED = parseSandboxHosts('One.example, two.example:8080 *.three.example,[::1]:4873');

test('reads hosts, ports and wildcards; the port is 443 where none is given', () => {
  expect(ALLOWED.map(renderAllowed)).toEqual([
    'one.example:443',
    'two.example:8080',
    '*.three.example:443',
    '[::1]:4873',
  ]);
});

test.each([
  ['one.example:443', true],
  ['ONE.example:443', true],
  ['one.example.:443', true],
  ['one.example:80', false],
  ['sub.one.example:443', false],
  ['one.example.evil.example:443', false],
  ['two.example:443', false],
  ['two.example:8080', true],
  ['a.three.example:443', true],
  ['a.b.three.example:443', true],
  ['three.example:443', false],
  ['evilthree.example:443', false],
  ['[::1]:4873', true],
  ['[0:0:0:0:0:0:0:1]:4873', true],
])('%s is allowed: %s', (authority, isAllowed) => {
  const target = parseAuthority(authority);
  expect(target).toBeDefined();
  expect(target !== undefined && findAllowed(ALLOWED, target) !== undefined).toBe(isAllowed);
});

test.each([
  'one.example',
  'one.example:0',
  'one.example:65536',
  'one.example:443:443',
  'user@one.example:443',
  'one.example:443/path',
  'one.example\r\nx:443',
  'one.example:4e2',
  'one.example\0.evil.example:443',
  '[::1:443',
  ':443',
  '.:443',
  '',
])('refuses the authority %j', (text) => {
  expect(parseAuthority(text)).toBeUndefined();
});

test.each(['*', '*.com', '*.10.0.0.1', 'https://one.example', 'a*.example', 'one.example:', 'a/b'])(
  'refuses the entry %j, and names it with the setting',
  (entry) => {
    expect(() => parseSandboxHosts(entry)).toThrow(
      expect.objectContaining({
        code: 'sandbox-hosts-invalid',
        message: expect.stringContaining(`QUORUM_SANDBOX_HOSTS has the entry "${entry}"`),
      }),
    );
  },
);

test('every numeric spelling of an address is that address', () => {
  for (const host of ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1'])
    expect(parseAuthority(`${host}:80`)?.host).toBe('127.0.0.1');
});

test('the port of a URL is its own or that of its scheme', () => {
  expect(targetOfUrl('http://one.example/a')).toEqual({ host: 'one.example', port: 80 });
  expect(targetOfUrl('https://one.example')).toEqual({ host: 'one.example', port: 443 });
  expect(targetOfUrl('http://one.example:4873/')).toEqual({ host: 'one.example', port: 4873 });
  for (const url of ['file:///opt/simple', 'ssh://one.example', 'direct', 'off'])
    expect(targetOfUrl(url)).toBeUndefined();
});

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,10}$/);

test('an exact entry allows one host and one port (property)', () => {
  const target = fc.record({
    host: fc.tuple(label, label).map((labels) => labels.join('.')),
    port: fc.integer({ min: 1, max: 65_535 }),
  });
  fc.assert(
    fc.property(target, target, (entry, asked) => {
      const allowed = parseSandboxHosts(`${entry.host}:${entry.port}`);
      const isSame = entry.host === asked.host && entry.port === asked.port;
      expect(findAllowed(allowed, asked) !== undefined).toBe(isSame);
      expect(findAllowed(allowed, entry)).toBeDefined();
    }),
  );
});

test('whatever is asked for, what is read is canonical and stays so (property)', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webAuthority()), (text) => {
      const target = parseAuthority(text, 443);
      if (target === undefined) return;
      expect(target.host).toMatch(/^[^\s@/:]+$|^\[[0-9a-f:.]+\]$/);
      expect(parseAuthority(`${target.host}:${target.port}`)).toEqual(target);
    }),
  );
});

test('people see which hosts were refused, and the setting for those that it can allow', () => {
  const text = renderRefused([
    { target: 'one.example:443', canBeAllowed: true },
    { target: '169.254.169.254:80', canBeAllowed: false },
  ]);
  expect(text).toContain('`one.example:443`, `169.254.169.254:80`');
  expect(text).toContain('add one.example:443 to QUORUM_SANDBOX_HOSTS');
});
