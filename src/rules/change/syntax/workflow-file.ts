/** Reads a GitHub Actions workflow as YAML: what starts it, what it may do, and its steps with their lines. */
import { isRecord, readYaml } from '../../../domain/config/yaml.ts';
import type { YamlPath, YamlReading } from '../../../domain/config/yaml.ts';
import type { ChangedFile } from '../read-change.ts';

export interface WorkflowStep {
  line: number;
  uses?: string;
  run?: string;
  /** Line of the `run` key. */
  runLine?: number;
  /** Values of `with`, as text. */
  with: Readonly<Record<string, string>>;
}

export interface Workflow {
  triggers: readonly string[];
  /** Each grant of write access, with its line. */
  writes: readonly { line: number; scope: string }[];
  steps: readonly WorkflowStep[];
}

/** The text of a file at the head when all of it is known: given, or new and so in the diff. */
export function wholeText(file: ChangedFile): string | undefined {
  if (file.headText !== undefined || !file.isNew) return file.headText;
  return [...file.lines.values()].map(({ text }) => text).join('\n');
}

/** Undefined when the text is not at hand or not a workflow. */
export function readWorkflow(file: ChangedFile): Workflow | undefined {
  const text = wholeText(file);
  if (text === undefined) return undefined;
  const result = readYaml({ file: file.path, text });
  if (!result.ok) return undefined;
  const { reading } = result;
  const jobs = Object.entries(toRecord(reading.value['jobs']));
  return {
    triggers: triggersOf(reading.value['on']),
    writes: [
      ...writesAt(reading, ['permissions']),
      ...jobs.flatMap(([name]) => writesAt(reading, ['jobs', name, 'permissions'])),
    ],
    steps: [
      ...jobs.flatMap(([name, job]) => stepsAt(reading, ['jobs', name, 'steps'], job)),
      ...stepsAt(reading, ['runs', 'steps'], reading.value['runs']),
    ],
  };
}

function toRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function triggersOf(on: unknown): string[] {
  if (typeof on === 'string') return [on];
  if (Array.isArray(on)) return on.filter((name): name is string => typeof name === 'string');
  return Object.keys(toRecord(on));
}

function valueAt(value: unknown, path: YamlPath): unknown {
  let found = value;
  for (const key of path) found = toRecord(found)[key];
  return found;
}

function writesAt(reading: YamlReading, path: YamlPath): Workflow['writes'] {
  const permissions = valueAt(reading.value, path);
  if (permissions === 'write-all')
    return [{ line: reading.placeOf(path).line, scope: 'everything' }];
  return Object.entries(toRecord(permissions))
    .filter(([, access]) => access === 'write')
    .map(([scope]) => ({ line: reading.placeOf([...path, scope]).line, scope }));
}

function stepsAt(reading: YamlReading, path: YamlPath, parent: unknown): WorkflowStep[] {
  const steps = toRecord(parent)['steps'];
  if (!Array.isArray(steps)) return [];
  return steps.map((step: unknown, index): WorkflowStep => {
    const { uses, run, with: inputs } = toRecord(step);
    return {
      line: reading.placeOf([...path, index]).line,
      ...(typeof uses === 'string' ? { uses } : {}),
      ...(typeof run === 'string'
        ? { run, runLine: reading.placeOf([...path, index, 'run']).line }
        : {}),
      with: Object.fromEntries(
        Object.entries(toRecord(inputs)).map(([key, value]) => [key, String(value)]),
      ),
    };
  });
}
