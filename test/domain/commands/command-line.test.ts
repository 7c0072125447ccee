/** What a comment says besides commands. */
import { expect, test } from 'vitest';
import {
  hasCommandLine,
  isCommandLine,
  withoutCommands,
} from '../../../src/domain/commands/command-line.ts';

test.each(['/pm', '/pm stop', '   /PM Stop', '/Pm.', '/pm: stop'])(
  '%j may be a command',
  (line) => {
    expect(isCommandLine(line)).toBe(true);
  },
);

test.each([
  'pm stop',
  '    /pm stop',
  '\t/pm',
  'a /pm',
  '/pmx',
  '/pm-x',
  '/pm/x',
  '/\u{ff30}m',
  '> /pm',
])('%j is not a command line', (line) => {
  expect(isCommandLine(line)).toBe(false);
});

test.each([
  ['/pm approve', ''],
  ['/pm approve\r\n/PM status\n', ''],
  ['Take the first.\n\n/pm deliberate\n', 'Take the first.'],
  ['  Indented stays\nas it is ', '  Indented stays\nas it is '],
])('of %j %j is left', (text, left) => {
  expect(withoutCommands(text)).toBe(left);
  expect(hasCommandLine(text)).toBe(text !== left);
});
