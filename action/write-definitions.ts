/** Writes `action/<name>/action.yml` from what the code takes and brings. `node action/write-definitions.ts` */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';
import { ACTIONS, type ActionSpec } from '../src/hosts/action/job/action-specs.ts';

export function renderDefinition({ name, description, inputs, outputs }: ActionSpec): string {
  const definition = {
    name,
    description,
    inputs: Object.fromEntries(
      Object.entries(inputs).map(([input, spec]) => [
        input,
        {
          description: spec.description,
          required: spec.isRequired === true,
          ...(spec.default === undefined ? {} : { default: spec.default }),
        },
      ]),
    ),
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([output, text]) => [output, { description: text }]),
    ),
    runs: { using: 'node24', main: 'dist/index.js' },
  };
  const head =
    '# Made by action/write-definitions.ts. The bundle is built onto the commit of a release.\n';
  return head + stringify(definition, { singleQuote: true, lineWidth: 0 });
}

if (import.meta.main)
  for (const [name, spec] of Object.entries(ACTIONS)) {
    const dir = path.join(import.meta.dirname, name);
    await mkdir(dir, { recursive: true });
    await writeFile(path.join(dir, 'action.yml'), renderDefinition(spec));
  }
