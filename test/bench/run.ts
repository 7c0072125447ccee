/** `npm run bench [-- --only ack,start] [--long]`: measures, prints one table, keeps it in results.md. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ack } from './ack.ts';
import { actions } from './actions.ts';
import { channels } from './channels.ts';
import { deliberation } from './deliberation.ts';
import { journal } from './journal.ts';
import { memory } from './memory.ts';
import { probes } from './probes.ts';
import { prompts } from './prompts.ts';
import { renderRows, type Section } from './report.ts';
import { core } from './core.ts';
import { retrieval } from './retrieval/section.ts';
import { reviews } from './reviews.ts';
import { signals } from './signals.ts';
import { startUp } from './start-up.ts';
import { tasks } from './tasks.ts';
import { tenants } from './tenants.ts';

const SECTIONS: readonly Section[] = [
  ack,
  startUp,
  memory,
  probes,
  core,
  deliberation,
  reviews,
  signals,
  prompts,
  tasks,
  tenants,
  channels,
  actions,
  retrieval,
  journal,
];
const RESULTS = new URL('results.md', import.meta.url);

const { values } = parseArgs({
  options: { only: { type: 'string' }, long: { type: 'boolean', default: false } },
});
const chosen = values.only?.split(',') ?? SECTIONS.map(({ name }) => name);
const unknown = chosen.filter((name) => !SECTIONS.some((section) => section.name === name));
if (unknown.length > 0) {
  const names = SECTIONS.map(({ name }) => name).join(', ');
  process.stderr.write(`Unknown: ${unknown.join(', ')}. There are: ${names}.\n`);
  process.exit(2);
}

build();
const parts = readParts();
for (const section of SECTIONS.filter(({ name }) => chosen.includes(name))) {
  process.stdout.write(`\n${section.title}\n`);
  const table = renderRows(await section.run({ isLong: values.long }));
  process.stdout.write(`${table}\n`);
  parts.set(section.name, `${describeRun()}\n\n${section.method}\n\n${table}`);
  writeParts(parts);
}

/** What is measured is what is shipped. */
function build(): void {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  try {
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  } catch {
    process.stderr.write('The build reports errors; what it wrote is measured all the same.\n');
  }
}

function describeRun(): string {
  const [cpu] = cpus();
  const load = loadavg()[0]?.toFixed(1);
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, Node ${process.versions.node}, ${cpus().length} cores (${cpu?.model ?? 'unknown'}), load ${load}.`;
}

/** The last result of each section, so that a part can be measured again. */
function readParts(): Map<string, string> {
  let text = '';
  try {
    text = readFileSync(RESULTS, 'utf8');
  } catch {
    return new Map();
  }
  return new Map(
    SECTIONS.flatMap(({ name, title }) => {
      const from = text.indexOf(`\n## ${title}\n`);
      if (from === -1) return [];
      const start = from + title.length + 5;
      const end = text.indexOf('\n## ', start);
      return [[name, text.slice(start, end === -1 ? undefined : end).trim()] as const];
    }),
  );
}

function writeParts(kept: ReadonlyMap<string, string>): void {
  const sections = SECTIONS.flatMap(({ name, title }) => {
    const part = kept.get(name);
    return part === undefined ? [] : [`## ${title}\n\n${part}\n`];
  });
  const head =
    '# Benchmarks\n\nWritten by `npm run bench`. Every judgement is a ratio of two things measured in the same run: absolute figures belong to one machine at one time. Load is the share of the machine that other processes used meanwhile; above 20 % a figure is marked noisy.\n';
  writeFileSync(RESULTS, [head, ...sections].join('\n'));
}
