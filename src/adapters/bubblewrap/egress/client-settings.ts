/** Settings for programs in a sandbox: the proxy, and the registries that this machine uses. */
import { FENCED_HOME } from '../bwrap-args.ts';
import type { PackageClients } from './package-clients.ts';

/** Where the bridge listens, on the loopback of the sandbox's own network. */
export const PROXY_PORT = 47_128;
const PROXY_HOST = '127.0.0.1';
const PROXY_URL = `http://${PROXY_HOST}:${PROXY_PORT}`;

/** A project's own servers in the sandbox are reached directly. */
const DIRECT = ['localhost', '127.0.0.1', '::1'];

/** Environment variables. */
export function clientEnv({ pip, go }: PackageClients): Record<string, string> {
  const [index, ...more] = pip;
  return {
    ...Object.fromEntries(
      ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [name, PROXY_URL]),
    ),
    NO_PROXY: DIRECT.join(','),
    no_proxy: DIRECT.join(','),
    // Node's own fetch and http read the variables only when told.
    NODE_USE_ENV_PROXY: '1',
    YARN_HTTP_PROXY: PROXY_URL,
    YARN_HTTPS_PROXY: PROXY_URL,
    JAVA_TOOL_OPTIONS: ['http', 'https']
      .map((scheme) => `-D${scheme}.proxyHost=${PROXY_HOST} -D${scheme}.proxyPort=${PROXY_PORT}`)
      .join(' '),
    ...(index !== undefined && { PIP_INDEX_URL: index, UV_DEFAULT_INDEX: index }),
    ...(more.length > 0 && { PIP_EXTRA_INDEX_URL: more.join(' ') }),
    ...go,
  };
}

/** Files for the home of the sandbox, by their path in it; a project's own files win over them. */
export function homeFiles({ npm, maven }: PackageClients): Record<string, string> {
  const npmrc = Object.entries(npm).map(([name, url]) => `${name}=${url}\n`);
  return {
    [`${FENCED_HOME}/.npmrc`]: npmrc.join(''),
    [`${FENCED_HOME}/.m2/settings.xml`]: mavenSettings(maven),
  };
}

/** Maven reads no proxy from the environment. */
function mavenSettings(mirrors: PackageClients['maven']): string {
  return [
    '<settings>',
    `<proxies>${['http', 'https'].map(mavenProxy).join('')}</proxies>`,
    `<mirrors>${mirrors.map((each) => element('mirror', { ...each })).join('')}</mirrors>`,
    '</settings>\n',
  ].join('\n');
}

function mavenProxy(protocol: string): string {
  return element('proxy', {
    id: `sandbox-${protocol}`,
    active: 'true',
    protocol,
    host: PROXY_HOST,
    port: `${PROXY_PORT}`,
    nonProxyHosts: DIRECT.join('|'),
  });
}

function element(name: string, children: Readonly<Record<string, string>>): string {
  const inner = Object.entries(children).map(
    ([tag, text]) => `<${tag}>${escapeXml(text)}</${tag}>`,
  );
  return `<${name}>${inner.join('')}</${name}>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
