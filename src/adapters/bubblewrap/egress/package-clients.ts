/** Which registries this machine's own package clients use, asked of them: so that a company's mirrors work in a sandbox. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { targetOfUrl, type AllowedHost } from '../../../domain/sandbox/sandbox-hosts.ts';

const runProgram = promisify(execFile);

/** Settings of package clients, without credentials. */
export interface PackageClients {
  /** npm: the registry under the key `registry`, those of scopes under `@scope:registry`. */
  npm: Readonly<Record<string, string>>;
  /** pip: the index, then further ones. */
  pip: readonly string[];
  /** Go: variables of `go env`. */
  go: Readonly<Record<string, string>>;
  /** Maven: mirrors of `settings.xml`. */
  maven: readonly MavenMirror[];
}

export interface MavenMirror {
  id: string;
  mirrorOf: string;
  url: string;
}

/** A client that hangs is one that is not there. */
const ASK_MS = 20_000;

/** Of the App's environment, what these clients read: none of its secrets. */
const CLIENT_ENV =
  /^(?:PATH|HOME|LANG|XDG_CONFIG_HOME|PREFIX|M2_HOME|MAVEN_HOME|(?:npm_config|PIP|GO)[A-Z0-9_]*|NPM_CONFIG_[A-Z0-9_]*|npm_config_[a-z0-9_]*)$/;
const SECRET = /auth|token|password|secret/i;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Asks npm, pip and Go in an empty folder, and reads Maven's settings. A client that is missing or fails has no registries.
 * `env` is the environment of the App.
 */
export async function askPackageClients(env: Env): Promise<PackageClients> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'quorum-clients-'));
  try {
    // npm looks for a project in the folders above as well; this ends its search.
    await writeFile(path.join(folder, 'package.json'), '{}');
    const ask = asker(folder, env);
    const [npm, pip, go, maven] = await Promise.all([
      ask('npm', 'config', 'ls', '--long', '--json').then(readNpm),
      ask('pip', 'install', '--help').then(readPip),
      ask('go', 'env', '-json', ...GO_NAMES).then(readGo),
      readMaven(env),
    ]);
    return { npm, pip: [...pip, ...(await moreIndexes(ask))], go, maven };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Ask = (program: string, ...args: string[]) => Promise<string>;

function asker(cwd: string, env: Env): Ask {
  const own = Object.fromEntries(
    Object.entries(env).filter(([name]) => CLIENT_ENV.test(name) && !SECRET.test(name)),
  );
  const options = {
    cwd,
    timeout: ASK_MS,
    maxBuffer: 4_000_000,
    // No client may fetch a newer one of itself to answer, or wrap its lines.
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...own,
      GOTOOLCHAIN: 'local',
      GOWORK: 'off',
      COLUMNS: '2000',
      NO_COLOR: '1',
    },
  };
  return (program, ...args) =>
    runProgram(program, args, options).then(
      ({ stdout }) => stdout,
      () => '',
    );
}

const Texts = z.record(z.string(), z.unknown());

function readNpm(text: string): Record<string, string> {
  return pick(text, (name) => name === 'registry' || /^@[^:]+:registry$/.test(name));
}

/** `pip config` does not show the index that is used where none is set; the help text shows the one that is used. */
function readPip(text: string): string[] {
  const [, option = ''] = text.split('--index-url <url>');
  const [, value = ''] = option.split('(default');
  const [url = ''] = value.trimStart().split(/[\s)]/);
  return isRegistry(url) ? [withoutCredentials(url)] : [];
}

