/** Everything that people or the App wrote in a repository of the emulator, line by line, and what its files say. */
import { execFileSync } from 'node:child_process';
import type { GitHubEmulator } from '../../src/emulator/github/emulator-interface.ts';

/** A shorter line may be anywhere. */
const LEAST = 12;

/** Lines of titles, descriptions, comments, reviews, checks, branches and files; no line twice. */
export function textsIn(emulator: GitHubEmulator, name: string): Set<string> {
  const { threads, checkRuns, gitDir } = emulator.repository(name);
  const git = (...args: string[]): string =>
    execFileSync('git', ['--git-dir', gitDir, ...args]).toString();
  const written = [...threads.values()].map(({ pull, ...thread }) => [
    thread,
    pull?.reviews ?? [],
    pull?.reviewComments ?? [],
  ]);
  const shown = checkRuns.map(({ output }) => output);
  const texts = [
    ...stringsOf([written, shown]),
    git('log', '--all', '--format=%s%n%D'),
    ...git('rev-list', '--all')
      .trim()
      .split('\n')
      .map((sha) => git('grep', '-hI', '', sha)),
  ];
  const lines = texts.flatMap((text) => text.split('\n')).map((line) => line.trim());
  // Moments and ids of GitHub are no text of anybody.
  return new Set(lines.filter((line) => line.length >= LEAST && !/^[\dTZ:.-]+$/.test(line)));
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}

/** Those of the texts that are found, also as JSON escapes them. */
export function foundIn(kept: string, texts: Iterable<string>): string[] {
  return [...texts].filter(
    (text) => kept.includes(text) || kept.includes(JSON.stringify(text).slice(1, -1)),
  );
}
