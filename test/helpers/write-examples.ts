/** Writes again what `quorum init` makes below `examples/`; what people edited there stays. `node test/helpers/write-examples.ts` */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { detectProject } from '../../src/domain/setup/detect-project.ts';
import { setupFiles } from '../../src/domain/setup/setup-files.ts';
import { EXAMPLES } from './example-choices.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../examples');

for (const { folder, choices, files, edited } of Object.values(EXAMPLES)) {
  const project = detectProject({ paths: Object.keys(files), texts: files });
  for (const { path: file, text } of setupFiles(choices, project)) {
    if (edited.includes(file)) continue;
    const target = path.join(FOLDER, folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}
