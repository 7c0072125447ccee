/** A repository in which the team did all it does is forgotten: no line of it is left in the data directory or the database. */
import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished } from 'vitest';
import { createLog } from '../../src/hosts/create-log.ts';
import { missingPostgresReason } from '../contract/postgres-place.ts';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { foundIn, textsIn } from '../helpers/all-texts.ts';
import { MEMORY_BRANCH } from '../../src/domain/config/config-team.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { embeddedStore, postgresStore, type StorePlace } from '../helpers/store-copies.ts';
import { quorum } from '../hosts/cli/fake-io.ts';
import { verifies } from '../verifies.ts';

const OTHER = 'globex/other';
const KEPT = 'The lighthouse keeper wants a brighter lamp.';
const SETTINGS = 'merge:\n  mode: auto\nreview:\n  settleSeconds: 0\n';

interface Past {
  world: PlanWorld;
  /** Lines of the log at its wordiest level. */
  lines: string[];
  place: StorePlace;
}

/** A council, a plan whose task was written, reviewed and merged, and a task that is held; and a council elsewhere. */
async function aPast(place: StorePlace): Promise<Past> {
  onTestFinished(() => place.remove());
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLog({ level: 'debug', format: 'json', destination });
  const world = await aPlanWorld(SETTINGS, { env: place.env, log });
  const { emulator, appId } = world;
  await world.ask({ ...READY_ISSUE, title: 'Add a --quiet flag for the pangolin office' });
  await world.idle();
  await world.plan([sayTask(1, 'goodbye'), sayTask(2, 'welcome', { dependencies: [1] })]);
  await world.idle();
  const [pull] = await world.pulls();
  await emulator.as('tom').comment(REPO, pull?.number ?? 0, '/pm approve');
  await world.idle();

  emulator.createOrg('globex', { ana: 'admin' });
  await emulator.createRepository({ owner: 'globex', name: 'other', files: { 'a.txt': 'a' } });
  emulator.installApp(appId, 'globex');
  const { number } = await emulator.as('ana').openIssue(OTHER, { title: 'A lamp', body: KEPT });
  await emulator.as('ana').label(OTHER, number, ['deliberate']);
  await world.idle();
  return { world, lines, place };
}

/** What only this repository says. */
function ownTexts({ emulator }: PlanWorld): string[] {
  const elsewhere = textsIn(emulator, OTHER);
  // The name of the memory branch is in every configuration.
  return [...textsIn(emulator, REPO)].filter(
    (text) => !elsewhere.has(text) && text !== MEMORY_BRANCH,
  );
}

/** Of the data directory, and of the database where it is another place. */
async function dump({ world, place }: Past): Promise<string> {
  const dir = world.appEnv['QUORUM_DATA'] ?? '';
  const files = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((each) =>
    each.isFile(),
  );
  const names = files.map((each) => path.join(each.parentPath, each.name));
  const texts = await Promise.all(names.map((name) => readFile(name, 'latin1')));
  const url = place.env['DATABASE_URL'];
  const rows =
    url === undefined
      ? ''
      : (await promisify(execFile)('pg_dump', [url], { maxBuffer: 1e9 })).stdout;
  return Buffer.from([...names, ...texts].join('\n'), 'latin1').toString() + rows;
}

async function expectForgotten(past: Past): Promise<void> {
  const { world, lines } = past;
  const texts = ownTexts(world);
  expect(texts.length).toBeGreaterThan(100);
  const { id } = world.emulator.repository(REPO);
  const before = await dump(past);
  // Titles, descriptions, comments, reviews, files: most of it is kept while the App works.
  expect(foundIn(before, texts).length).toBeGreaterThan(50);
  expect(foundIn(lines.join('\n'), texts)).toEqual([]);

  const env = world.appEnv;
  const { mode } = await stat(path.join(env['QUORUM_DATA'] ?? '', 'work/worktrees'));
  expect(mode & 0o077).toBe(0);
  const isEmbedded = past.place.env['DATABASE_URL'] === undefined;
  if (isEmbedded) await world.stopApp();
  const dry = await quorum(['forget', 'repository', REPO], { env });
  expect(dry.out).toMatch(
    new RegExp(
      `^Kept of repository ${id}:\n  events +\\d+ rows\n  effects +\\d+ rows\n  states +\\d+ rows\n  ledger +\\d+ rows; amounts stay, without names\n[^]*mirrors/${id}\\.git +\\d+ (?:k|M)B\nNothing was changed\\.`,
    ),
  );
  const done = await quorum(['forget', 'repository', REPO, '--yes'], { env });
  expect([done.code, done.err]).toEqual([0, '']);
  const left = await dump(past);
  expect(foundIn(left, [...texts, REPO, '"repo":"tidy"'])).toEqual([]);
  expect(left).not.toMatch(new RegExp(`/(?:mirrors|owners|installed|worktrees)/.*\\b${id}\\b`));
  expect(left).toContain(KEPT);
  if (isEmbedded) await world.startApp();
}

const noPostgres = await missingPostgresReason();
const where = noPostgres === undefined ? '' : ` (skipped: ${noPostgres})`;

describe.skipIf(noBwrap !== undefined)('a forgotten repository', () => {
  verifies('ING-12', 'is in no file of the data directory', async () => {
    await expectForgotten(await aPast(embeddedStore()));
  });

  describe.skipIf(noPostgres !== undefined)(`on PostgreSQL${where}`, () => {
    verifies('ING-12', 'is in no dump of the database', async () => {
      await expectForgotten(await aPast(await postgresStore()));
    });
  });
});
