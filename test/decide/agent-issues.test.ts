/**
 * Issues that Quorum opens: what nobody asked for is counted, at most three of a repository. A new source has to be
 * listed here, as counted or with what a person did before.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const DECIDE = join(import.meta.dirname, '../../src/decide');

const COUNTED = ['kinds/code-watch/open-issue.ts'];

const NOT_COUNTED: Readonly<Record<string, string>> = {
  'channel/chat/to-github.ts': 'a person asked for it in a channel',
  'digest/on-week.ts': 'the one status issue',
  'kinds/build/follow-builds.ts': 'an incident',
  'kinds/standup/want-follow-up.ts': 'a person accepted the tension',
  'plan/planning/open-plan.ts': 'a plan that a person asked for',
  'run/idle.ts': 'the one sentinel of a workspace',
};

/** An effect, and no link to an issue: it names the repository. */
const OPENS = /kind: 'issue'(?: as const)?,\s+repository\b/;

const sources = readdirSync(DECIDE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(DECIDE, name), 'utf8') }));

test('each place that opens issues is counted, or known for why not', () => {
  const openers = sources.filter(({ text }) => OPENS.test(text));
  expect(openers.map(({ name }) => name).toSorted()).toEqual(
    [...COUNTED, ...Object.keys(NOT_COUNTED)].toSorted(),
  );
  expect(openers.filter(({ text }) => text.includes('maxOpen:')).map(({ name }) => name)).toEqual(
    COUNTED,
  );
});

test('no other room wants an issue', () => {
  const src = join(DECIDE, '..');
  const others = ['act', 'events', 'policy', 'hosts'].flatMap((room) =>
    readdirSync(join(src, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .filter((name) => OPENS.test(readFileSync(join(src, room, name), 'utf8')))
      .map((name) => join(room, name)),
  );
  expect(others).toEqual([]);
});
