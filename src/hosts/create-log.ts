/** The process's log: pino, with secrets taken out of every line, as JSON or for people. */
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { ConfigError } from '../domain/event/errors.ts';
import { createScrubber } from '../domain/secrets/scrub.ts';
import { printable } from './cli/terminal/terminal-text.ts';

export interface LogOptions {
  /** `LOG_LEVEL`: fatal, error, warn, info (default), debug, trace or silent. */
  level?: string | undefined;
  /** `LOG_FORMAT`: `json`, or `pretty` (default on a terminal). */
  format?: string | undefined;
  /** Values that must never be written, read for each line: credentials may arrive later. */
  secrets?: () => readonly string[];
  /** Standard output unless given. */
  destination?: DestinationStream & { isTTY?: boolean };
}

const LEVELS = new Set(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']);

/** Whole fields that are secret by their name, wherever such an object is logged. */
const REDACTED = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  '["x-hub-signature"]',
  '["x-hub-signature-256"]',
  'token',
  'privateKey',
  'webhookSecret',
].flatMap((name) => {
  const path = name.startsWith('[') ? name : `.${name}`;
  return [path.replace(/^\./, ''), `headers${path}`, `req.headers${path}`, `*${path}`];
});

/** Opens the log. ConfigError `log-level-unknown` or `log-format-unknown`. */
export function createLog(options: LogOptions = {}): Logger {
  const level = options.level ?? 'info';
  if (!LEVELS.has(level)) throw unknownSetting('LOG_LEVEL', level, [...LEVELS]);
  const target = options.destination ?? process.stdout;
  const format = options.format ?? (target.isTTY === true ? 'pretty' : 'json');
  if (format !== 'json' && format !== 'pretty')
    throw unknownSetting('LOG_FORMAT', format, ['json', 'pretty']);
  const secrets = options.secrets ?? (() => []);
  const scrubber = createScrubber();
  const write = (line: string): void => {
    const known = secrets();
    const clean = scrubLine(line, (text) => scrubber(text, known));
    target.write(format === 'pretty' ? toPretty(clean) : escapeUnseen(clean));
  };
  const redact = { paths: REDACTED, censor: '[redacted]' };
  return pino({ level, redact, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}

function scrubLine(line: string, scrub: (text: string) => string): string {
  return scrub(`${scrubJson(line, scrub) ?? line}\n`.replace(/\n\n$/, '\n'));
}

/** Each text in JSON by itself, where a line break before a key is one; JSON in a text too. Undefined for other text. */
function scrubJson(text: string, scrub: (text: string) => string): string | undefined {
  if (!/^[{["]/.test(text)) return undefined;
  try {
    const scrubbed: unknown = JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' ? (scrubJson(value, scrub) ?? scrub(value)) : value,
    );
    return JSON.stringify(scrubbed);
  } catch {
    return undefined;
  }
}

function unknownSetting(
  name: 'LOG_LEVEL' | 'LOG_FORMAT',
  value: string,
  known: string[],
): ConfigError {
  return new ConfigError({
    code: name === 'LOG_LEVEL' ? 'log-level-unknown' : 'log-format-unknown',
    message: `${name} is "${value}". Set it to one of: ${known.join(', ')}.`,
  });
}

/** `12:30:01 warn  message key=value`; a stack goes below. */
function toPretty(line: string): string {
  const { level, time, msg, err, ...fields } = toRecord(line);
  const name = pino.levels.labels[Number(level)] ?? 'info';
  const rest = Object.entries(fields).map(([key, value]) => ` ${key}=${toLine(value)}`);
  const stack =
    err === undefined ? '' : `\n${toWord(toRecord(JSON.stringify(err))['stack'] ?? err)}`;
  return `${toWord(time ?? '').slice(11, 19)} ${name.padEnd(5)} ${toLine(msg ?? '')}${rest.join('')}${stack}\n`;
}

/** The same JSON: what a terminal would obey, or nobody would see, is spelled out. */
function escapeUnseen(json: string): string {
  return json.replaceAll(/[\u007f-\u009f\u2028\u2029\p{Cf}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      const unit = character.charCodeAt(at).toString(16).padStart(4, '0');
      return `\\u${unit}`;
    }).join(''),
  );
}

function toRecord(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : { msg: json };
  } catch {
    return { msg: json };
  }
}

function toWord(value: unknown): string {
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}

/** A line break in a message would begin a line that nobody logged. */
function toLine(value: unknown): string {
  return toWord(value).replaceAll('\n', '\\n');
}
