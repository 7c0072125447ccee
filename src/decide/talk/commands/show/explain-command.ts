/** `/pm explain`: what is missing to merge. */
import { explainMerge } from '../../../../policy/explain-merge.ts';
import { shownRuns, ofKind, verdictOf } from '../../../../domain/run/state/run-record.ts';
import {
  asCode,
  done,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../../run/command-context.ts';

export function explainPull({ state, view }: CommandContext): CommandOutcome {
  const { merge, config } = view;
  if (merge === undefined) return refused('GitHub did not report the state of this pull request.');
  const { pull } = merge;
  if (pull.isMerged) return done('It is merged.');
  const missing = explainMerge(merge, config);
  const head = asCode(pull.headSha.slice(0, 12));
  const lines =
    missing.length === 0
      ? [
          `GitHub reports nothing that keeps ${head} from being merged into ${asCode(pull.baseRef)}.`,
        ]
      : [
          `Before ${head} can be merged into ${asCode(pull.baseRef)}:`,
          missing.map((each) => `- ${each}`).join('\n'),
        ];
  return done([...lines, ...teamLine(state, pull.headSha), ...taskLine(state)].join('\n\n'));
}

function teamLine(state: CommandContext['state'], headSha: string): string[] {
  const run = shownRuns(state)
    .map((each) => ofKind(each, 'pr_review'))
    .find((each) => each !== undefined);
  const verdict = run && verdictOf(run);
  if (run === undefined || verdict === undefined) return ['The team has not reviewed it.'];
  const open = state.ledger?.findings.filter(({ status }) => status === 'open').length ?? 0;
  const which =
    run.headSha === headSha ? 'this head' : `an earlier head, ${asCode(run.headSha.slice(0, 12))}`;
  return [`The team says ${verdict.verdict} to ${which}; findings open: ${open}.`];
}

function taskLine({ task }: CommandContext['state']): string[] {
  return task === undefined
    ? []
    : [
        'It belongs to a task of a plan: the check `quorum / merge` lists what its gates still need.',
      ];
}
