/** Whether a machine lets a sandbox be made is tried, not guessed. */
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { trySandbox } from '../../../src/adapters/bubblewrap/try-sandbox.ts';
import { temporaryFolder } from '../../hosts/cli/temporary-folder.ts';

test('reports the message of a bwrap that cannot make a sandbox', async () => {
  const dir = temporaryFolder({
    bwrap:
      '#!/bin/sh\necho "bwrap: Can\'t mount proc on /newroot/proc: Operation not permitted" >&2\nexit 1\n',
  });
  const bwrap = path.join(dir, 'bwrap');
  chmodSync(dir, 0o755);
  chmodSync(bwrap, 0o755);
  await expect(trySandbox(systemClock, bwrap)).rejects.toMatchObject({
    code: 'no-sandbox',
    message: expect.stringContaining("Can't mount proc"),
  });
});
