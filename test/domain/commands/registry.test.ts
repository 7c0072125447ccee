/** The registry is whole and consistent, and help made from it runs nothing. */
import { describe, expect, test } from 'vitest';
import { parseCommands } from '../../../src/domain/commands/command-parse.ts';
import {
  renderCommandHelp,
  renderHelp,
  renderIgnored,
  renderUnknown,
} from '../../../src/domain/commands/help.ts';
import { COMMANDS, findCommand, kindOf } from '../../../src/domain/commands/registry.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';

const { access } = defaultConfig();

test('every command of the specification is there, once', () => {
  const names = COMMANDS.map(({ name }) => name);
  expect(names.toSorted()).toEqual(
    (
      'add approve ask block change claim config conflicts consult correct cost deliberate doctor done explain feedback ' +
      'forget help hold image link meeting memory merge model ok-to-run order pause plan reject release remember remove report ' +
      'resume retry review revise run standup status stop synthesise tension tensions unblock undo unhold watch why'
    ).split(' '),
  );
});

test('the commands of today are marked built', () => {
  const built = COMMANDS.filter((entry) => entry.built).map(({ name }) => name);
  expect(built.toSorted()).toEqual(
    (
      'add approve ask block change claim config consult correct cost deliberate doctor done explain feedback forget help hold link memory merge model ok-to-run pause plan ' +
      'reject release remember remove report resume retry review revise run standup status stop tension tensions unblock undo unhold watch why'
    ).split(' '),
  );
});

test.each(COMMANDS.map((entry) => [entry.name, entry] as const))(
  'every example of %s is understood as it',
  (name, { examples, usage }) => {
    expect(examples.length).toBeGreaterThan(0);
    expect(usage).toContain('/pm');
    for (const example of examples)
      expect(parseCommands(example, { models: ['claude'] }).commands).toMatchObject([{ name }]);
  },
);

test('what starts or advances work needs at least triage, and what changes things is never a mere question', () => {
  for (const entry of COMMANDS.filter(({ safety }) => safety < 0))
    expect(entry.kind).not.toBe('read');
  for (const entry of COMMANDS.filter(({ destructive }) => destructive))
    expect(entry.kind).toBe('change');
});

test('switching the model is a change, showing it is not', () => {
  expect(kindOf({ name: 'model', args: [] })).toBe('read');
  expect(kindOf({ name: 'model', args: ['claude'] })).toBe('change');
  expect(kindOf({ name: 'memory', args: ['approve'] })).toBe('change');
  expect(kindOf({ name: 'nonsense', args: [] })).toBe('change');
  expect(findCommand('SYNTHESIZE')?.name).toBe('synthesise');
});

describe('help', () => {
  test('lists what works with who may, and nothing else', () => {
    const help = renderHelp(access);
    expect(help).toContain('| `/pm review [handle …]` | triage | Reviews the pull request');
    expect(help).toContain('| `/pm cost [thread\\|day\\|month]` | read |');
    expect(help).toContain('| `/pm model [name] · /pm <model>` | read, write to change |');
    expect(help).not.toContain('synthesise');
  });

  test('shows what the repository asks for', () => {
    const strict = { ...access, commands: { ask: 'maintain' as const } };
    expect(renderHelp(strict)).toContain('| `/pm ask question` | maintain |');
  });

  test('explains one command', () => {
    expect(renderCommandHelp('stop', access)).toBe(
      "**`/pm stop [why]`** Aborts this thread's runs.\n\nNeeds write permission; works on any issue or pull request. Cannot be undone.\n\n- `/pm stop`",
    );
    expect(renderCommandHelp('/pm merge', access)).toContain('and a person');
  });

  test('an unknown one gets the nearest and three likely ones', () => {
    expect(renderUnknown('prioritise`\n/pm stop')).not.toMatch(/`\/pm stop`\n/);
    expect(renderUnknown('halp')).toBe(
      'There is no command `/pm halp`. Did you mean `/pm help`? Often used: `/pm status`, `/pm ask`, `/pm review`; `/pm help` lists all.',
    );
  });

  test('says what was not run, and is silent about quotes', () => {
    expect(renderIgnored(parseCommands('> /pm stop').ignored)).toBeUndefined();
    expect(renderIgnored(parseCommands('/pm resume\n/pm pause').ignored)).toBe(
      'Not run:\n- line 1, `resume`: it contradicts `/pm pause` on line 2, which is the safer one',
    );
    const many = Array.from({ length: 15 }, (_, index) => `/pm nothing${index}`).join('\n');
    expect(renderIgnored(parseCommands(many).ignored)).toMatch(/- and 5 more$/);
  });

  test('nothing that we say about commands runs one', () => {
    const said = [
      renderHelp(access),
      ...COMMANDS.map(({ name }) => renderCommandHelp(name, access)),
      renderUnknown('halp\n/pm stop'),
      renderIgnored(parseCommands('/pm resume\n/pm pause\n/pm x').ignored) ?? '',
    ];
    for (const text of said) expect(parseCommands(text).commands).toEqual([]);
  });
});
