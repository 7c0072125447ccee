/** What the detector of credentials finds in a pull request reaches the review, by path, and nothing else does. */
import { expect, test } from 'vitest';
import { lookAtPull } from '../../../src/act/read/pull/look-pull.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import type { ReadSettings } from '../../../src/act/settings/read-settings.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import type { DetectSecrets } from '../../../src/domain/secrets/secret-text.ts';
import { aPlanView } from '../../helpers/a-plan.ts';
import { ANA, THREAD } from '../../helpers/play.ts';

const DIFF = [
  'diff --git a/src/a.ts b/src/a.ts',
  '--- a/src/a.ts',
  '+++ b/src/a.ts',
  '@@ -1,2 +1,3 @@',
  ' const old = 1;',
  '-const gone = "KEY";',
  '+const one = 1;',
  '+const key = "KEY";',
  'diff --git a/src/b.ts b/src/b.ts',
  '--- a/src/b.ts',
  '+++ b/src/b.ts',
  '@@ -1 +1 @@',
  '-const two = 1;',
  '+const two = 2;',
  '',
].join('\n');
const ADDED = { 'src/a.ts': 'const one = 1;\nconst key = "KEY";', 'src/b.ts': 'const two = 2;' };

/** What rules found, as a look brings it: a reducer scans nothing. */
const SCAN = { kind: 'read' as const, found: { findings: [], notRead: ['a file'] } };

async function look(detectSecrets?: DetectSecrets) {
  const { repository } = aPlanView({});
  const pull = { author: ANA, headSha: 'head', baseSha: 'base', baseRef: 'main', changedFiles: 2 };
  const told = {
    repository,
    pull,
    feedback: { reviews: [], threads: [], isCut: false },
    permissions: new Map([[ANA.id, 'write']]),
    comments: [],
    checks: [],
    files: [],
    foreign: undefined,
  };
  const session = {
    counts: { read: 1 },
    read: {
      paths: async () => ({ paths: [], isCut: false }),
      files: async () => [],
      permission: async () => 'write',
    },
    reviews: {},
    pulls: {
      survey: async () => told,
      changes: async () => ({ diff: DIFF, isCut: false, leftOut: [], unnamedFiles: 0 }),
    },
  };
  const scanned: unknown[] = [];
  const ports = {
    clock: { now: () => 0 },
    random: { id: () => 'nonce' },
    store: { load: async () => undefined, records: { effects: async () => [] } },
    github: { at: () => session, app: { self: async () => ({ ...ANA, isBot: true }) } },
    scanner: {
      scan: async (_: string, asked: { secrets: unknown }) => {
        scanned.push(asked.secrets);
        return SCAN;
      },
    },
    ...(detectSecrets && { detectSecrets }),
  } as unknown as ActPorts;
  const settings = {
    config: defaultConfig(),
    personas: [],
    problems: [],
    packageDigests: {},
    personaSources: {},
  };
  const readSettings = (async () => settings) as unknown as ReadSettings;
  const asked = { isAsked: true, since: undefined, withComments: false };
  const data = { kind: 'look-pull', thread: THREAD, actor: ANA, ...asked } as const;
  const { result } = await lookAtPull(data, {
    ports,
    readSettings,
    isUntouched: false,
    run: 'RUN',
    effectId: 'RUN/1-look-pull',
    recall: async () => undefined,
  });
  if (result.view === undefined) throw new Error('there is no view');
  return { secrets: result.view.secrets, scanned, scan: result.scan };
}

test('each file is searched in its new lines, and what was found goes to the view and to the rules', async () => {
  const sighting = { kind: 'a key', line: 2, length: 3 };
  const texts: Record<string, string> = {};
  const { secrets, scanned, scan } = await look(async (text, path) => {
    texts[path] = text;
    return path === 'src/a.ts' ? [sighting, { ...sighting, line: 1 }] : [];
  });
  expect(texts).toEqual(ADDED);
  const found = { 'src/a.ts': [sighting, { ...sighting, line: 1 }] };
  expect(secrets).toEqual(found);
  expect(scanned).toEqual([found]);
  expect(scan).toEqual(SCAN);
});

test('nothing is claimed where nothing was found, or where there is no detector', async () => {
  const nothing = { secrets: {}, scanned: [{}], scan: SCAN };
  expect(await look(async () => [])).toEqual(nothing);
  expect(await look()).toEqual(nothing);
});

test('a detector that fails ends the look: no change counts as searched that was not', async () => {
  await expect(look(() => Promise.reject(new Error('no detector')))).rejects.toThrow('no detector');
});
