/** Reads whether a workspace is at rest. Nothing of it is taken from what we remember. */
import type { Config } from '../../domain/config/config.ts';
import type { EffectData } from '../../domain/event/effect.ts';
import { DEFAULT_LABELS, type Label } from '../../domain/repository/labels.ts';
import type { RestView } from '../../domain/repository/rest.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { BuildSession } from '../../ports/github/builds.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { RepositoryFacts } from '../../ports/github/github-reader.ts';
import { buildsAt, type ActPorts, type Performed } from '../ports.ts';
import { readSettingsAt, type ReadSettings } from '../settings/read-settings.ts';

/** A build that ended so says nothing against the commit. */
const FINE: ReadonlySet<string> = new Set(['success', 'neutral', 'skipped']);

/** What cannot be read throws, and then nobody says that anything is finished. */
export async function lookAtRest(
  { repository: ref, status }: Extract<EffectData, { kind: 'look-rest' }>,
  { ports, readSettings }: { ports: ActPorts; readSettings: ReadSettings },
): Promise<Performed<'look-rest'>> {
  const session = buildsAt(ports, ref);
  const facts = await session.read.repository(ref);
  const { config } = await readSettingsAt(ref, facts, { session, readSettings });
  const result =
    viewWhenOff(facts, config) ?? (await readRest(ref, { session, facts, config, status }));
  return { effectKind: 'look-rest', result, githubCalls: session.counts };
}

/**
 * Whether the quality loop has to rest: the project was declared done, and nobody has closed that issue. Costs no calls
 * where the loop is off.
 */
export async function isAsleep(
  ref: RepositoryRef,
  config: Config,
  { code }: GitHubSession,
): Promise<boolean> {
  if (!config.plans.workspace || !config.plans.qualityLoop) return false;
  const open = await code.threads(ref, { state: 'open', label: nameOf(config, 'finished') });
  return open.some(({ isPull }) => !isPull);
}

function viewWhenOff(facts: RepositoryFacts, { enabled, plans }: Config): RestView | undefined {
  if (!enabled || !plans.workspace) return awake('it is no workspace');
  if (facts.isArchived) return awake('the repository is archived');
  return facts.headSha === '' ? awake('there is no commit') : undefined;
}

async function readRest(
  ref: RepositoryRef,
  {
    session: { code, builds },
    facts: { fullName, headSha },
    config,
    status,
  }: {
    session: BuildSession;
    facts: RepositoryFacts;
    config: Config;
    status: number | undefined;
  },
): Promise<RestView> {
  const all = await code.threads(ref, { state: 'open' });
  const open = all.find(({ number }) => number !== status);
  if (open !== undefined) return awake(`#${open.number} is open`);
  const label = nameOf(config, 'plan:complete');
  const closed = await code.threads(ref, { state: 'closed', label });
  const plans = closed.filter(({ isPull, closedAt }) => !isPull && closedAt !== undefined);
  const since = plans.map(({ closedAt = '' }) => closedAt).toSorted((a, b) => b.localeCompare(a));
  if (since[0] === undefined) return awake('no plan was completed');
  const runs = await builds.runsAt(ref, headSha);
  const going = runs.find(({ conclusion }) => conclusion === undefined);
  if (going !== undefined) return awake(`${going.name} is going on`);
  const bad = runs.find(({ conclusion = '' }) => !FINE.has(conclusion));
  if (bad !== undefined)
    return { kind: 'sick', why: `${bad.name} ended with ${bad.conclusion ?? 'nothing'}` };
  return {
    kind: 'well',
    repository: ref,
    fullName,
    headSha,
    builds: runs.map(({ name }) => name),
    plans: plans.map(({ number, title }) => ({ number, title })),
    since: since[0],
    label: nameOf(config, 'finished'),
  };
}

function awake(why: string): RestView {
  return { kind: 'awake', why };
}

function nameOf({ labels }: Config, label: Label): string {
  return labels[label] ?? DEFAULT_LABELS[label];
}
