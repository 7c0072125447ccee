/** A recorded effect whose repository has another value of one setting in its configuration file. */
import { parse, stringify } from 'yaml';
import { isRecord } from '../../src/domain/config/yaml.ts';
import { toKey, type Plain } from './plain.ts';
import type { Tape } from './tape.ts';

const FILE = '.github/quorum.yml';

interface File {
  path: string;
  text: string;
}

/** Undefined where the effect read no configuration file of the repository's own. */
export function changeTape(tape: Tape, path: readonly string[], value: unknown): Tape | undefined {
  const copy = structuredClone(tape);
  const files = filesIn(copy.calls.map(({ ending }) => ending));
  for (const file of files) file.text = withValue(file.text, path, value);
  for (const call of copy.calls) {
    setInSection(call.args, path, value);
    call.fn = call.fn.replace(OPENED_WITH, (_, start: string, json: string) => {
      const args = JSON.parse(json) as Plain;
      setInSection(args, path, value);
      return `${start}(${toKey(args)})`;
    });
  }
  return files.length === 0 ? undefined : copy;
}

/** Calls of a port that was opened with the whole section name it. */
const OPENED_WITH = /^(codingRuntime\.commands)\((\[.*?\])\)(?=\.)/;

/** A whole section that is only handed on to a port is no effect of one of its settings: there it is expected. */
function setInSection(args: unknown, path: readonly string[], value: unknown): void {
  const [section, key] = path;
  const [first] = Array.isArray(args) ? (args as unknown[]) : [];
  const isOfCoder = isRecord(first) && 'maxTurns' in first && 'worktreeLimitMb' in first;
  if (section === 'coder' && key !== undefined && isOfCoder) first[key] = value;
}

function withValue(text: string, path: readonly string[], value: unknown): string {
  const config: unknown = parse(text);
  const top = isRecord(config) ? config : {};
  let at: Record<string, unknown> = top;
  for (const key of path.slice(0, -1)) {
    const below = at[key];
    const next = isRecord(below) ? below : {};
    at[key] = next;
    at = next;
  }
  at[path.at(-1) ?? ''] = value;
  return stringify(top);
}

function filesIn(value: unknown): File[] {
  if (Array.isArray(value)) return value.flatMap(filesIn);
  if (!isRecord(value)) return [];
  if (isFile(value)) return [value];
  return Object.values(value).flatMap(filesIn);
}

function isFile(value: unknown): value is File {
  return isRecord(value) && value['path'] === FILE && typeof value['text'] === 'string';
}
