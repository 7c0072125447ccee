/** Writes the published JSON Schemas (`npm run schema`); a test fails when the committed ones are not current. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedSchemas } from '../domain/config/json-schema.ts';

for (const [path, content] of Object.entries(publishedSchemas())) {
  const target = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, content);
  process.stdout.write(`${path}\n`);
}
