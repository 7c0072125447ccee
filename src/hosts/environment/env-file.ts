/** The `.env` file: read below the real environment, and written when the setup page got credentials. */
import { escapePattern } from '../../domain/text/pattern.ts';
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigError } from '../../domain/event/errors.ts';

export type Env = Record<string, string | undefined>;

/** Fills into `env` what the file has and `env` has not: the real environment wins. A missing file is empty. */
export function loadEnvFile(file: string, env: Env): void {
  for (const [name, value] of Object.entries(parseEnv(readOrEmpty(file)))) env[name] ??= value;
}

/**
 * Sets these names in the file and leaves every other line as it was. The file is replaced at once and readable by
 * its owner alone (mode 600), because it holds the App's private key.
 */
export function writeEnvFile(file: string, values: Record<string, string>): void {
  const kept = readOrEmpty(file)
    .replace(toAssignments(Object.keys(values)), '')
    .trimEnd();
  const added = Object.entries(values).map(([name, value]) => `${name}=${quote(name, value)}`);
  const draft = `${file}.new`;
  writeFileSync(draft, `${[kept, ...added].join('\n').trimStart()}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}

/** Every assignment to one of these names, quoted values over several lines included. */
function toAssignments(names: readonly string[]): RegExp {
  return new RegExp(
    `^[ \\t]*(?:export[ \\t]+)?(?:${names.map(escapePattern).join('|')})[ \\t]*=[ \\t]*(?:"[^"]*"|'[^']*'|\`[^\`]*\`)?[^\\n]*\\n?`,
    'gm',
  );
}

/** In double quotes, as Node reads it: line ends as `\n`. Node knows no escape for a quote itself. */
function quote(name: string, value: string): string {
  if (/["\\\r]/.test(value))
    throw new ConfigError({
      code: 'env-value-unwritable',
      message: `${name} has a quote, a backslash or a carriage return in it, which .env cannot hold. Set it in the real environment.`,
    });
  return `"${value.replaceAll('\n', '\\n')}"`;
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
