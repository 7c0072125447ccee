/** How this machine reaches the network: which certificate authorities its programs trust, and through which proxy. */
import { realpathSync } from 'node:fs';

/** Variables that name certificate authorities besides those that programs bring, such as a company's own. */
const TRUST = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'PIP_CERT',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'CARGO_HTTP_CAINFO',
];

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];

type Env = Readonly<Record<string, string | undefined>>;

export interface Outside {
  /** Which authorities are trusted. */
  env: Record<string, string>;
  /** That the variables name. */
  files: string[];
  /** Its proxy, for what runs without a sandbox: in one, only the App itself connects to it. */
  proxies: Record<string, string>;
}

/** A proxy's address with a password in it stays outside: what is sandboxed holds no secrets. */
export function outsideOf(env: Env): Outside {
  const trust = named(env, TRUST).flatMap(([name, file]): [string, string][] => {
    const real = realOf(file);
    return real === undefined ? [] : [[name, real]];
  });
  const proxies = named(env, PROXIES).filter(([, address]) => !address.includes('@'));
  return {
    // Node brings its own list of authorities and reads the system's only when told.
    env: { NODE_USE_SYSTEM_CA: '1', ...Object.fromEntries(trust) },
    files: trust.map(([, file]) => file),
    proxies: Object.fromEntries(proxies),
  };
}

/** A link would be followed in the sandbox, where what it leads to may not be. Undefined where nothing is there. */
function realOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

function named(env: Env, names: readonly string[]): [string, string][] {
  return names.flatMap((name) => {
    const value = env[name];
    return value === undefined || value === '' ? [] : [[name, value]];
  });
}
