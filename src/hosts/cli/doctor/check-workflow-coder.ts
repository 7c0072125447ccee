/** Can workflows write code for the App: what they have to know of it, and what owners have accepted is checked elsewhere. */
import { DISPATCH_WORKFLOW } from '../../../domain/dispatch/code-order.ts';
import { toFailure } from '../../../domain/event/errors.ts';
import { readCredentials } from '../../environment/app-credentials.ts';
import { readHostSettings } from '../../environment/host-settings.ts';
import { openGitHub, type Basics } from '../../host-parts.ts';
import type { Finding } from './doctor-finding.ts';

const ABOUT = 'coder';
const GUIDE = 'docs/install-app.md, step 4';

/** Asks GitHub for the id by which a workflow knows the App. */
export async function checkWorkflowCoder(basics: Basics): Promise<Finding> {
  try {
    const id = await readOwnId(basics);
    if (id !== undefined)
      return {
        level: 'ok',
        about: ABOUT,
        says: `workflows of the repositories write the code (${DISPATCH_WORKFLOW}, \`app: ${id}\`)`,
      };
    return unknown('the App is not installed anywhere yet');
  } catch (error) {
    return unknown(toFailure(error).message);
  }
}

/**
 * The same id for a host that writes code itself: a repository may choose its own workflow (`coder.runner`). Nothing is wrong
 * where it is not known.
 */
export async function showOwnId(basics: Basics): Promise<Finding[]> {
  const id = await readOwnId(basics).catch(() => undefined);
  if (id === undefined) return [];
  const says = `the workflow of a repository with \`coder.runner: actions\` names this App by \`app: ${id}\``;
  return [{ level: 'ok', about: 'coder workflows', says }];
}

/** Undefined where nothing shows the App's account. */
async function readOwnId(basics: Basics): Promise<number | undefined> {
  const credentials = readCredentials(basics.env);
  if (credentials === undefined) return undefined;
  const { apiUrl } = readHostSettings(basics.env);
  const { github } = openGitHub(basics, credentials, { apiUrl, workers: 1 });
  const { id } = await github.app.self();
  return id === 0 ? undefined : id;
}

function unknown(why: string): Finding {
  return {
    level: 'warn',
    about: ABOUT,
    says: `workflows of the repositories write the code, and the id that they need is not known: ${why}`,
    fix: `Install the App, then run quorum doctor again and put the id into ${DISPATCH_WORKFLOW} (${GUIDE}).`,
  };
}
