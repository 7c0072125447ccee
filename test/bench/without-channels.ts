/** The shipped App from which the code of channels is removed: what starts without tokens is compared with it. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What is only there for channels. The words of `domain/channel` stay, because the settings are read with them. */
const REMOVED = [
  'act/channel',
  'adapters/bluesky',
  'adapters/slack',
  'decide/channel',
  'hosts/channels',
];
const NOTHING = (name: string): string => `export function ${name}() {}\n`;
/** What others import of it by name. */
const STUBS: Readonly<Record<string, string>> = {
  'act/channel/announce.js': NOTHING('announce'),
  'act/channel/chat-writes.js': NOTHING('reactInChat') + NOTHING('replyInChat'),
  'act/channel/look-chat.js': NOTHING('lookAtChat'),
  'act/channel/transcribe.js': NOTHING('transcribe'),
  'decide/channel/chat/decide-chat.js': NOTHING('decideChat'),
  'decide/channel/decide-channels.js': NOTHING('decideChannels'),
  'decide/channel/identities.js':
    NOTHING('decideCursor') + NOTHING('decideIdentities') + NOTHING('decideSession'),
  'decide/channel/with-announcements.js': NOTHING('withAnnouncements'),
  'hosts/channels/open-host-channels.js': NOTHING('openHostChannels'),
  'hosts/channels/slack-events-route.js':
    'export const createSlackEventsRoute = () => async () => false;\n',
};

/**
 * A copy of `dist` below a new folder, beside links to what else the package has; with the code of channels or without it.
 * A missing stub keeps it from starting.
 */
export function copyApp({ hasChannels }: { hasChannels: boolean }): {
  entry: string;
  remove: () => void;
} {
  const dir = mkdtempSync(path.join(tmpdir(), 'quorum-without-channels-'));
  for (const name of readdirSync(ROOT))
    if (name !== 'dist' && name !== '.git')
      symlinkSync(path.join(ROOT, name), path.join(dir, name));
  const dist = path.join(dir, 'dist');
  cpSync(path.join(ROOT, 'dist'), dist, { recursive: true });
  if (!hasChannels) removeChannels(dist);
  return {
    entry: path.join(dist, 'hosts/cli.js'),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

function removeChannels(dist: string): void {
  for (const folder of REMOVED) rmSync(path.join(dist, folder), { recursive: true });
  for (const [file, text] of Object.entries(STUBS)) {
    const at = path.join(dist, file);
    mkdirSync(path.dirname(at), { recursive: true });
    writeFileSync(at, text);
  }
}
