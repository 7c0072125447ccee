/** Files as a run left them, as far as its own record tells: enough to know whether looking at GitHub is worth a call. */
import type { Viewed } from '../inventions.ts';
import { readCitations } from '../citations.ts';
import type { StandupRecord } from './record.ts';

/** Everything that the record names is presumed to be there, each line that was put off where it was added. */
export function presumeView({ files, tasks, todos, questions, tests }: StandupRecord): Viewed {
  const named = [
    ...questions.map(({ source }) => source),
    ...tests.map(({ name }) => `\`${name}\``),
  ];
  const paths = new Set([
    ...files.map(({ path }) => path),
    ...tasks.flatMap(({ planned, touched }) => [...planned, ...touched]),
    ...todos.map(({ path }) => path),
    ...named.flatMap((text) => readCitations(text).map(({ path }) => path)),
  ]);
  const texts: Record<string, string> = {};
  for (const [path, own] of Map.groupBy(todos, (todo) => todo.path)) {
    const lines: string[] = [];
    for (const { line, text } of own) lines[line - 1] = text;
    texts[path] = Array.from(lines, (line) => line ?? '').join('\n');
  }
  return { paths: [...paths], texts };
}

/** Files whose text rules and citations may need. */
export function wantedFiles({ todos, overruled, questions }: StandupRecord): string[] {
  const named = [
    ...todos.map(({ path }) => path),
    ...overruled.flatMap(({ path }) => path ?? []),
    ...questions.flatMap(({ source }) => readCitations(source).map(({ path }) => path)),
  ];
  return [...new Set(named)];
}
