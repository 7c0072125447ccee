/** Deliveries about installations and repositories: where we may work, and what moved. */
import type { Trigger } from '../domain/event/trigger.ts';
import { deliveryName, lacksFields, refuseDelivery, repositoryOfDelivery } from './facts.ts';
import type { Builder, Built, Facts } from './facts.ts';
import {
  InstallationRepositoriesPayload,
  InstallationTargetPayload,
  RepositoryPayload,
} from './payload.ts';
import { repositoryKey } from '../domain/run/thread-ref.ts';
import type { Repository } from './payload.ts';

type InstallationAction = Extract<Trigger, { kind: 'installation' }>['action'];
type RepositoryAction = Extract<Trigger, { kind: 'repository' }>['action'];

/** The stream of an installation's own events. */
export function installationKey(installationId: number): string {
  return `installation:${installationId}`;
}

/**
 * An installation's `updated_at` does not move when repositories are added or removed. All of GitHub's published
 * examples keep the time of installation. So a replay and a repetition look alike, and none counts as a duplicate.
 */
function toInstallation(
  facts: Facts,
  action: InstallationAction,
  repositories: readonly Repository[],
): Built {
  const { installationId } = facts;
  return {
    kind: 'trigger',
    trigger: {
      kind: 'installation',
      action,
      installationId,
      repositories: repositories.map((each) => repositoryOfDelivery(each, installationId)),
    },
    key: installationKey(installationId),
    says: undefined,
  };
}

/** The whole installation: GitHub's list of its repositories may be long, cut or missing. */
function onInstallation(action: InstallationAction): Builder {
  return (facts) => toInstallation(facts, action, []);
}

function onRepositories(action: 'added' | 'removed'): Builder {
  return (facts) => {
    const parsed = InstallationRepositoriesPayload.safeParse(facts.payload);
    const list =
      action === 'added' ? parsed.data?.repositories_added : parsed.data?.repositories_removed;
    // An empty list would mean the whole installation.
    if (list === null || list === undefined || list.length === 0)
      return lacksFields(facts, 'list of repositories');
    return toInstallation(facts, action, list);
  };
}

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#installation_target */
function onAccountRenamed(facts: Facts): Built {
  const login = InstallationTargetPayload.safeParse(facts.payload).data?.account.login;
  if (login === undefined) return lacksFields(facts, 'account');
  const { installationId } = facts;
  return {
    kind: 'trigger',
    trigger: {
      kind: 'installation',
      action: 'renamed',
      installationId,
      account: login,
      repositories: [],
    },
    key: installationKey(installationId),
    says: undefined,
  };
}

function onRepository(action: RepositoryAction): Builder {
  return (facts) => {
    const { repository } = facts;
    if (repository === undefined) return lacksFields(facts, 'repository');
    const when = repository.updated_at;
    return {
      kind: 'trigger',
      trigger: {
        kind: 'repository',
        action,
        repository: repositoryOfDelivery(repository, facts.installationId),
      },
      key: repositoryKey({ repositoryId: repository.id }),
      says:
        when === null || when === undefined
          ? undefined
          : [repository.id, repository.full_name, String(when)],
    };
  };
}

function onRepositoryEdited(facts: Facts): Built {
  const changes = RepositoryPayload.safeParse(facts.payload).data?.changes;
  if (changes?.default_branch === undefined)
    return refuseDelivery(
      `${deliveryName(facts.event, facts.action)} did not move the default branch`,
    );
  return onRepository('moved-branch')(facts);
}

/** By event and action. */
export const PLACE_TRIGGERS: readonly (readonly [string, Builder])[] = [
  ['installation.created', onInstallation('added')],
  ['installation.deleted', onInstallation('removed')],
  ['installation.suspend', onInstallation('suspended')],
  ['installation.unsuspend', onInstallation('unsuspended')],
  // What was refused for want of a permission may go now: look at everything again.
  ['installation.new_permissions_accepted', onInstallation('added')],
  ['installation_repositories.added', onRepositories('added')],
  ['installation_repositories.removed', onRepositories('removed')],
  ['installation_target.renamed', onAccountRenamed],
  ['repository.renamed', onRepository('renamed')],
  ['repository.transferred', onRepository('transferred')],
  ['repository.deleted', onRepository('deleted')],
  ['repository.archived', onRepository('archived')],
  ['repository.publicized', onRepository('visibility')],
  ['repository.privatized', onRepository('visibility')],
  ['repository.edited', onRepositoryEdited],
];
