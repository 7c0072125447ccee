/** Which hosts sandboxed programs of this machine may connect to, from its environment. */
import type { EgressOptions } from '../../adapters/bubblewrap/egress/open-egress.ts';
import { askPackageClients } from '../../adapters/bubblewrap/egress/package-clients.ts';
import { parseSandboxHosts } from '../../domain/sandbox/sandbox-hosts.ts';
import type { Env } from './env-file.ts';

/** ConfigError `sandbox-hosts-invalid`. */
export function egressOf(env: Env): EgressOptions {
  return {
    allowed: parseSandboxHosts(env['QUORUM_SANDBOX_HOSTS'] ?? ''),
    clients: () => askPackageClients(env),
    proxies: env,
  };
}
