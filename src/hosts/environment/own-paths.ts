/** Where this installation keeps what no sandbox may show. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { OwnPath } from '../../domain/sandbox/shown-paths.ts';
import type { Env } from './env-file.ts';
import { filled, readHostSettings } from './host-settings.ts';

/** The data directory with the store, and the files of credentials that are there. */
export function ownPaths(env: Env): OwnPath[] {
  const files: OwnPath[] = [
    { path: filled(env['PRIVATE_KEY_PATH']) ?? '', is: 'the private key (`PRIVATE_KEY_PATH`)' },
    { path: path.resolve('.env'), is: 'the file of credentials' },
  ];
  return [
    { path: readHostSettings(env).dataDir, is: 'the data directory (`QUORUM_DATA`)' },
    ...files.filter(({ path: file }) => existsSync(file)),
  ];
}