async function moreIndexes(ask: Ask): Promise<string[]> {
  const listed = await ask('pip', 'config', 'list');
  return listed
    .split('\n')
    .map((line) => line.split(".extra-index-url='")[1] ?? '')
    .flatMap((value) => value.replaceAll(String.raw`\n`, ' ').split(/[\s']/))
    .filter(isRegistry)
    .map(withoutCredentials);
}

const GO_NAMES = ['GOPROXY', 'GOSUMDB', 'GONOSUMDB', 'GOINSECURE', 'GOPRIVATE'];

function readGo(text: string): Record<string, string> {
  const found = pick(text, (name) => GO_NAMES.includes(name));
  const proxies = (found['GOPROXY'] ?? '').split(/([,|])/).map(withoutCredentials);
  return { ...found, ...(proxies.join('') !== '' && { GOPROXY: proxies.join('') }) };
}

function pick(text: string, isWanted: (name: string) => boolean): Record<string, string> {
  const settings = Texts.safeParse(parseJson(text)).data ?? {};
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) =>
      isWanted(name) && typeof value === 'string' && value !== ''
        ? [[name, withoutCredentials(value)]]
        : [],
    ),
  );
}

/** The user's settings and the installation's, in Maven's order. */
async function readMaven(env: Env): Promise<MavenMirror[]> {
  const homes = [env['M2_HOME'], env['MAVEN_HOME']].filter(
    (each) => each !== undefined && each !== '',
  );
  const files = [
    ...(env['HOME'] === undefined ? [] : [path.join(env['HOME'], '.m2/settings.xml')]),
    ...homes.map((home) => path.join(home ?? '', 'conf/settings.xml')),
  ];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return texts.flatMap(readMirrors);
}

const MAX_SETTINGS_CHARS = 200_000;

/** Mirrors of a `settings.xml`; one that blocks is no registry. */
export function readMirrors(xml: string): MavenMirror[] {
  return withoutComments(xml.slice(0, MAX_SETTINGS_CHARS))
    .split('<mirror>')
    .slice(1)
    .map((part) => part.split('</mirror>')[0] ?? '')
    .filter((part) => textIn(part, 'blocked') !== 'true')
    .map((part) => ({
      id: textIn(part, 'id'),
      mirrorOf: textIn(part, 'mirrorOf'),
      url: withoutCredentials(textIn(part, 'url')),
    }))
    .filter(({ url }) => isRegistry(url));
}

function withoutComments(xml: string): string {
  const [before = '', ...parts] = xml.split('<!--');
  return before + parts.map((part) => part.split('-->').slice(1).join('-->')).join('');
}

function textIn(xml: string, tag: string): string {
  const [, rest = ''] = xml.split(`<${tag}>`);
  return (rest.split(`</${tag}>`)[0] ?? '').trim().replaceAll('&amp;', '&');
}

function isRegistry(url: string): boolean {
  return targetOfUrl(url) !== undefined;
}

/** What is sandboxed holds no secrets: a registry that needs a password does not work there. */
function withoutCredentials(value: string): string {
  if (!isRegistry(value)) return value;
  const url = new URL(value);
  if (url.username === '' && url.password === '') return value;
  url.username = '';
  url.password = '';
  return url.href;
}

/** The hosts that these settings name, each with the client that uses it. */
export function hostsOfClients({ npm, pip, go, maven }: PackageClients): AllowedHost[] {
  const sumDb = go['GOSUMDB'] ?? 'off';
  const [sumName = ''] = sumDb.split(' ').slice(-1);
  const named: [source: string, urls: readonly string[]][] = [
    ['npm', Object.values(npm)],
    ['pip', pip],
    ['go', (go['GOPROXY'] ?? '').split(/[,|]/)],
    // `off` and a name with its key are no URLs.
    [
      'go',
      sumDb === 'off' ? [] : [isRegistry(sumName) ? sumName : `https://${sumName.split('+')[0]}`],
    ],
    ['maven', maven.map(({ url }) => url)],
  ];
  const hosts = named.flatMap(([source, urls]) =>
    urls.flatMap((url) => {
      const target = targetOfUrl(url);
      return target === undefined ? [] : [{ ...target, isWildcard: false, source }];
    }),
  );
  const known = new Set<string>();
  return hosts.filter(({ host, port }) => {
    const key = `${host}:${port}`;
    return known.has(key) ? false : known.add(key);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
