/** The repositories below `examples/`: valid for the schema and for GitHub, and what `quorum init` writes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readRoleDefaults } from '../src/adapters/files/role-defaults.ts';
import { resolveConfig } from '../src/domain/config/config-file.ts';
import { detectProject } from '../src/domain/setup/detect-project.ts';
import { memoryFiles } from '../src/domain/setup/memory-files.ts';
import { findPins } from '../src/domain/setup/product-pin.ts';
import { setupFiles } from '../src/domain/setup/setup-files.ts';
import { EXAMPLES } from './helpers/example-choices.ts';
import { workflowErrors } from './helpers/workflow-parser.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const FOLDER = path.join(ROOT, 'examples');
const read = (file: string): string => readFileSync(path.join(FOLDER, file), 'utf8');

const memory = memoryFiles(await readRoleDefaults());
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.(?:ya?ml|json)$|\/memory\/.*\.md$/.test(file),
);
const configs = files.filter((file) => file.endsWith('.github/quorum.yml'));
const workflows = files.filter((file) => /\/(?:workflows|workflow-templates)\/.*\.yml$/.test(file));

/** The reusable workflows of this repository, so that secrets and inputs are checked too. */
function whatItCalls(text: string): Record<string, string> {
  const addresses = Array.from(
    text.matchAll(/uses: (\S+\/(\.github\/workflows\/[\w-]+\.yml)@\S+)/g),
  );
  return Object.fromEntries(
    addresses.flatMap(([, address = '', file = '']) =>
      existsSync(path.join(ROOT, file))
        ? [[address, readFileSync(path.join(ROOT, file), 'utf8')]]
        : [],
    ),
  );
}

test('there is one for a small repository, a team, a monorepo, an organisation and an App', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual([
    'README.md',
    'app',
    'monorepo',
    'organisation',
    'small',
    'team',
  ]);
  expect([configs.length, workflows.length]).toEqual([5, 9]);
});

describe.each(configs)('%s', (file) => {
  test('has neither an error, a warning nor a value that a floor raises', () => {
    const { problems, raised } = resolveConfig([{ origin: file, file, text: read(file) }]);
    expect([problems, raised]).toEqual([[], []]);
  });

  test('fits the schema that editors load', () => {
    const schema = JSON.parse(
      readFileSync(path.join(ROOT, 'schema/config.json'), 'utf8'),
    ) as object;
    const ajv = new Ajv({ strict: false, formats: { uri: true } });
    ajv.validate(schema, parse(read(file)));
    expect(ajv.errors).toBeNull();
  });
});

test('the configuration of an organisation and that of its repository fit together', () => {
  const layers = ['organisation/dot-github', 'organisation/shop'].map((folder) => {
    const file = `${folder}/.github/quorum.yml`;
    return { origin: folder, file, text: read(file) };
  });
  const { config, isValid, origins } = resolveConfig(layers);
  expect([isValid, config.access.owner, config.access.spend]).toEqual([true, 'tom', 'write']);
  expect(origins.get('access.spend')).toBe('organisation/dot-github');
});

describe.each(workflows)('%s', (file) => {
  test("has no error for GitHub's own parser, and at most 15 lines", async () => {
    const text = read(file);
    expect(await workflowErrors(text, whatItCalls(text))).toEqual([]);
    expect(read(file).trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  });

  test('runs no script and no action of its own, so that nothing can be put into one', () => {
    expect(read(file)).not.toMatch(/^\s*-?\s*(?:run|steps):/m);
  });
});

test("GitHub's own parser finds an unknown event, a secret that is not declared, and braces without quotes", async () => {
  const text = read('small/.github/workflows/quorum.yml');
  const [pin] = findPins(text);
  const address = `${pin?.repository}/.github/workflows/quorum.yml@${pin?.ref}`;
  const reusable =
    'on: { workflow_call: { secrets: { QUORUM_ENCRYPTION_KEY: { required: false } } } }\njobs: { a: { runs-on: x, steps: [{ run: echo }] } }\n';
  expect(await workflowErrors(text.replace('  issues:', '  isues:'))).toEqual([
    expect.stringContaining("Unexpected value 'isues'"),
  ]);
  expect(await workflowErrors(text, { [address]: reusable })).toEqual([
    expect.stringContaining('Invalid secret, ANTHROPIC_API_KEY'),
  ]);
  expect(await workflowErrors(text.replaceAll("'", ''))).not.toEqual([]);
});

describe.each(Object.values(EXAMPLES))('examples/$folder', (example) => {
  const project = detectProject({ paths: Object.keys(example.files), texts: example.files });
  const made = [
    ...setupFiles(example.choices, project),
    ...(example.hasMemory === true ? memory : []),
  ];

  test('has exactly what init writes, but for what people edit', () => {
    for (const { path: file, text } of made) {
      const there = read(path.join(example.folder, file));
      if (example.edited.includes(file)) expect(findPins(there)).toEqual(findPins(text));
      else expect(there, 'node test/helpers/write-examples.ts').toBe(text);
    }
  });

  test('has no other file', () => {
    const there = files.filter((file) => file.startsWith(`${example.folder}/`));
    const wanted = made.map(({ path: file }) => `${example.folder}/${file}`);
    expect(there.toSorted()).toEqual(wanted.toSorted());
  });
});
