/**
 * Builds the bundle of each action into `action/<name>/dist`. It is not on the main branch: a release builds it onto the
 * release's commit. The same sources give the same bytes.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { z } from 'zod';
import { ACTIONS } from '../src/hosts/action/job/action-specs.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Reached by `@actions/core` for OIDC alone, which none of Quorum's actions asks for. */
const WITHOUT_EFFECTS = /node_modules\/(?:@actions\/(?:http-client|core)|undici|tunnel)\//;

/** What a bundle starts inside a sandbox is a file of its own beside it. */
const CHILDREN: Readonly<Record<string, Record<string, string>>> = {
  task: {
    bridge: 'src/adapters/coder/claude/bridge.ts',
    'bridge-out': 'src/adapters/bubblewrap/egress/bridge-out.ts',
  },
  code: {
    bridge: 'src/adapters/coder/claude/bridge.ts',
    'bridge-out': 'src/adapters/bubblewrap/egress/bridge-out.ts',
  },
  merge: { 'bridge-out': 'src/adapters/bubblewrap/egress/bridge-out.ts' },
};

export interface BuildOptions {
  /** All by default. */
  names?: readonly string[];
  /** Takes the place of `action`; a folder in this repository's root, where the bundles find the personas. */
  to?: string;
  /** True by default. */
  sourcemap?: boolean;
}

export async function buildActions({
  names = Object.keys(ACTIONS),
  to = 'action',
  sourcemap = true,
}: BuildOptions = {}): Promise<void> {
  for (const name of names) await buildAction(name, path.join(ROOT, to, name, 'dist'), sourcemap);
}

async function buildAction(name: string, dir: string, sourcemap: boolean): Promise<void> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  const entry = { index: `src/hosts/action/entries/${name}.ts` };
  const modules = await bundle(entry, { dir, sourcemap });
  // One by one: a sandbox shows the child's own file, and no part that it would share with another.
  for (const [child, file] of Object.entries(CHILDREN[name] ?? {}))
    modules.push(...(await bundle({ [child]: file }, { dir, sourcemap })));
  await writeFile(path.join(dir, 'LICENSES.txt'), await collectLicences(modules));
  // The runner reads the nearest one to tell what kind of module a file is.
  await writeFile(path.join(dir, 'package.json'), '{ "type": "module" }\n');
}

/** Returns the files that are in it. */
async function bundle(
  input: Record<string, string>,
  { dir, sourcemap }: { dir: string; sourcemap: boolean },
): Promise<string[]> {
  const build = await rolldown({
    cwd: ROOT,
    input,
    platform: 'node',
    treeshake: { moduleSideEffects: (id) => !WITHOUT_EFFECTS.test(id) },
    onwarn: () => undefined,
  });
  const { output } = await build.write({
    dir,
    format: 'esm',
    minify: true,
    sourcemap,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  return output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
}

/** Notes of the packages whose code is in the bundle. */
async function collectLicences(modules: readonly string[]): Promise<string> {
  const roots = new Set(modules.flatMap((id) => packageRoot(id) ?? []));
  const notes = await Promise.all([...roots].toSorted().map(readLicence));
  return [...new Set(notes)].join('\n\n');
}

function packageRoot(id: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0];
}

const About = z.object({ name: z.string(), version: z.string(), license: z.string().optional() });

async function readLicence(dir: string): Promise<string> {
  const about = About.parse(JSON.parse(await readFile(path.join(dir, 'package.json'), 'utf8')));
  const names = (await readdir(dir, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && /^(?:licen[cs]e|notice)/i.test(entry.name))
    .map(({ name }) => name);
  const texts = await Promise.all(
    names.toSorted().map(async (name) => (await readFile(path.join(dir, name), 'utf8')).trim()),
  );
  const head = `${about.name} ${about.version} (${about.license ?? 'licence not named'})`;
  return [head, ...texts].join('\n\n');
}

const named = process.argv.slice(2);
if (import.meta.main) await buildActions(named.length > 0 ? { names: named } : {});
