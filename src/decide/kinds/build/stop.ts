/** What keeps the team from looking into a build. */
import type { BuildView } from '../../../domain/build/build-view.ts';
import type { Run } from '../../../domain/run/state/run-record.ts';
import { isHeldBack, labelName } from '../../run/run-settings.ts';

/** What the repository's settings say against it. */
export function disabledReason({ config, repository, where }: BuildView): string | undefined {
  const { builds } = config.council;
  const isOff = builds === 'off' || (builds === 'own-pulls' && where.kind === 'branch');
  const checks: [boolean, string][] = [
    [!config.enabled, 'Quorum is switched off here (`enabled: false`)'],
    [repository.isArchived, 'the repository is archived'],
    [isOff, `the settings leave such builds alone (\`council.builds: ${builds}\`)`],
  ];
  return checks.find(([applies]) => applies)?.[1];
}

/** The first thing that forbids going on, or makes it pointless; that it is well again is told elsewhere. */
export function stopReason(
  run: Run<'build_failure'>,
  view: BuildView,
  stopped: string | undefined,
): string | undefined {
  const labels = view.thread?.labels ?? [];
  const skip = labelName(run.settings, 'quorum:skip');
  const what = view.where.kind === 'pull' ? 'pull request' : 'issue';
  const isStarting = run.phase.kind === 'looking' && run.phase.next === 'start';
  const checks: [boolean, string][] = [
    [view.thread?.state === 'closed', `the ${what} was closed`],
    [view.thread?.isLocked === true, 'the conversation is locked'],
    [isHeldBack(run, labels), 'it is on hold'],
    [labels.includes(skip), `the label \`${skip}\` keeps the team out`],
    [view.verdict === 'open' && isStarting, 'it is being run again'],
  ];
  return stopped ?? view.void ?? disabledReason(view) ?? checks.find(([applies]) => applies)?.[1];
}
