import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Config, defaultConfig, requiredPermission } from '../../../src/domain/config/config.ts';
import {
  chooseConfigFile,
  explainConfig,
  parseExtends,
  readExtends,
  resolveConfig,
} from '../../../src/domain/config/config-file.ts';
import { verifies } from '../../verifies.ts';

const repository = (text: string) => ({
  origin: 'acme/shop',
  file: '.github/quorum.yml',
  text,
});
const organisation = (text: string) => ({
  origin: 'acme/.github',
  file: '.github/quorum.yml',
  text,
});
const resolve = (text: string) => resolveConfig([repository(text)]);

test('a map of more than 100 channels is a problem, and no channel is for the repository', () => {
  const map = (count: number): string =>
    Array.from(
      { length: count },
      (_, at) => `      C${String(at).padStart(9, '0')}: acme/shop`,
    ).join('\n');
  const read = (count: number) =>
    resolve(`channels:\n  slack:\n    channel: '#team'\n    map:\n${map(count)}\n`);
  const full = read(100);
  expect([full.problems, Object.keys(full.config.channels.slack.map).length]).toEqual([[], 100]);
  const { config, problems } = read(101);
  expect(problems).toMatchObject([{ key: 'channels.slack.map' }]);
  expect(problems[0]?.expected).toContain('No more than 100 channels');
  expect(config.channels.slack).toMatchObject({ channel: '#team', map: {} });
});

describe('defaults', () => {
  test('an empty configuration is the documented one', () => {
    const { config, isValid, problems } = resolve('');
    expect(isValid).toBe(true);
    expect(problems).toEqual([]);
    expect(config).toEqual(defaultConfig());
    expect(config).toMatchObject({
      enabled: true,
      council: {
        mode: 'blind',
        style: 'live',
        maxRounds: 2,
        maxContributions: 6,
        debounceSeconds: 60,
        cooldownMinutes: 30,
        secondVoice: { chat: 0.4, github: 0 },
      },
      review: { event: 'comment', maxComments: 15 },
      plans: { leaseNamespace: 'refs/quorum/leases', leaseMinutes: 30, synthesise: false },
      gates: { tests: 'required', testTimeoutSeconds: 120 },
      merge: { mode: 'command', method: 'squash' },
      coder: { maxTurns: 10, timeoutMinutes: 30 },
      budget: { pm: { perThreadUsd: 0.5, perDayUsd: 5 }, warnAt: 0.8 },
      access: { maxConcurrentThreads: 5, codeRunsPerHour: 20, codeRunsPerUserPerHour: 10 },
      board: {
        enabled: false,
        meetings: { enabled: true, maxDurationMs: 600_000, maxTurnsPerAgent: 3, mode: 'parallel' },
        consultation: { enabled: true, maxDepth: 2, timeoutMs: 120_000 },
      },
      quietHours: { from: 23, to: 7 },
      sweeps: { awareness: { everySeconds: 45 }, expression: { enabled: false } },
      labels: { deliberate: 'deliberate', 'needs-human': 'needs-human' },
    });
    expect(config.merge.requesterMayApprove).toBeUndefined();
  });

  test('the top keys are the fixed ones', () => {
    expect(Object.keys(Config.shape).filter((key) => key !== '_extends')).toEqual(
      'version enabled council review plans gates merge coder models budget access board standup memory journal roadmap channels sweeps personas labels paths quietHours'.split(
        ' ',
      ),
    );
  });

  test('the defaults break no floor', () => {
    expect(resolve('').raised).toEqual([]);
  });

  test('a key with everything below it commented out counts as absent', () => {
    expect(resolve('merge:\n  # mode: auto\ncouncil:\n  mode:\n').config).toEqual(defaultConfig());
  });
});

