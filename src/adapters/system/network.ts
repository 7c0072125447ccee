/**
 * How this machine reaches others: through which proxy, and which certificate authorities it trusts. Git gets the
 * same settings.
 */
import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import tls from 'node:tls';

type Env = Readonly<Record<string, string | undefined>>;

export interface Network {
  /** `http_proxy`, `https_proxy` and `no_proxy`; empty without a proxy. */
  proxies: Readonly<Record<string, string>>;
  /** Every authority that is trusted, as PEM; empty where the environment names none and the system's own are right. */
  authorities: readonly string[];
}

/** The embedded GitHub and local models are never behind a proxy. */
const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/** Reads it without changing anything. */
export function networkOf(env: Env): Network {
  const named = namedAuthorities(env);
  const authorities = named.length === 0 ? [] : [...new Set([...ownAuthorities(), ...named])];
  return { proxies: proxiesOf(env), authorities };
}

/** Lets every request of this process go the way that the environment names. Node itself does so only for some variables. */
export function useNetwork(env: Env): void {
  const { proxies, authorities } = networkOf(env);
  // Older versions of Node have neither.
  if (Object.keys(proxies).length > 0 && 'setGlobalProxyFromEnv' in http)
    http.setGlobalProxyFromEnv(proxies);
  if (authorities.length > 0 && 'setDefaultCACertificates' in tls)
    tls.setDefaultCACertificates(authorities);
}

function proxiesOf(env: Env): Record<string, string> {
  const all = valueOf(env, 'ALL_PROXY');
  const plain = valueOf(env, 'HTTP_PROXY') ?? all;
  const secure = valueOf(env, 'HTTPS_PROXY') ?? all;
  if (plain === undefined && secure === undefined) return {};
  const exempt = [valueOf(env, 'NO_PROXY') ?? '', ...LOOPBACK].filter((one) => one !== '');
  return {
    ...(plain !== undefined && { http_proxy: plain }),
    ...(secure !== undefined && { https_proxy: secure }),
    no_proxy: exempt.join(','),
  };
}

/** Lower case wins, as in curl. */
function valueOf(env: Env, name: string): string | undefined {
  const value = env[name.toLowerCase()] ?? env[name];
  return value === undefined || value === '' ? undefined : value;
}

function ownAuthorities(): string[] {
  const isOld = !Object.hasOwn(tls, 'getCACertificates');
  if (isOld) return [...tls.rootCertificates];
  return [...tls.getCACertificates('default'), ...tls.getCACertificates('system')];
}

/** OpenSSL, Node and git each have a variable of their own; a user who sets one of them means all. */
function namedAuthorities(env: Env): string[] {
  const files = [env['NODE_EXTRA_CA_CERTS'], env['SSL_CERT_FILE'], env['GIT_SSL_CAINFO']];
  const folders = (env['SSL_CERT_DIR'] ?? '').split(path.delimiter);
  return [...files, ...folders.flatMap(filesIn)].flatMap((file) => certificatesIn(file ?? ''));
}

function filesIn(folder: string): string[] {
  if (folder === '') return [];
  try {
    return readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/** None where nothing can be read, as OpenSSL takes it. */
function certificatesIn(file: string): string[] {
  if (file === '') return [];
  try {
    const [, ...parts] = readFileSync(file, 'utf8').split(BEGIN);
    return parts.map((part) => `${BEGIN}${part.split(END)[0] ?? ''}${END}`).filter(isCertificate);
  } catch {
    return [];
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
