/** What GitHub and the repository's rules still require before a pull request may merge, Quorum's or not. Pure. */
import { hasPermission } from '../domain/run/thread-ref.ts';
import type { MergeStanding } from '../domain/task/merge-view.ts';
import type { Config } from '../domain/config/config.ts';
import { missingChecks } from './decide-merge.ts';

/** Each a phrase for people; empty where nothing is missing. An open pull request is taken for granted. */
export function explainMerge(
  standing: MergeStanding,
  { labels }: Pick<Config, 'labels'>,
): string[] {
  const { pull, reviews } = standing;
  const hold = labels.hold ?? 'hold';
  const waits: [boolean, string][] = [
    [pull.isDraft, 'it is a draft'],
    [pull.labels.includes(hold), `the label \`${hold}\` is on`],
    [pull.isMergeable === false, `it conflicts with \`${pull.baseRef}\``],
    [pull.unresolved === undefined, 'GitHub did not report whether all conversations are resolved'],
    [(pull.unresolved ?? 0) > 0, `${counted(pull.unresolved ?? 0)} to be resolved`],
  ];
  const changes = reviews.filter(
    ({ state, permission }) => state === 'changes-requested' && hasPermission(permission, 'write'),
  );
  return [
    ...waits.filter(([applies]) => applies).map(([, says]) => says),
    ...missingChecks(standing),
    ...changes.map(({ by }) => `\`${by.login}\` asked for changes`),
    ...pull.requestedReviewers.map((name) => `the review of \`${name}\``),
  ];
}

function counted(conversations: number): string {
  return conversations === 1 ? '1 conversation has' : `${conversations} conversations have`;
}
