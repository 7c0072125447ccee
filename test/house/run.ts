/**
 * `npm run house [-- --list NAME]`: prints how the tree that it is run in is built. With `--list`,
 * it prints what a figure counts.
 */
import { parseArgs } from 'node:util';
import { measure } from './figures.ts';
import { readSources } from './source-tree.ts';

const { values } = parseArgs({ options: { list: { type: 'string' } } });
const { list } = values;
const figures = measure(readSources(process.cwd()));
const width = Math.max(...figures.map(({ name }) => name.length));
for (const { name, value, items = [] } of figures) {
  process.stdout.write(`${name.padEnd(width)}  ${value}\n`);
  if (list === undefined || !name.includes(list)) continue;
  for (const item of items) process.stdout.write(`  ${item}\n`);
}
