/** What the environment switches on, told in one table at the start. */
import { readCredentials } from '../environment/app-credentials.ts';
import type { Env } from '../environment/env-file.ts';
import { filled } from '../environment/host-settings.ts';
import type { Io } from './terminal/io.ts';
import { createPaint } from './terminal/paint.ts';
import { renderTable } from './terminal/table.ts';

export interface Feature {
  /** Names in the environment. */
  names: string;
  isOn: boolean;
  /** What happens with it, or without. */
  effect: string;
}

interface Row {
  names: readonly string[];
  on: string;
  off: string;
}

/** One of the names is enough for each row but the first, which {@link readCredentials} judges. */
const ROWS: readonly Row[] = [
  {
    names: ['QUORUM_SMEE_URL', 'WEBHOOK_PROXY_URL'],
    on: 'GitHub delivers webhooks there',
    off: "GitHub delivers to the webhook URL in the App's settings, which has to lead to this process",
  },
  {
    names: ['DATABASE_URL'],
    on: 'PostgreSQL holds the queue; several processes share it',
    off: 'the embedded store under QUORUM_DATA; one process',
  },
  {
    names: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL'],
    on: 'personas answer with a model',
    off: 'personas answer from offline rules: no cost, no network',
  },
  {
    names: ['QUORUM_CODER'],
    on: 'approved plans are carried out where it says (`local`: on this machine; `actions`: in a workflow of each repository, tested here)',
    off: 'no code is written: plans are read and approved, and no task begins (docs/install-app.md, step 4)',
  },
  {
    names: ['QUORUM_ENCRYPTION_KEY'],
    on: 'comments are signed with this key',
    off: "comments are signed with a key made from the App's own; replacing that orphans them",
  },
  {
    names: ['SLACK_BOT_TOKEN'],
    on: 'repositories that name a channel are announced in Slack',
    off: 'nothing is announced in Slack (docs/channels.md)',
  },
  {
    names: ['BLUESKY_IDENTIFIER', 'BLUESKY_PASSWORD'],
    on: 'public repositories are announced on Bluesky',
    off: 'nothing is announced on Bluesky (docs/channels.md)',
  },
  {
    names: ['QUORUM_DASHBOARD_TOKEN'],
    on: '/metrics answers who has the token',
    off: '/metrics answers nobody',
  },
];

/** Reads what is there. ConfigError when credentials are there and wrong. */
export function describeFeatures(env: Env): Feature[] {
  const hasCredentials = readCredentials(env) !== undefined;
  const app: Feature = {
    names: 'APP_ID, PRIVATE_KEY, WEBHOOK_SECRET',
    isOn: hasCredentials,
    effect: hasCredentials ? 'works on GitHub' : 'no work on GitHub yet; the setup page is open',
  };
  const others = ROWS.map(({ names, on, off }) => {
    const set = names.filter((name) => filled(env[name]) !== undefined);
    const isOn = set.length > 0;
    return { names: isOn ? set.join(', ') : listed(names), isOn, effect: isOn ? on : off };
  });
  return [app, ...others];
}

/** Two names say enough of what could be set. */
function listed(names: readonly string[]): string {
  return names.slice(0, 2).join(' or ');
}

export function renderFeatures(features: readonly Feature[], io: Io): string {
  const paint = createPaint(io);
  const rows = features.map(({ names, isOn, effect }) => [
    isOn ? paint.green('set') : paint.yellow('not set'),
    names,
    effect,
  ]);
  return renderTable(rows, { columns: io.columns, indent: 2 });
}
