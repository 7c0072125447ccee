/** What every look of a run returns beside its view. */
import { toRepositoryState } from '../../domain/repository/repository-state.ts';
import type { SoulsSeen } from '../../domain/persona/digest.ts';
import type { ThreadRef } from '../../domain/run/thread-ref.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { ActPorts } from '../ports.ts';
import type { Settings } from '../settings/read-settings.ts';
import { checkSouls } from '../settings/souls.ts';

interface Looked {
  ports: ActPorts;
  session: GitHubSession;
  thread: ThreadRef;
  settings: Settings;
  /** Whether a team will speak on this view: then it is checked who changed it. */
  isForTeam: boolean;
}

interface LookResultOf<View> {
  result: {
    view: View;
    nonce: string;
    unchangedRuns: number;
    githubCalls: number;
    souls?: SoulsSeen;
    stopped?: string;
  };
  githubCalls: GitHubSession['counts'];
}

export async function toLookResult<View extends { repository: { headSha: string } }>(
  view: View,
  { ports, session, thread, settings, isForTeam }: Looked,
): Promise<LookResultOf<View>> {
  const kept = await ports.store.load(`repository:${thread.repositoryId}`);
  const state = toRepositoryState(kept?.state);
  const recorded = state?.souls;
  const souls = isForTeam ? await checkSouls({ thread, session, view, settings, recorded }) : {};
  return {
    result: {
      view,
      nonce: ports.random.id(),
      unchangedRuns: state?.unchangedRuns ?? 0,
      githubCalls: Object.values(session.counts).reduce((sum, n) => sum + n, 0),
      ...souls,
    },
    githubCalls: session.counts,
  };
}
