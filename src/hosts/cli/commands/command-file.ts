/** `quorum command parse`: which commands a comment holds, and why its other `/pm` lines are not commands. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseCommands } from '../../../domain/commands/command-parse.ts';
import { resolveConfig } from '../../../domain/config/config-file.ts';
import { MODEL_ALIASES } from '../../../domain/config/config-limits.ts';
import { OFFLINE } from '../../../domain/run/model-pool.ts';
import { findConfig } from './config-command.ts';
import { usageError } from '../report-failure.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { createPaint } from '../terminal/paint.ts';

interface Parsing {
  json?: true;
  /** A file with a comment's body; `-` is standard input. */
  file: string;
}

/** What most people call their model, so that the words of the manual work before there is a configuration. */
const COMMON_MODELS = ['claude', OFFLINE];

export async function parseCommandFile(options: Parsing, io: Io): Promise<ExitCode> {
  const body = options.file === '-' ? await io.readStdin() : await readBody(options.file, io);
  const { commands, ignored } = parseCommands(body, { models: await modelNames(io) });
  if (options.json === true) {
    outJson(io, { commands, ignored });
    return EXIT.ok;
  }
  const paint = createPaint(io);
  for (const { line, name, text } of commands)
    io.out(`${paint.dim(`line ${line}`)}  ${paint.green(`/pm ${name}`)} ${text}\n`);
  for (const { line, reason } of ignored)
    io.out(`${paint.dim(`line ${line}`)}  ${paint.yellow('not run')}: ${reason}\n`);
  if (commands.length + ignored.length === 0) io.out('There is no command in it.\n');
  return EXIT.ok;
}

async function readBody(file: string, io: Io): Promise<string> {
  try {
    return await readFile(path.resolve(io.cwd, file), 'utf8');
  } catch {
    throw usageError('file-missing', `${file} cannot be read. Name a file with a comment's body.`);
  }
}

/** Models of the repository that we are in. A configuration that is wrong is `quorum config validate`'s business. */
async function modelNames(io: Io): Promise<string[]> {
  const source = await findConfig(io.cwd).catch(() => undefined);
  const { models } = resolveConfig(source === undefined ? [] : [source]).config;
  return [...Object.keys(models.pool), ...MODEL_ALIASES, ...COMMON_MODELS];
}
