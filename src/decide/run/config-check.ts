/** The `quorum / config` check: what is wrong in the settings, where, and how to fix it. */
import type { Run } from '../../domain/run/state/run-record.ts';
import type { EffectData } from '../../domain/event/effect.ts';
import type { IssueView } from '../../domain/run/view.ts';
import { CONFIG_CHECK } from '../../domain/task/check-names.ts';
import type { FileProblem } from '../../domain/config/yaml.ts';

export function configCheck(run: Run, view: IssueView, stopped: string | undefined): EffectData {
  const errors = view.problems.filter((problem) => problem.severity === 'error');
  const failed = errors.length > 0 || stopped !== undefined;
  const { installationId, repositoryId, owner, repo } = run.thread;
  return {
    kind: 'check',
    repository: { installationId, repositoryId, owner, repo },
    headSha: view.repository.headSha,
    checks: [
      {
        name: CONFIG_CHECK,
        conclusion: failed ? 'failure' : 'neutral',
        title: stopped ?? titleOf(errors.length, view.problems.length),
        summary: [
          ...(stopped === undefined ? [] : [stopped, '']),
          ...view.problems.map(renderProblem),
        ].join('\n'),
      },
    ],
  };
}

function titleOf(errors: number, problems: number): string {
  if (errors > 0) return errors === 1 ? '1 thing to fix' : `${errors} things to fix`;
  return problems === 1 ? '1 remark' : `${problems} remarks`;
}

function renderProblem(problem: FileProblem): string {
  const key = problem.key === '' ? '' : ` \`${problem.key}\``;
  const expected = problem.expected === undefined ? '' : ` Expected: ${problem.expected}.`;
  const nearest = problem.nearest === undefined ? '' : ` Did you mean \`${problem.nearest}\`?`;
  return `- \`${problem.file}:${problem.line}:${problem.column}\`${key}: ${problem.message}.${expected}${nearest}`;
}