describe('problems', () => {
  verifies(
    'CFG-02',
    'a wrong key or value is reported with line, column, expectation and the nearest one',
    () => {
      const table: [string, Record<string, unknown>][] = [
        [
          'councl:\n  mode: blind\n',
          { key: 'councl', code: 'unknown-key', line: 1, column: 1, nearest: 'council' },
        ],
        [
          'enabled: true\ncouncil:\n  mdoe: blind\n',
          { key: 'council.mdoe', code: 'unknown-key', line: 3, column: 3, nearest: 'mode' },
        ],
        [
          'council:\n  mode: blnd\n',
          {
            key: 'council.mode',
            code: 'unknown-value',
            line: 2,
            nearest: 'blind',
            expected: 'one of blind, sequential, single',
          },
        ],
        [
          'council:\n  maxRounds: two\n',
          {
            key: 'council.maxRounds',
            code: 'wrong-type',
            line: 2,
            expected: 'a number',
            message: 'is "two"',
          },
        ],
        [
          'council:\n  maxRounds: 1.5\n',
          { key: 'council.maxRounds', code: 'wrong-type', expected: 'a whole number' },
        ],
        [
          'budget:\n  perDayUsd: -1\n',
          { key: 'budget.perDayUsd', code: 'out-of-range', expected: 'at least 0' },
        ],
        ['merge: auto\n', { key: 'merge', code: 'wrong-type', expected: 'a mapping' }],
        ['gates: []\n', { key: 'gates', code: 'wrong-type', message: 'is an empty list' }],
        [
          'labels:\n  redy: go\n',
          { key: 'labels.redy', code: 'unknown-key', line: 2, nearest: 'ready' },
        ],
        [
          'models:\n  kimi:\n    provider: opnai\n',
          { key: 'models.kimi.provider', line: 3, nearest: 'openai' },
        ],
        [
          'models:\n  kimi:\n    provider: openai\n    keyEnv: not a name\n',
          { key: 'models.kimi.keyEnv', line: 4 },
        ],
        [
          'models:\n  kimi:\n    provider: openai\n    baseUrl: https://me:pw@host/\n',
          { key: 'models.kimi.baseUrl', line: 4 },
        ],
        [
          'board:\n  agents:\n    - role: finance\n      modle: x\n',
          { key: 'board.agents.0.modle', line: 4, nearest: 'model' },
        ],
        [
          'personas:\n  maya:\n    modl: x\n',
          { key: 'personas.maya.modl', line: 3, nearest: 'model' },
        ],
        ['personas:\n  Maya: {}\n', { key: 'personas.Maya', line: 2 }],
        ['version: 2\n', { key: 'version', expected: '1' }],
        ['_extends: ../../etc\n', { key: '_extends', line: 1 }],
        ['memory:\n  branch: main\n', { key: 'memory.branch', expected: 'a branch under quorum/' }],
        [
          'roadmap:\n  file: ../secret\n',
          { key: 'roadmap.file', expected: 'a path inside the repository' },
        ],
        ['quietHours:\n  timeZone: Mars/Base\n', { key: 'quietHours.timeZone' }],
      ];
      for (const [text, expected] of table) {
        const { isValid, problems } = resolve(text);
        expect([text, isValid]).toEqual([text, false]);
        expect([text, problems[0]]).toMatchObject([
          text,
          {
            file: '.github/quorum.yml',
            severity: 'error',
            ...expected,
          },
        ]);
      }
    },
  );

  test('all problems of a file are reported together, in the order of its lines', () => {
    const { problems } = resolve(
      'merge:\n  mode: allways\nenabld: true\ncouncil:\n  stlye: live\n',
    );
    expect(problems.map(({ key, line }) => [key, line])).toEqual([
      ['merge.mode', 2],
      ['enabld', 3],
      ['council.stlye', 5],
    ]);
  });

  test('an alias that names no model is a warning and keeps the file valid', () => {
    const { isValid, problems } = resolve(
      'models:\n  fast:\n    provider: anthropic\n  cheap: fst\n',
    );
    expect(isValid).toBe(true);
    expect(problems).toMatchObject([
      { key: 'models.cheap', line: 4, severity: 'warning', nearest: 'fast' },
      { key: 'models.fast', line: 2, severity: 'warning', code: 'unknown-model' },
    ]);
  });

  verifies('CFG-03', 'both extensions at once are refused with both names', () => {
    const choice = chooseConfigFile(['.github/quorum.yaml', 'README.md', '.github/quorum.yml']);
    if (choice.kind !== 'refused') throw new Error('should be refused');
    const { file, message, severity } = choice.problem;
    expect(`${file} ${message}`).toBe(
      '.github/quorum.yml and .github/quorum.yaml are both there; remove one of them',
    );
    expect(severity).toBe('error');
    expect(chooseConfigFile(['.github/quorum.yaml'])).toEqual({
      kind: 'file',
      file: '.github/quorum.yaml',
    });
    expect(chooseConfigFile(['quorum.yml'])).toEqual({ kind: 'none' });
  });
});

