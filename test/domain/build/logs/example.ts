/** Logs as runners write them: what each failed with, and what is to be found in it. */
import type { CauseKind } from '../../../../src/domain/build/detect/detect.ts';

export interface LogExample {
  title: string;
  log: string;
  kind: CauseKind;
  /** Part of what the cause says. */
  says: string;
  subject?: string;
  place?: { path: string; line?: number };
}

export const ESC = String.fromCharCode(27);
export const red = (text: string): string => `${ESC}[31m${text}${ESC}[39m`;

/** With a runner's times, its step in front and its tidying behind. */
export function asLog(text: string, step = 'npm test'): string {
  const lines = [
    `##[group]Run ${step}`,
    `${ESC}[36;1m${step}${ESC}[0m`,
    'shell: /usr/bin/bash -e {0}',
    'env:',
    '  FAIL_FAST: true',
    '##[endgroup]',
    ...text.split('\n'),
    '##[error]Process completed with exit code 1.',
    'Post job cleanup.',
    '[command]/usr/bin/git version',
    'error: a word of the tidying that is none',
  ];
  return lines.map((line, index) => `2026-03-02T09:${stamp(index)}.1234567Z ${line}`).join('\n');
}

function stamp(index: number): string {
  const minute = String(Math.floor(index / 60) % 60).padStart(2, '0');
  return `${minute}:${String(index % 60).padStart(2, '0')}`;
}

export const HOME = '/home/runner/work/tidy/tidy';
