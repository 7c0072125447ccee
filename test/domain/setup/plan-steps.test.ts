import { format } from 'prettier';
import { describe, expect, test } from 'vitest';
import { detectProject } from '../../../src/domain/setup/detect-project.ts';
import {
  isChange,
  planInit,
  planUninstall,
  planUpgrade,
  type FileStep,
} from '../../../src/domain/setup/plan-steps.ts';
import { sealOf } from '../../../src/domain/setup/seal.ts';
import {
  setupFiles,
  SETUP_PATHS,
  WORKFLOW_FILE,
  type SetupChoices,
} from '../../../src/domain/setup/setup-files.ts';

const EMPTY = detectProject({ paths: [], texts: {} });
const CHOICES: SetupChoices = {
  pin: { repository: 'acme/quorum', ref: 'v1' },
  secrets: ['ANTHROPIC_API_KEY'],
  perDayUsd: 5,
  hasTemplates: true,
  more: ['tasks', 'sweeps', 'code'],
  branch: 'quorum/init',
};
const CONFIG = '.github/quorum.yml';
const wanted = setupFiles(CHOICES, EMPTY);
const fresh = new Map(wanted.map(({ path, text }) => [path, text]));

/** What is there after these steps. */
function after(present: ReadonlyMap<string, string>, steps: readonly FileStep[]) {
  const texts = new Map(present);
  for (const step of steps)
    if (step.kind === 'delete') texts.delete(step.path);
    else if (isChange(step)) texts.set(step.path, step.after);
  return texts;
}

const kinds = (steps: readonly FileStep[]) => steps.map(({ path, kind }) => [path, kind]);
const edited = (path: string) => new Map([...fresh, [path, `${fresh.get(path) ?? ''}# mine\n`]]);

describe('the files of init', () => {
  test('all sealed, and at paths that uninstall knows', () => {
    expect(wanted.map(({ path }) => path).toSorted()).toEqual([...SETUP_PATHS].toSorted());
    expect(wanted.map(({ text }) => sealOf(text))).toEqual(wanted.map(() => 'intact'));
  });

  test('each workflow has at most 15 lines', () => {
    const workflows = wanted.filter(({ path }) => path.startsWith('.github/workflows/'));
    expect(workflows).toHaveLength(5);
    for (const { text } of workflows)
      expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  });

  test('the workflow has at most 15 lines, with every choice made', () => {
    const secrets = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'] as const;
    const text =
      setupFiles({ ...CHOICES, secrets }, EMPTY).find(({ path }) => path === WORKFLOW_FILE)?.text ??
      '';
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
    expect(text).toContain('uses: acme/quorum/.github/workflows/quorum.yml@v1');
  });

  test.each([
    {},
    { singleQuote: true, printWidth: 100 },
    { proseWrap: 'never', tabWidth: 2 },
  ] as const)('Prettier changes none of them, whose digest would break: %j', async (options) => {
    for (const { path, text } of wanted)
      expect(await format(text, { ...options, filepath: path })).toBe(text);
  });

  test('no choice leaves a trace: neither templates nor keys', () => {
    const bare = { ...CHOICES, secrets: [], hasTemplates: false, more: [] };
    const files = setupFiles(bare, EMPTY);
    expect(files.map(({ path }) => path)).toEqual([CONFIG, WORKFLOW_FILE]);
    expect(files[1]?.text).not.toMatch(/ANTHROPIC|OPENAI/);
  });
});

describe('init', () => {
  test('creates everything in an empty repository, and nothing the second time', () => {
    const first = planInit(wanted, new Map(), false);
    expect(first.every(({ kind }) => kind === 'create')).toBe(true);
    const second = planInit(wanted, after(new Map(), first), false);
    expect(second.filter(isChange)).toEqual([]);
  });

  test('changes nothing the second time with other choices either', () => {
    const other = setupFiles({ ...CHOICES, perDayUsd: 1 }, EMPTY);
    expect(planInit(other, fresh, false).filter(isChange)).toEqual([]);
  });

  test('keeps what a person changed, and replaces it only when forced', () => {
    const present = edited(CONFIG);
    const kept = planInit(wanted, present, false);
    expect(kept[0]).toEqual({
      kind: 'kept',
      path: CONFIG,
      why: 'is not as init made it; --force replaces it',
    });
    expect(kept.filter(isChange)).toEqual([]);
    expect(kinds(planInit(wanted, present, true).filter(isChange))).toEqual([[CONFIG, 'update']]);
  });

  test('adds no second configuration beside quorum.yaml, forced or not', () => {
    const present = new Map([['.github/quorum.yaml', 'version: 1\n']]);
    for (const isForced of [false, true]) {
      const steps = planInit(wanted, present, isForced);
      expect(steps.map(({ path }) => path)).not.toContain(CONFIG);
    }
  });

  test('adds no second workflow where another file calls Quorum', () => {
    const present = new Map([['.github/workflows/ai.yml', fresh.get(WORKFLOW_FILE) ?? '']]);
    const steps = planInit(wanted, present, false);
    expect(kinds(steps)).toContainEqual(['.github/workflows/ai.yml', 'kept']);
    expect(steps.map(({ path }) => path)).not.toContain(WORKFLOW_FILE);
  });
});