describe('floors', () => {
  verifies(
    'CFG-04',
    'weak and huge values are raised to what the code allows, and that is reported',
    () => {
      const table: [string, string, unknown][] = [
        ['access:\n  change: read', 'access.change', 'write'],
        ['access:\n  change: none', 'access.change', 'write'],
        ['access:\n  spend: read', 'access.spend', 'triage'],
        ['access:\n  read: none', 'access.read', 'read'],
        ['council:\n  maxRounds: 50', 'council.maxRounds', 2],
        ['council:\n  maxContributions: 999', 'council.maxContributions', 6],
        ['council:\n  cooldownMinutes: 0', 'council.cooldownMinutes', 1],
        ['review:\n  maxComments: 500', 'review.maxComments', 15],
        ['review:\n  minSeverity: critical', 'review.minSeverity', 'high'],
        ['plans:\n  maxAttempts: 100', 'plans.maxAttempts', 3],
        ['coder:\n  maxTurns: 100000', 'coder.maxTurns', 200],
        ['budget:\n  perDayUsd: 999999', 'budget.perDayUsd', 5_000],
        ['board:\n  consultation:\n    maxDepth: 99', 'board.consultation.maxDepth', 5],
        ['sweeps:\n  proactive:\n    everySeconds: 1', 'sweeps.proactive.everySeconds', 5_400],
      ];
      for (const [text, key, value] of table) {
        const resolved = resolve(text);
        expect([text, resolved.isValid]).toEqual([text, true]);
        expect([text, resolved.raised.map((each) => each.key)]).toEqual([text, [key]]);
        expect([text, explainConfig(resolved).find((each) => each.key === key)]).toEqual([
          text,
          {
            key,
            value,
            source: 'floor',
          },
        ]);
      }
    },
  );

  verifies('CFG-02', 'a path pattern that is wrong is reported with its line', () => {
    const many = Array.from({ length: 501 }, (_, at) => `    - p${at}\n`).join('');
    const table: [string, Record<string, unknown>][] = [
      ['    - docs\n    - "!docs/a"\n', { line: 4, expected: /without `!`/ }],
      ['    - "{infra,deploy/**"\n', { line: 3, expected: /braces as in \{a,b\}/ }],
      ['    - docs\n    - infra/[ab\n', { line: 4, expected: /\[ \] with an end/ }],
      [`    - ${'x'.repeat(201)}\n`, { line: 3, expected: /at most 200 characters/ }],
      ['    - "{1..101}"\n', { line: 3, expected: /at most 100 patterns/ }],
      [many, { line: 503, expected: /at most 500 patterns/ }],
    ];
    for (const key of ['protected', 'ignored'])
      for (const [text, { line, expected }] of table) {
        const { isValid, problems } = resolve(`paths:\n  ${key}:\n${text}`);
        expect([key, text, isValid]).toEqual([key, text, false]);
        expect(problems).toEqual([
          expect.objectContaining({ line, expected: expect.stringMatching(expected as RegExp) }),
        ]);
      }
    expect(resolve('paths:\n  protected: ["{infra,deploy}/**", "infra/[ab].tf"]').isValid).toBe(
      true,
    );
    expect(resolve(`paths:\n  protected:\n${many.replace('    - p0\n', '')}`).isValid).toBe(true);
  });

  verifies(
    'CFG-04',
    'what means nothing is read as the most restrictive, and nothing merges or runs',
    () => {
      const table: [string, Record<string, unknown>][] = [
        ['enabled: flase', { enabled: false }],
        ['merge:\n  mode: allways', { merge: { mode: 'never' } }],
        ['gates: []', { gates: { tests: 'required', testNetwork: false } }],
        ['gates:\n  tests: nope', { gates: { tests: 'required' } }],
        ['coder:\n  sandbox: no', { coder: { sandbox: 'on', runner: 'off' } }],
        ['access:\n  allowedApps: "*"', { access: { allowedApps: [] } }],
        ['access:\n  change: everybody', { access: { change: 'admin' } }],
        [
          'access:\n  commands:\n    approve: anyone',
          { access: { commands: { approve: 'admin' } } },
        ],
        ['access: open', { access: { change: 'admin', spend: 'admin' } }],
        ['budget:\n  perDayUsd: -5', { budget: { perDayUsd: 0 } }],
        ['access:\n  codeRunsPerHour: -1', { access: { codeRunsPerHour: 0 } }],
        ['- not\n- a mapping', { plans: { synthesise: false } }],
        ['paths: none', { paths: { protected: ['**'] } }],
        ['paths:\n  protected: [docs, "!docs/a"]', { paths: { protected: ['**'] } }],
        ['paths:\n  ignored: [docs, "!docs/a"]', { paths: { ignored: [] } }],
      ];
      for (const [text, expected] of table) {
        const { config, isValid } = resolve(text);
        expect([text, isValid]).toEqual([text, false]);
        expect([text, config]).toMatchObject([text, expected]);
        expect([text, config]).toMatchObject([
          text,
          { merge: { mode: 'never' }, coder: { runner: 'off' } },
        ]);
      }
    },
  );

  test('the sound rest of a broken file is kept', () => {
    const { config } = resolve('councl: 1\ncouncil:\n  mode: single\nlabels:\n  ready: go\n');
    expect(config.council.mode).toBe('single');
    expect(config.labels.ready).toBe('go');
  });

  verifies('CFG-04', 'no setting of one command goes below the floor of its kind', () => {
    const { access } = resolve(
      'access:\n  commands:\n    approve: none\n    plan: read\n    status: triage\n',
    ).config;
    expect(access.commands).toEqual({ approve: 'read', plan: 'read', status: 'triage' });
    expect(requiredPermission(access, 'approve', 'change')).toBe('write');
    expect(requiredPermission(access, 'plan', 'spend')).toBe('triage');
    expect(requiredPermission(access, 'status', 'read')).toBe('triage');
    expect(requiredPermission(access, 'merge', 'change')).toBe('write');
    expect(requiredPermission(access, 'toString', 'read')).toBe('read');
  });

  test('floors hold for every valid number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1_000 }), fc.nat(999_999), (rounds, usd) => {
        const { config, isValid } = resolve(
          `council: {maxRounds: ${rounds}}\nbudget: {perDayUsd: ${usd}}`,
        );
        expect(isValid).toBe(true);
        expect(config.council.maxRounds).toBe(2);
        expect(config.budget.perDayUsd).toBe(Math.min(usd, 5_000));
      }),
    );
  });
});

