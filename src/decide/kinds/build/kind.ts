/** A look into a failed build: one live comment on the thread that tells of it, and a label for the outcome. */
import { discussion } from '../../discussion/discussion.ts';
import { onBuild } from './look.ts';
import { setOutcome, showBuild } from './show-build.ts';

export const BUILD_FAILURE = discussion<'build_failure', 'look-build'>({
  name: 'Look at a failed build',
  read: 'look-build',
  onRead: onBuild,
  look: ({ thread, build }) => {
    const { installationId, repositoryId, owner, repo, number } = thread;
    return {
      kind: 'look-build',
      repository: { installationId, repositoryId, owner, repo },
      where: build?.where ?? { kind: 'pull', number },
      thread,
      ...(build?.reading === undefined ? {} : { known: build.reading.key }),
    };
  },
  show: showBuild,
  end: (context) => {
    showBuild(context);
    if (context.run.status !== 'closed') setOutcome(context);
  },
});
