/** Writes again what `quorum init` makes below `examples/`; what people edited there stays. `node test/helpers/write-examples.ts` */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readRoleDefaults } from '../../src/adapters/files/role-defaults.ts';
import { detectProject } from '../../src/domain/setup/detect-project.ts';
import { memoryFiles } from '../../src/domain/setup/memory-files.ts';
import { setupFiles } from '../../src/domain/setup/setup-files.ts';
import { EXAMPLES } from './example-choices.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../examples');
const MEMORY = memoryFiles(await readRoleDefaults());

for (const { folder, choices, files, edited, hasMemory } of Object.values(EXAMPLES)) {
  const project = detectProject({ paths: Object.keys(files), texts: files });
  const made = [...setupFiles(choices, project), ...(hasMemory === true ? MEMORY : [])];
  for (const { path: file, text } of made) {
    if (edited.includes(file)) continue;
    const target = path.join(FOLDER, folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}
