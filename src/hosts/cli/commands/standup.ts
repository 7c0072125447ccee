/** `quorum standup`: insights and trends from the store. */
import path from 'node:path';
import {
  listInsights,
  readTrends,
  type ListedPage,
  type Trends,
} from '../../../act/standup/read-standups.ts';
import { openGitTree } from '../../../adapters/local/git-tree.ts';
import type { ListedInsight } from '../../../domain/standup/listed-insight.ts';
import { counted } from '../../../domain/text/counted.ts';
import type { StoreReader } from '../../../ports/store.ts';
import { readHostSettings } from '../../environment/host-settings.ts';
import { openStoreReader } from '../../open-store.ts';
import { usageError } from '../report-failure.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { createPaint } from '../terminal/paint.ts';
import { renderTable } from '../terminal/table.ts';
import { printable } from '../terminal/terminal-text.ts';
import type { ListFlags, StandupFlags } from './standup-command.ts';

/** Of one run: as many as one standup can have. */
const MAX_OF_RUN = 1000;

/** ConfigError `repository-invalid`, and those of a store that cannot be read. */
export async function listStandups(flags: ListFlags, io: Io): Promise<ExitCode> {
  return withStore(io, async (store) => {
    const repositories = await findRepositories(store, flags, io);
    const page = await listInsights(store.standups, {
      limit: flags.limit,
      ...(repositories !== undefined && { repositories }),
      ...(flags.type !== undefined && { type: flags.type }),
    });
    if (flags.json === true) outJson(io, page.insights);
    else io.out(renderList(page, io));
    return EXIT.ok;
  });
}

/** ConfigError `run-unknown`. */
export async function showStandup(
  { run, json }: { run: string; json?: true },
  io: Io,
): Promise<ExitCode> {
  return withStore(io, async (store) => {
    const [standup] = await store.standups.standups({ run, limit: 1 });
    if (standup === undefined)
      throw usageError(
        'run-unknown',
        `The store keeps no standup of run ${run}. quorum standup list shows the runs that have one.`,
      );
    const page = await listInsights(store.standups, { run, limit: MAX_OF_RUN });
    if (json === true) outJson(io, page.insights);
    else io.out(renderList(page, io));
    return EXIT.ok;
  });
}

/** ConfigError `repository-invalid`. */
export async function showTrends(flags: StandupFlags, io: Io): Promise<ExitCode> {
  return withStore(io, async (store) => {
    const [repository, ...others] = (await findRepositories(store, flags, io)) ?? [];
    if (repository === undefined || others.length > 0)
      throw usageError(
        'repository-invalid',
        others.length > 0
          ? `That was the name of repositories ${[repository, ...others].join(', ')}. Give one of these ids with --repo.`
          : 'No standup is kept of this repository. Name one with --repo owner/name, or run this in its clone.',
      );
    const trends = await readTrends(store.standups, repository);
    if (flags.json === true) outJson(io, trends);
    else io.out(renderTrends(trends, io));
    return EXIT.ok;
  });
}

async function withStore(
  io: Io,
  use: (store: StoreReader) => Promise<ExitCode>,
): Promise<ExitCode> {
  const store = await openStoreReader(readHostSettings(io.env));
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Undefined for all of them: none is named, and this is no clone. */
async function findRepositories(
  store: StoreReader,
  { repo, dir }: StandupFlags,
  io: Io,
): Promise<number[] | undefined> {
  if (repo !== undefined && /^[1-9]\d{0,14}$/.test(repo)) return [Number(repo)];
  if (repo !== undefined && !/^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(repo))
    throw usageError('repository-invalid', `--repo ${repo} is neither owner/name nor an id.`);
  const tree = repo === undefined ? await openGitTree(path.resolve(io.cwd, dir)) : undefined;
  const name = repo ?? tree?.fullName;
  if (name === undefined || name.startsWith('local/')) return undefined;
  return store.standups.repositories(name);
}

function renderList({ insights, total, noTension }: ListedPage, io: Io): string {
  const { bold } = createPaint(io);
  const tensions = insights.filter(({ type }) => type !== 'none');
  const head = ['id', 'run', 'from', 'to', 'type', 'state', 'seen', 'says'].map(bold);
  const table =
    tensions.length === 0
      ? ''
      : renderTable([head, ...tensions.map(toCells)], { columns: io.columns });
  const shown = insights.length < total ? `; the newest ${insights.length} are shown` : '';
  return printable(
    `${table}${counted(total - noTension, 'insight')}, ${noTension} without a tension${shown}\n`,
  );
}

function toCells({ id, run, from, to, type, state, seen, message }: ListedInsight): string[] {
  return [id, run, from, to ?? '', type, state, String(seen), message].map(printable);
}

function renderTrends({ themes, health }: Trends, io: Io): string {
  const { bold } = createPaint(io);
  const rows = themes.map(({ label, count, lastSeen, isResolved, paths }) =>
    [
      label,
      String(count),
      lastSeen.slice(0, 10),
      isResolved ? 'resolved' : 'open',
      paths[0] ?? '',
    ].map(printable),
  );
  const head = ['theme', 'runs', 'last seen', 'state', 'file'].map(bold);
  const table =
    rows.length === 0 ? '' : `${renderTable([head, ...rows], { columns: io.columns })}\n`;
  const facts = [
    [
      'no tension',
      `${percent(health.noTensionRate)} of ${counted(health.answers, 'answer')} (${health.verdict})`,
    ],
    ['length', `${rounded(health.words)} words an insight`],
    ['useful', `${percent(health.usefulShare)} of the reactions`],
    ['dismissed', `${percent(health.dismissedShare)} of the judged tensions`],
    ['tensions', toWords(health.total)],
    ['dropped', `${counted(health.invented, 'insight')} that cited what does not exist`],
    [
      'cost',
      `$${health.cost.usd.toFixed(4)}${health.cost.isPartlyUnknown ? ' and an unknown part' : ''}`,
    ],
  ];
  return `${table}${renderTable([...facts, ...standings(health)], { columns: io.columns })}`;
}

/** Who raised what and of which type, and what people made of it. */
function standings({ byPersona, byType, fixCycles }: Trends['health']): string[][] {
  const { all, recent } = fixCycles;
  return [
    ['fix cycles', `${rounded(all)} a run, ${rounded(recent)} lately`],
    ...Object.entries(byPersona).map(([handle, own]) => [`of ${printable(handle)}`, toWords(own)]),
    ...Object.entries(byType).map(([type, own]) => [`as ${type}`, toWords(own)]),
  ];
}

function toWords({ raised, accepted, rejected, closed }: Trends['health']['total']): string {
  return `${raised} raised, ${accepted} accepted, ${rejected} rejected, ${closed} closed`;
}

function percent(share: number | undefined): string {
  return share === undefined ? 'unknown' : `${Math.round(share * 100)} %`;
}

function rounded(value: number | undefined): string {
  return value === undefined ? 'unknown' : value.toFixed(1).replace(/\.0$/, '');
}