describe('layers', () => {
  test('the repository goes over the organisation: mappings merge, lists replace', () => {
    const resolved = resolveConfig([
      organisation(
        'council:\n  mode: single\n  style: thread\npaths:\n  protected: [a, b]\nmodels:\n  fast: {provider: anthropic, model: m}\n  cheap: fast\n',
      ),
      repository(
        'council:\n  mode: sequential\npaths:\n  protected: [c]\nmodels:\n  fast: {label: Fast, provider: openai}\n',
      ),
    ]);
    expect(resolved.config.council).toMatchObject({ mode: 'sequential', style: 'thread' });
    expect(resolved.config.paths.protected).toEqual(['c']);
    expect(resolved.config.models).toEqual({
      pool: { fast: { provider: 'openai', model: 'm', label: 'Fast' } },
      aliases: { cheap: 'fast' },
    });
  });

  test('each value is shown with its source', () => {
    const resolved = resolveConfig([
      organisation('council:\n  mode: single\n  maxRounds: 9\nmodels:\n  cheap: offline\n'),
      repository('council:\n  style: thread\nlabels:\n  ready: go\n'),
    ]);
    const sources = Object.fromEntries(
      explainConfig(resolved).map(({ key, source }) => [key, source]),
    );
    expect(sources).toMatchObject({
      'council.mode': 'acme/.github',
      'council.style': 'acme/shop',
      'council.maxRounds': 'floor',
      'council.debounceSeconds': 'default',
      'models.cheap': 'acme/.github',
      'labels.ready': 'acme/shop',
      'labels.draft': 'default',
    });
  });

  test('a broken layer does not take the others with it', () => {
    const { config, isValid, problems } = resolveConfig([
      organisation('council:\n  mode: single\n'),
      repository('\tcouncil: {}\n'),
    ]);
    expect(isValid).toBe(false);
    expect(problems).toMatchObject([{ code: 'tab', line: 1 }]);
    expect(config.council.mode).toBe('single');
    expect(config.merge.mode).toBe('never');
  });

  test.each([
    ['base', { owner: 'acme', repo: 'base', path: '.github/quorum.yml' }],
    ['other/base', { owner: 'other', repo: 'base', path: '.github/quorum.yml' }],
    ['base:conf/team.yml', { owner: 'acme', repo: 'base', path: 'conf/team.yml' }],
    ['.github', { owner: 'acme', repo: '.github', path: '.github/quorum.yml' }],
  ])('_extends: %s points to a file', (value, expected) => {
    expect(readExtends(repository(`_extends: ${value}\n`))).toBe(value);
    expect(parseExtends(value, 'acme')).toEqual(expected);
  });

  test('a bad _extends points nowhere', () => {
    expect(readExtends(repository('_extends: a/b/c/d\n'))).toBeUndefined();
    expect(readExtends(repository('_extends: [a]\n'))).toBeUndefined();
    expect(readExtends(repository('::'))).toBeUndefined();
  });

  test('any text gives a configuration within the floors', () => {
    const keys = fc.constantFrom(...Object.keys(Config.shape), 'mode', 'x', '__proto__');
    const values = fc.constantFrom(
      'null',
      '[]',
      '{}',
      '-1',
      '1e99',
      '"*"',
      'true',
      '{mode: 1}',
      '{perDayUsd: .nan}',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, values), { maxLength: 6 }), (entries) => {
        const text = entries.map(([key, value]) => `${key}: ${value}`).join('\n');
        const { config, isValid, problems } = resolve(text);
        expect(isValid).toBe(!problems.some(({ severity }) => severity === 'error'));
        expect(['write', 'admin']).toContain(config.access.change);
        if (!isValid) expect(config.merge.mode).toBe('never');
      }),
      { numRuns: 300 },
    );
  });
});
