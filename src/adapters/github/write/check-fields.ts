/** The fields of a check run as GitHub takes them, and whether two runs have the same. */
import type { CheckWanted } from '../../../domain/event/effect-values.ts';
import { shortText } from '../../../domain/text/cap-body.ts';
import type { WireCheckRun } from '../rest-operations.ts';

/** GitHub's limits of a check run's texts. */
const MAX_TITLE = 255;

const MAX_SUMMARY = 65_000;

/** What a repetition is known by. */
export function externalIdOf(name: string, headSha: string): string {
  return `quorum:v1:${name}@${headSha}`;
}

export type Wire = ReturnType<typeof toWire>;

export function toWire({ name, conclusion, title, summary }: CheckWanted, headSha: string) {
  return {
    name,
    external_id: externalIdOf(name, headSha),
    status: 'completed',
    conclusion,
    output: {
      title: shortText(title, MAX_TITLE),
      summary: shortText(summary, MAX_SUMMARY),
    },
  } as const;
}

export function isSameCheck(found: WireCheckRun, wanted: Wire): boolean {
  return (
    found.status === wanted.status &&
    found.conclusion === wanted.conclusion &&
    found.output?.title === wanted.output.title &&
    found.output?.summary === wanted.output.summary
  );
}