describe('init where a workflow for something else calls Quorum', () => {
  test('adds the one that every repository needs', () => {
    const sweep = '.github/workflows/quorum-sweep.yml';
    const present = new Map([[sweep, fresh.get(sweep) ?? '']]);
    const steps = planInit(wanted, present, false);
    expect(kinds(steps)).toContainEqual([WORKFLOW_FILE, 'create']);
    expect(kinds(steps)).toContainEqual([sweep, 'unchanged']);
  });
});

describe('uninstall', () => {
  test('takes back everything that init made, and has nothing to do after that', () => {
    const steps = planUninstall(fresh, false);
    expect(steps.every(({ kind }) => kind === 'delete')).toBe(true);
    const rest = after(fresh, steps);
    expect([rest.size, planUninstall(rest, false)]).toEqual([0, []]);
  });

  test('leaves what a person changed, unless forced', () => {
    expect(kinds(planUninstall(edited(CONFIG), false))).toContainEqual([CONFIG, 'kept']);
    expect(kinds(planUninstall(edited(CONFIG), true))).toContainEqual([CONFIG, 'delete']);
  });

  test("never removes a file that is somebody else's, not even forced", () => {
    const foreign = new Map([[CONFIG, 'version: 1\n']]);
    for (const isForced of [false, true])
      expect(planUninstall(foreign, isForced)).toEqual([
        { kind: 'kept', path: CONFIG, why: 'was not made by quorum init' },
      ]);
  });
});

describe('upgrade', () => {
  const V2 = { repository: undefined, ref: 'v2' };

  test('moves the workflow and the schema, keeps them sealed, and has nothing to do after that', () => {
    const steps = planUpgrade(fresh, V2);
    expect(kinds(steps)).toEqual([
      [CONFIG, 'update'],
      [WORKFLOW_FILE, 'update'],
      ['.github/workflows/quorum-task.yml', 'update'],
      ['.github/workflows/quorum-merge.yml', 'update'],
      ['.github/workflows/quorum-sweep.yml', 'update'],
      ['.github/workflows/quorum-code.yml', 'update'],
    ]);
    const texts = after(fresh, steps);
    expect([...texts.values()].map(sealOf)).toEqual([...texts].map(() => 'intact'));
    expect(texts.get(WORKFLOW_FILE)).toContain('quorum.yml@v2');
    expect(texts.get(CONFIG)).toContain('/v2/schema/config.json');
    expect([...texts.values()].join('')).not.toMatch(/[/@]v1\b/);
    expect(planUpgrade(texts, V2).filter(isChange)).toEqual([]);
  });

  test('keeps every line that a person wrote', () => {
    const present = edited(WORKFLOW_FILE);
    const texts = after(present, planUpgrade(present, V2));
    expect(texts.get(WORKFLOW_FILE)).toBe(
      present.get(WORKFLOW_FILE)?.replace('quorum.yml@v1', 'quorum.yml@v2'),
    );
  });

  test('keeps the repository that a pin names, unless another one is given', () => {
    const own = planUpgrade(fresh, V2).filter(isChange);
    const other = planUpgrade(fresh, { repository: 'corp/quorum', ref: 'v2' }).filter(isChange);
    const texts = (steps: typeof own) =>
      steps.map((step) => (step.kind === 'update' ? step.after : ''));
    expect(texts(own).every((text) => text.includes('acme/quorum'))).toBe(true);
    expect(texts(other).every((text) => text.includes('corp/quorum'))).toBe(true);
  });
});
