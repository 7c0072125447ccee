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

/**
 * Environment variables by which git finds the emulator where gh names its host: `gh repo clone` makes the address of a
 * clone from the host itself. The token is sent along, and is in no address that git keeps or prints.
 */
export function gitEnvironment(url: string, token: string): Record<string, string> {
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  const settings = [
    [`url.${url}/.insteadOf`, `https://${HOST_OF_GH}/`],
    [`http.${url}/.extraHeader`, `Authorization: Basic ${basic}`],
  ] as const;
  const named = settings.flatMap(([key, value], n) => [
    [`GIT_CONFIG_KEY_${n}`, key],
    [`GIT_CONFIG_VALUE_${n}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(named) };
}
