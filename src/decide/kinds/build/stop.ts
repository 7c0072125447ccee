/** What keeps the team from looking into a build. */
import {
  permitAll,
  permitOf,
  permitUnless,
  type Permit,
} from '../../../domain/run/permit/permit.ts';
import type { BuildView } from '../../../domain/build/build-view.ts';
import type { Run } from '../../../domain/run/state/run-record.ts';
import { isHeldBack, labelName } from '../../run/run-settings.ts';

/** Whether the repository's settings allow it, and the build is still there to be looked into. */
export function mayReadBuild({ config, repository, where, void: gone }: BuildView): Permit {
  const { builds } = config.council;
  const isOff = builds === 'off' || (builds === 'own-pulls' && where.kind === 'branch');
  return permitUnless([
    [gone !== undefined, gone ?? ''],
    [!config.enabled, 'Quorum is switched off here (`enabled: false`)'],
    [repository.isArchived, 'the repository is archived'],
    [isOff, `the settings leave such builds alone (\`council.builds: ${builds}\`)`],
  ]);
}

/** The first reason that forbids going on, or makes it pointless. A build that passes again is reported elsewhere. */
export function mayContinueBuild(
  run: Run<'build_failure'>,
  view: BuildView,
  stopped: string | undefined,
): Permit {
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
  return permitAll(
    () => permitOf(stopped),
    () => mayReadBuild(view),
    () => permitUnless(checks),
  );
}
