/** An artifact is judged as an archive in memory: nothing of it is unpacked to disk, whatever it says of itself. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  startResultsService,
  type ResultsService,
} from '../../src/emulator/actions/results-service.ts';
import {
  downloadFiles,
  uploadFiles,
  type HandOver,
} from '../../src/hosts/action/steps/hand-over.ts';
import { aZip, type ZippedFile } from '../helpers/a-zip.ts';

const MOST = new Map([['intents.json', 1_000_000]]);
const INTENTS: ZippedFile = { name: 'intents.json', content: '{}' };
const ZEROS = Buffer.alloc(100 * 1024 * 1024);

let results: ResultsService;
let dir: string;
let handOver: HandOver;

beforeEach(async () => {
  results = await startResultsService();
  dir = await mkdtemp(path.join(os.tmpdir(), 'quorum-artifact-'));
  handOver = { env: { RUNNER_TEMP: dir }, artifact: 'intents' };
  vi.stubEnv('ACTIONS_RESULTS_URL', results.url);
  vi.stubEnv('ACTIONS_RUNTIME_TOKEN', results.createToken('77', 'job-1'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await results.close();
  await rm(dir, { recursive: true, force: true });
});

async function leave(bytes: Buffer): Promise<void> {
  await uploadFiles(new Map([['intents.json', Buffer.from('{}')]]), handOver);
  for (const artifact of results.artifacts) artifact.bytes = bytes;
}

/** Of the largest file below the runner's folder. */
async function mostOnDisk(): Promise<number> {
  const names = await readdir(dir, { recursive: true });
  const found = await Promise.all(names.map((name) => stat(path.join(dir, name))));
  return Math.max(0, ...found.map((one) => (one.isFile() ? one.size : 0)));
}

test('the file that was handed over is read', async () => {
  await uploadFiles(new Map([['intents.json', Buffer.from('{"a":1}')]]), handOver);
  const files = await downloadFiles(MOST, handOver);
  expect(Buffer.from(files.get('intents.json') ?? []).toString()).toBe('{"a":1}');
});

describe('an artifact is refused, and nothing of it is unpacked to disk,', () => {
  test.each<[string, () => Buffer, string]>([
    ['that unpacks to 100 MB', () => aZip([{ ...INTENTS, content: ZEROS }]), 'has 104857600 bytes'],
    [
      'that unpacks to more than its directory says',
      () => aZip([{ ...INTENTS, content: ZEROS, says: 2 }]),
      'no whole archive',
    ],
    [
      'with another file of 100 MB',
      () => aZip([INTENTS, { name: 'more', content: ZEROS }]),
      'other files than intents.json',
    ],
    [
      'with a path that leaves the folder',
      () => aZip([{ name: '../intents.json', content: ZEROS }]),
      'no whole archive',
    ],
    [
      'with a symbolic link',
      () => aZip([{ name: 'intents.json', content: '/etc/hostname', mode: 0o120777 }]),
      'is no regular file',
    ],
  ])('%s', async (_, archive, why) => {
    const bytes = archive();
    await leave(bytes);
    await expect(downloadFiles(MOST, handOver)).rejects.toMatchObject({
      code: 'intents-invalid',
      message: expect.stringContaining(why),
    });
    expect(await mostOnDisk()).toBeLessThanOrEqual(bytes.length);
  });
});
