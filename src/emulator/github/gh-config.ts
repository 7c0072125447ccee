/** What GitHub's command line needs to speak to the emulator: it insists on https to other hosts, except over a unix socket. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Any name that is not GitHub's own: gh sends it in the `Host` header and looks it up nowhere. */
export const HOST_OF_GH = 'github.emulator';

/** Writes a configuration of its own for gh below `dir`, so that the user's is left alone. Resolves with its folder. */
export async function writeGhConfig(dir: string, socketPath: string): Promise<string> {
  const configDir = path.join(dir, 'gh');
  await mkdir(configDir, { recursive: true });
  await writeFile(
    path.join(configDir, 'config.yml'),
    `http_unix_socket: ${JSON.stringify(socketPath)}\n`,
  );
  return configDir;
}
