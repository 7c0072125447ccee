/** A sandbox with the network trusts whom its machine trusts; one without learns nothing of it. */
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCommands } from '../../../../src/adapters/bubblewrap/sandboxed-commands.ts';
import { outsideOf } from '../../../../src/adapters/bubblewrap/view/outside.ts';
import { systemClock } from '../../../../src/adapters/system/system-clock.ts';
import { noBwrap } from '../../../helpers/no-bwrap.ts';
import { temporaryFolder } from '../../../hosts/cli/temporary-folder.ts';

test('passes on authorities whose file exists, and proxies without a password', () => {
  const file = path.join(temporaryFolder(), 'ca.pem');
  writeFileSync(file, 'a certificate');
  const { env, files, proxies } = outsideOf({
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
  });
  expect(proxies).toEqual({ HTTP_PROXY: 'http://proxy.example:3128' });
  expect(files).toEqual([file]);
});

test('a link is named by what it leads to', () => {
  const folder = temporaryFolder();
  const [file, link] = [path.join(folder, 'ca.pem'), path.join(folder, 'link.pem')];
  writeFileSync(file, 'a certificate');
  symlinkSync(file, link);
  const { env, files } = outsideOf({ SSL_CERT_FILE: link });
  expect([env['SSL_CERT_FILE'], files]).toEqual([file, [file]]);
});

/** Where a system keeps what it trusts, as links out of the folder. */
const SYSTEM_LINK = linkIn('/etc/ssl/certs');

function linkIn(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const found = readdirSync(folder, { withFileTypes: true }).find((each) => each.isSymbolicLink());
  return found === undefined ? undefined : path.join(folder, found.name);
}

describe.skipIf(noBwrap !== undefined)('in a sandbox', () => {
  const seen = async (network: boolean, file?: string): Promise<string> => {
    const ca = file ?? path.join(temporaryFolder(), 'ca.pem');
    if (file === undefined) writeFileSync(ca, 'whom this machine trusts');
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

  test('with the network a link of the system’s own can be read', async () => {
    const content = SYSTEM_LINK === undefined ? '' : readFileSync(SYSTEM_LINK, 'utf8');
    expect(await seen(true, SYSTEM_LINK)).toBe(content || 'whom this machine trusts');
  });

  test('without the network it is not even named', async () => {
    expect(await seen(false)).toContain('/nothing');
  });
});
