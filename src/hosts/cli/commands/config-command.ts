/** `quorum config`: is a repository's .github/quorum.yml sound, and what does it come to? */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { hasEffect } from '../../../domain/config/availability.ts';
import {
  CONFIG_FILES,
  chooseConfigFile,
  explainConfig,
  readExtends,
  type ConfigSource,
  type ExplainedValue,
  type ResolvedConfig,
} from '../../../domain/config/config-file.ts';
import { ConfigError } from '../../../domain/event/errors.ts';
import { MAX_YAML_BYTES } from '../../../domain/config/yaml.ts';
import { checkConfigIn } from '../check-config.ts';
import { usageError } from '../report-failure.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { createPaint } from '../terminal/paint.ts';
import { countProblems, renderProblems } from '../render-problems.ts';
import { renderTable } from '../terminal/table.ts';

export async function validateConfig(
  options: { json?: true; file: string | undefined },
  io: Io,
): Promise<ExitCode> {
  const source =
    options.file === undefined ? await findConfig(io.cwd) : await readConfig(io.cwd, options.file);
  if (source === undefined) {
    if (options.json === true) outJson(io, { ok: true, file: null, problems: [], raised: [] });
    else io.out('There is no .github/quorum.yml here: the defaults hold (quorum config show).\n');
    return EXIT.ok;
  }
  const resolved = await checkConfigIn(io.cwd, source);
  const { isValid, problems, raised } = resolved;
  if (options.json === true) outJson(io, { ok: isValid, file: source.file, problems, raised });
  else {
    io.out(renderProblems(problems, createPaint(io)));
    io.out(renderRaised(resolved));
    io.out(`${source.file}: ${countProblems(problems)}\n`);
    sayWhatIsLeft(source, io);
  }
  return isValid ? EXIT.ok : EXIT.failure;
}

export async function showConfig(
  options: { json?: true; dir: string; changed?: true; all?: true },
  io: Io,
): Promise<ExitCode> {
  const dir = path.resolve(io.cwd, options.dir);
  const source = await findConfig(dir);
  const resolved = await checkConfigIn(dir, source);
  const all = explainConfig(resolved);
  const values = all.filter((each) => isShown(each, options));
  if (options.json === true)
    outJson(io, {
      ok: resolved.isValid,
      problems: resolved.problems,
      values: values.map((each) => ({ ...each, hasEffect: hasEffect(each.key) })),
    });
  else {
    io.out(renderValues(values, io));
    if (source !== undefined) sayWhatIsLeft(source, io);
  }
  if (resolved.problems.length > 0) io.err(renderProblems(resolved.problems, createPaint(io)));
  return resolved.isValid ? EXIT.ok : EXIT.failure;
}

function isShown({ key, source }: ExplainedValue, wanted: { changed?: true; all?: true }): boolean {
  if (source !== 'default') return true;
  return wanted.changed !== true && (hasEffect(key) || wanted.all === true);
}

function renderValues(values: readonly ExplainedValue[], io: Io): string {
  const paint = createPaint(io);
  const rows = values.map(({ key, value, source }) => [
    key,
    source === 'default' ? paint.dim(source) : paint.cyan(source),
    `${toWord(value)}${hasEffect(key) ? '' : paint.dim(' (no effect yet)')}`,
  ]);
  const head = ['setting', 'from', 'value'].map(paint.bold);
  return renderTable([head, ...rows], { columns: io.columns });
}

function toWord(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function renderRaised({ raised }: ResolvedConfig): string {
  return raised
    .map(({ key, from, to, why }) => `note ${key}: ${from} counts as ${to}: ${why}\n`)
    .join('');
}

/** What only GitHub knows is not guessed. */
function sayWhatIsLeft(source: ConfigSource, io: Io): void {
  const extended = readExtends(source);
  if (extended !== undefined)
    io.err(`note _extends: ${extended} is on GitHub and was not read here\n`);
}

/** A repository's own file. ConfigError `ambiguous-config` when there are two. */
export async function findConfig(dir: string): Promise<ConfigSource | undefined> {
  const present = CONFIG_FILES.filter((file) => existsSync(path.join(dir, file)));
  const choice = chooseConfigFile(present);
  if (choice.kind === 'none') return undefined;
  if (choice.kind === 'file') return readConfig(dir, choice.file);
  const { code, file, message } = choice.problem;
  throw new ConfigError({ code, message: `${file} ${message}.` });
}

async function readConfig(dir: string, file: string): Promise<ConfigSource> {
  const bytes = await readFile(path.resolve(dir, file)).catch(() => {
    throw usageError('file-missing', `${file} cannot be read. Name a YAML file.`);
  });
  // One byte beyond the limit is enough for the parser to refuse it.
  const text = bytes.subarray(0, MAX_YAML_BYTES + 1).toString('utf8');
  return { origin: file, file, text };
}
