/** Archives of artifacts: exactly the files that are wanted, none larger than allowed. */
import { describe, expect, test } from 'vitest';
import { unzip } from '../../../../src/adapters/github/dispatch/unzip.ts';
import { aZip, type ZippedFile } from '../../../helpers/a-zip.ts';

const MOST = new Map([
  ['intents.json', 1_000],
  ['change.patch', 2_000],
]);
const WORK: ZippedFile = { name: 'intents.json', content: '{}' };
const PATCH: ZippedFile = { name: 'change.patch', content: 'diff\n'.repeat(20) };

test('both files are read', async () => {
  const files = await unzip(aZip([WORK, PATCH]), MOST);
  expect(Buffer.from(files.get('change.patch') ?? []).toString()).toBe(PATCH.content);
  expect(files.size).toBe(2);
});

test('files with permissions of Unix are read', async () => {
  const files = await unzip(aZip([{ ...WORK, mode: 0o100644 }, PATCH]), MOST);
  expect(files.size).toBe(2);
});

describe('an archive is refused', () => {
  test.each<[string, Buffer, string]>([
    ['with a file more', aZip([WORK, PATCH, { name: 'more', content: '' }]), 'other files than'],
    ['with a file twice', aZip([WORK, WORK, PATCH]), 'other files than'],
    ['without a file', aZip([WORK]), 'has no change.patch'],
    ['with a renamed file', aZip([WORK, { ...PATCH, name: 'Change.patch' }]), 'other files'],
    ['with a path out of it', aZip([{ ...WORK, name: '../intents.json' }]), 'no whole archive'],
    [
      'with a file over its limit',
      aZip([WORK, { ...PATCH, content: 'x'.repeat(3_000) }]),
      'has 3000 bytes',
    ],
    [
      'with a file that unpacks to more than it says',
      aZip([WORK, { ...PATCH, content: Buffer.alloc(50_000_000), says: 100 }]),
      'no whole archive',
    ],
    ['with a symbolic link', aZip([{ ...WORK, mode: 0o120777 }, PATCH]), 'is no regular file'],
    ['with a folder', aZip([{ ...WORK, mode: 0o040755 }, PATCH]), 'is no regular file'],
    ['that is cut off', aZip([WORK, PATCH]).subarray(0, -30), 'no whole archive'],
    ['that is no archive', Buffer.from('no zip'), 'no whole archive'],
    ['that is empty', Buffer.alloc(0), 'no whole archive'],
  ])('%s', async (_, archive, why) => {
    await expect(unzip(archive, MOST)).rejects.toMatchObject({
      code: 'intents-invalid',
      message: expect.stringContaining(why),
    });
  });
});
