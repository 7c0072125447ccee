/** Opens the way out for one sandboxed run, and closes it with the run. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  renderTarget,
  type AllowedHost,
  type RefusedHost,
} from '../../../domain/sandbox/sandbox-hosts.ts';
import { isLoopbackHost } from './addresses.ts';
import { clientEnv, homeFiles, PROXY_PORT } from './client-settings.ts';
import { hostsOfClients, type PackageClients } from './package-clients.ts';
import { startEgressProxy } from './proxy.ts';
import type { ProxyEnv } from './upstream-proxy.ts';

export interface EgressOptions {
  /** Hosts that the machine's operator allows. */
  allowed: readonly AllowedHost[];
  /** Asked before each run, so that a changed setting holds for the next one. */
  clients: () => Promise<PackageClients>;
  /** The machine's own proxy settings. */
  proxies: ProxyEnv;
}

export interface Egress {
  /** Environment of the sandboxed program. */
  env: Record<string, string>;
  /** Bound read-only at their own paths. */
  readable: string[];
  /** Files shown read-only: path inside, file outside. */
  placed: [inner: string, outer: string][];
  /** A command line that starts the bridge inside before `argv`. */
  wrap: (argv: readonly string[]) => string[];
  refused: () => RefusedHost[];
  close: () => Promise<void>;
}

/** Nothing is allowed where nobody says what is. */
const NO_CLIENTS: PackageClients = { npm: {}, pip: [], go: {}, maven: [] };

/** All hosts that a sandbox with network may connect to. */
export function allHosts({ allowed }: EgressOptions, clients: PackageClients): AllowedHost[] {
  return [...allowed, ...hostsOfClients(clients)];
}

export async function openEgress(
  options: EgressOptions = { allowed: [], clients: async () => NO_CLIENTS, proxies: {} },
): Promise<Egress> {
  const clients = await options.clients();
  const allowed = allHosts(options, clients);
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'quorum-egress-')));
  // Others may pass through to files whose names they know; there are no secrets in them.
  chmodSync(folder, 0o711);
  const socketPath = path.join(folder, 'out.sock');
  const { proxies } = options;
  const proxy = await startEgressProxy({ socketPath, allowed, proxies });
  const tunnels = allowed.filter(isLoopbackHost).map(renderTarget);
  const plan = [socketPath, PROXY_PORT, ...tunnels].join('\n');
  return {
    env: clientEnv(clients),
    readable: [socketPath, process.execPath, BRIDGE],
    placed: placeFiles(folder, {
      ...homeFiles(clients),
      '/etc/hosts': '127.0.0.1 localhost\n::1 localhost\n',
    }),
    wrap: (argv) => ['/bin/sh', '-c', START, 'sh', process.execPath, BRIDGE, plan, ...argv],
    refused: proxy.refused,
    close: async () => {
      await proxy.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const BRIDGE = path.join(import.meta.dirname, `bridge-out${path.extname(import.meta.filename)}`);

/** The bridge is no child of the program, and ends with the sandbox. */
const START = `[ "$("$1" "$2" "$3" < /dev/null 2> /dev/null &)" = ready ] || { echo 'The way out of the sandbox did not open.' >&2; exit 71; }; shift 3; exec "$@"`;

function placeFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
): [inner: string, outer: string][] {
  return Object.entries(files).map(([inner, text]) => {
    const outer = path.join(folder, inner);
    mkdirSync(path.dirname(outer), { recursive: true, mode: 0o755 });
    writeFileSync(outer, text, { mode: 0o644 });
    return [inner, outer];
  });
}
