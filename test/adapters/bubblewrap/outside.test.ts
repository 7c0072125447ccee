/** A fence with the network trusts whom its machine trusts; one without learns nothing of it. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCommands } from '../../../src/adapters/bubblewrap/commands.ts';
import { outsideOf } from '../../../src/adapters/bubblewrap/outside.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { noBwrap } from '../../helpers/no-bwrap.ts';
import { temporaryFolder } from '../../hosts/cli/temporary-folder.ts';

test('authorities whose file is there, and proxies without a password, are all that is passed on', () => {
  const file = path.join(temporaryFolder(), 'ca.pem');
  writeFileSync(file, 'a certificate');
  const { env, files } = outsideOf({
    NODE_EXTRA_CA_CERTS: file,
    PIP_CERT: '/gone/ca.pem',
    HTTPS_PROXY: 'http://user:word@proxy.example:3128',
    HTTP_PROXY: 'http://proxy.example:3128',
    NO_PROXY: '',
    HOME: '/root',
  });
  expect(env).toEqual({
    NODE_USE_SYSTEM_CA: '1',
    NODE_EXTRA_CA_CERTS: file,
    HTTP_PROXY: 'http://proxy.example:3128',
  });
  expect(files).toEqual([file]);
});

describe.skipIf(noBwrap !== undefined)('in a fence', () => {
  const seen = async (network: boolean): Promise<string> => {
    const ca = path.join(temporaryFolder(), 'ca.pem');
    writeFileSync(ca, 'whom this machine trusts');
    const outside = outsideOf({ NODE_EXTRA_CA_CERTS: ca });
    const commands = createCommands({ sandbox: 'on', clock: systemClock, outside });
    const script = 'cat "${NODE_EXTRA_CA_CERTS:-/nothing}"';
    const wanted = { folder: temporaryFolder(), readable: [], script, env: {}, timeoutMs: 120_000 };
    const { output } = await commands.run({ ...wanted, network }, new AbortController().signal);
    return output;
  };

  test('with the network the file can be read', async () => {
    expect(await seen(true)).toBe('whom this machine trusts');
  });

  test('without the network it is not even named', async () => {
    expect(await seen(false)).toContain('/nothing');
  });
});
