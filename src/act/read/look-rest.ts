/** Reads whether a workspace is at rest. Nothing of it is taken from what we remember. */
import type { Config } from '../../domain/config/config.ts';
import type { EffectData } from '../../domain/event/effect.ts';
import { DEFAULT_LABELS, type Label } from '../../domain/repository/labels.ts';
import type { RestView } from '../../domain/repository/rest.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { BuildSession } from '../../ports/builds.ts';
import type { GitHubSession, RepositoryFacts } from '../../ports/github.ts';
import { buildsAt, type ActPorts, type Performed } from '../ports.ts';
import { readSettingsAt, type ReadSettings } from '../settings/read-settings.ts';

/** A build that ended so says nothing against the commit. */
const FINE: ReadonlySet<string> = new Set(['success', 'neutral', 'skipped']);

/** What cannot be read throws, and then nobody says that anything is finished. */
export async function lookAtRest(
  { repository: ref }: Extract<EffectData, { kind: 'look-rest' }>,
  { ports, readSettings }: { ports: ActPorts; readSettings: ReadSettings },
): Promise<Performed<'look-rest'>> {
  const session = buildsAt(ports, ref);
  const facts = await session.read.repository(ref);
  const { config } = await readSettingsAt(ref, facts, { session, readSettings });
  const result = viewWhenOff(facts, config) ?? (await readRest(ref, { session, facts, config }));
  return { effectKind: 'look-rest', result, githubCalls: session.counts };
}

/**
 * Whether the quality loop has to keep still: the project was said to be done, and nobody has closed that issue. Costs
 * nothing where there is no such loop.
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
  }: {
    session: BuildSession;
    facts: RepositoryFacts;
    config: Config;
  },
): Promise<RestView> {
  const [open] = await code.threads(ref, { state: 'open' });
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
