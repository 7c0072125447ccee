/** How long tests took, by what the common runners print beside them. */

export interface TestTime {
  name: string;
  ms: number;
}

interface Form {
  runner: string;
  line: RegExp;
  /** Of the digits that it found. */
  unit: 'ms' | 's' | 'named';
}

/** One line each. A name is what is between the mark and the time. */
const FORMS: readonly Form[] = [
  {
    runner: 'vitest',
    line: /^ *✓ (?:\|[\w-]{1,40}\| )?([^\s(]{1,200}) \([^()]{1,60}\) (\d{1,9}) ?ms$/,
    unit: 'ms',
  },
  { runner: 'vitest', line: /^ *✓ (.{1,200}) (\d{1,9})ms$/, unit: 'ms' },
  {
    runner: 'jest',
    line: /^(?:PASS|FAIL) ([^\s(]{1,200}) \((\d{1,6}(?:\.\d{1,3})?) s\)$/,
    unit: 's',
  },
  { runner: 'mocha', line: /^ *✔ (.{1,200}?) \((\d{1,9})ms\)$/, unit: 'ms' },
  { runner: 'node:test', line: /^ *✔ (.{1,200}?) \((\d{1,9}(?:\.\d{1,9})?)ms\)$/, unit: 'ms' },
  { runner: 'go test', line: /^ *--- PASS: (\S{1,200}) \((\d{1,6}\.\d{1,3})s\)$/, unit: 's' },
  { runner: 'pytest', line: /^(\d{1,6}\.\d{1,3})s call +(\S{1,300})$/, unit: 'named' },
];
const MAX_LINE = 600;

/** Every test with its time that a log's end still shows, slowest first; each name once. */
export function readTestTimes(log: string): TestTime[] {
  const slowest = new Map<string, number>();
  for (const line of log.split('\n')) {
    const read = line.length > MAX_LINE ? undefined : readLine(line.trimEnd());
    if (read !== undefined) slowest.set(read.name, Math.max(read.ms, slowest.get(read.name) ?? 0));
  }
  return [...slowest]
    .map(([name, ms]) => ({ name, ms }))
    .toSorted((a, b) => b.ms - a.ms || (a.name < b.name ? -1 : 1));
}

function readLine(line: string): TestTime | undefined {
  for (const { line: form, unit } of FORMS) {
    const [, first = '', second = ''] = form.exec(line) ?? [];
    if (first === '') continue;
    const [name, time] = unit === 'named' ? [second, first] : [first, second];
    return { name: name.trim(), ms: Math.round(Number(time) * (unit === 'ms' ? 1 : 1000)) };
  }
  return undefined;
}
