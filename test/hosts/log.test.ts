import { expect, test } from 'vitest';
import { ConfigError } from '../../src/domain/event/errors.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import type { LogOptions } from '../../src/hosts/create-log.ts';

function open(options: LogOptions = {}): { log: ReturnType<typeof createLog>; text: () => string } {
  let text = '';
  const destination = { write: (line: string) => void (text += line) };
  return { log: createLog({ destination, format: 'json', ...options }), text: () => text };
}

const KEY = ['ghs', '_', 'Ab3dEf6hIj9lMn2pQr5tUv8xYz1'].join('');

test('fields that are secret by name, keys in text and known values never reach the line', () => {
  const { log, text } = open({ secrets: () => ['plain-secret-value'] });
  const headers = { authorization: 'x-1', cookie: 'x-2', 'x-hub-signature-256': 'x-3', host: 'ok' };
  log.info({ headers, req: { headers }, app: { privateKey: 'x-4' } }, `uses ${KEY}`);
  log.error({ err: new Error(`refused plain-secret-value and ${KEY}`) }, 'failed');
  expect(text()).not.toMatch(/x-[1234]|plain-secret-value|ghs_/);
  expect(text()).toContain('"host":"ok"');
  expect(text().trim().split('\n')).toHaveLength(2);
});

test('the level is kept to, and JSON lines are JSON', () => {
  const { log, text } = open({ level: 'warn' });
  log.info({}, 'not this');
  log.warn({ thread: 'octo/hello#1' }, 'this');
  expect(JSON.parse(text())).toMatchObject({ msg: 'this', thread: 'octo/hello#1' });
});

test('for people: time, level, message, fields, and the stack below', () => {
  const { log, text } = open({ format: 'pretty' });
  log.warn({ thread: 'octo/hello#1', count: 2 }, 'slow');
  log.error({ err: new Error('broke') }, 'failed');
  expect(text()).toMatch(/^\d\d:\d\d:\d\d warn {2}slow thread=octo\/hello#1 count=2\n/);
  expect(text()).toMatch(/failed\nError: broke\n +at /);
});

const STEERING = '\u001b[2J\u001b]0;title\u0007\u009b2K\u202ekoob\u{e0041}\u200b';

test('what would steer a terminal, or hide in it, reaches no line', () => {
  for (const format of ['pretty', 'json']) {
    const { log, text } = open({ format });
    log.warn({ path: `a${STEERING}b` }, `read ${STEERING}`);
    log.error({ err: new Error(`no ${STEERING}`) }, 'failed');
    const lines = text().split('\n');
    expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    if (format === 'json')
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({ path: `a${STEERING}b` });
  }
});

test('a line break in a message or a field begins no line of its own', () => {
  const { log, text } = open({ format: 'pretty' });
  log.warn({ path: 'a\n12:00:00 info  b' }, 'read\n12:00:00 error forged');
  expect(text().trimEnd().split('\n')).toHaveLength(1);
});

test('an unknown level or format is reported with the known ones', () => {
  const codeOf = (options: LogOptions): string => {
    try {
      createLog(options);
      return 'none';
    } catch (error) {
      return error instanceof ConfigError ? error.code : 'other';
    }
  };
  expect(codeOf({ level: 'loud' })).toBe('log-level-unknown');
  expect(codeOf({ format: 'xml' })).toBe('log-format-unknown');
  expect(codeOf({ level: 'silent', format: 'pretty' })).toBe('none');
});
