/** Holds the documents to the code: commands, environment, error codes, permissions, links, and what packages it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ERROR_CODES } from '../src/domain/event/error-codes.ts';
import { configReference, REFERENCE_FILE } from '../src/domain/config/config-reference.ts';
import { CLAUDE_VERSION } from '../src/adapters/coder/claude/find-claude.ts';
import { runCli } from '../src/hosts/cli/program.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** Where documents live; nothing below it is generated but the reference. */
const FOLDERS = [
  '.',
  '.github',
  '.changeset',
  'docs',
  'docs/decisions',
  'test/fixtures/github-openapi',
];
const documents = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name)),
);

function sources(under: string): { file: string; text: string }[] {
  return readdirSync(path.join(ROOT, under), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(under, name))
    .map((file) => ({ file, text: read(file) }));
}

/** First cells of the table rows that begin with code, split into the names in them. */
function firstCells(file: string): string[] {
  return firstCellsIn(read(file));
}

function firstCellsIn(text: string): string[] {
  return [...text.matchAll(/^\| (`[^|]+?)\s*\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
}

async function helpOf(...command: string[]): Promise<string> {
  let out = '';
  const io = {
    env: {},
    cwd: ROOT,
    out: (text: string) => void (out += text),
    err: () => undefined,
    isTty: false,
    columns: 100,
    readStdin: () => Promise.resolve(''),
    stopped: () => Promise.resolve('SIGTERM'),
  };
  expect(await runCli([...command, '--help'], io, '0.0.0')).toBe(0);
  return out;
}

async function commandsBelow(...parents: string[]): Promise<string[]> {
  const [, list = ''] = /\nCommands:\n([\s\S]*?)(?:\n\n|$)/.exec(await helpOf(...parents)) ?? [];
  const names = [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name);
  const below = await Promise.all(
    names
      .filter((name) => name !== 'help')
      .map(async (name): Promise<string[]> => {
        const own = [...parents, name];
        const children = parents.length === 0 ? await commandsBelow(...own) : [];
        return children.length === 0 ? [own.join(' ')] : children;
      }),
  );
  return below.flat();
}

describe('README', () => {
  test('the two commands stand there as they are typed', () => {
    expect(read('README.md')).toContain('\nnpm ci && npm run demo\n');
    expect(read('README.md')).toContain('\nnpm cit\n');
  });

  test('it offers three ways to start, a server in four steps, and says last what is not built', () => {
    const text = read('README.md');
    const headings = [...text.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) => heading);
    expect(headings.slice(0, 4)).toEqual([
      'Three ways to start',
      'Look',
      'Review my branch',
      'A server',
    ]);
    expect(headings.at(-1)).toBe('Not built yet');
    const [, server = ''] = text.split('\n### A server\n');
    const steps = [...(server.split('\n## ')[0] ?? '').matchAll(/^\d\. \*\*(.+?)\*\*/gm)];
    expect(steps.map(([, step]) => step)).toEqual([
      'Register the App.',
      'Let GitHub reach it.',
      'Use it.',
      'Let it write code.',
    ]);
    const guide = [...read('docs/install-app.md').matchAll(/^## (\d\. .+)$/gm)];
    expect(guide.map(([, heading]) => heading).at(-1)).toBe('4. Let it write code');
  });

  test('its picture is there for light and dark, and small', () => {
    const pictures = read('README.md').match(/docs\/[\w-]+\.png/g) ?? [];
    expect(pictures.toSorted()).toEqual(['docs/verdict-dark.png', 'docs/verdict-light.png']);
    for (const picture of pictures) {
      const bytes = readFileSync(path.join(ROOT, picture));
      expect(bytes.subarray(1, 4).toString()).toBe('PNG');
      expect(bytes.length).toBeLessThan(150_000);
    }
  });

  test('the table lists every command of the program, and no other', async () => {
    const commands = await commandsBelow();
    expect(commands.length).toBeGreaterThan(8);
    const told = firstCells('README.md')
      .filter((cell) => cell.startsWith('quorum '))
      .map((cell) => cell.replace(/^quorum /, '').replace(/ <.*/, ''));
    expect(told.toSorted()).toEqual(commands.toSorted());
  });

  test('its permissions are those of app.yml', () => {
    const manifest = parse(read('app.yml')) as { default_permissions: Record<string, string> };
    const told = [...read('README.md').matchAll(/^\| `([a-z_]+)`\s*\| (read|write)\s*\|/gm)].map(
      ([, name, level]) => [name, level],
    );
    expect(Object.fromEntries(told)).toEqual(manifest.default_permissions);
  });

  test('the rows of permissions.md are those of app.yml', () => {
    const { default_permissions: permissions, default_events: events } = parse(read('app.yml')) as {
      default_permissions: Record<string, string>;
      default_events: string[];
    };
    const cells = firstCells('docs/permissions.md').filter(
      (cell) => !cell.startsWith('installation'),
    );
    expect(cells.toSorted()).toEqual([...Object.keys(permissions), ...events].toSorted());
  });
});

describe('environment', () => {
  const NAME = /\benv\[['"]([A-Z][A-Z0-9_]+)['"]\]/g;
  /** What the runner of GitHub Actions tells every step: nobody sets it. */
  const RUNNERS = /^(?:GITHUB_(?:EVENT|RUN|STEP)_|RUNNER_)/;
  const KEYS = /\b(?:env|keyEnv|baseUrlEnv): '([A-Z][A-Z0-9_]+)'/g;
  const used = new Set(
    [
      ...['src/hosts', 'src/adapters/slack', 'src/adapters/bluesky'].flatMap((folder) =>
        sources(folder).flatMap(({ text }) => [...text.matchAll(NAME)]),
      ),
      ...sources('src/adapters/model').flatMap(({ text }) => [...text.matchAll(KEYS)]),
    ]
      .map(([, name = '']) => name)
      .filter((name) => !RUNNERS.test(name)),
  );
  const table = new Set(
    firstCells('docs/configuration.md').filter((cell) => /^[A-Z][A-Z0-9_]+$/.test(cell)),
  );

  test('the table lists every variable that is read, and no other', () => {
    expect(used.size).toBeGreaterThan(20);
    expect([...table].toSorted()).toEqual([...used].toSorted());
  });

  test('the README and the example name only variables of the table', () => {
    const shown = firstCells('README.md').filter((cell) => /^[A-Z][A-Z0-9_]+$/.test(cell));
    const example = [...read('.env.example').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(
      ([, name = '']) => name,
    );
    expect(shown.length).toBeGreaterThan(5);
    expect(example.length).toBeGreaterThan(15);
    // The password is for the database's own container.
    const own = [...shown, ...example].filter((name) => name !== 'POSTGRES_PASSWORD');
    expect(own.filter((name) => !table.has(name))).toEqual([]);
  });
});

describe('error codes', () => {
  const page = read('docs/troubleshooting.md');
  const below = (heading: string): string => {
    const [, rest = ''] = page.split(`\n## ${heading}\n`);
    return rest.split('\n## ')[0] ?? '';
  };
  /** Codes that are put together from the name of a cap or of its scope. */
  const BUILT = /^budget-(?:thread|day|repository|host-(?:repository|installation|total))$/;

  test.each(Object.entries(ERROR_CODES))(
    'each of “%s” has its row in troubleshooting.md, and no other has one',
    (heading, codes) => {
      expect(firstCellsIn(below(heading)).toSorted()).toEqual([...codes].toSorted());
    },
  );

  test('each has one row in the whole page', () => {
    const codes: string[] = Object.values(ERROR_CODES).flat();
    expect(codes.length).toBeGreaterThan(180);
    expect(firstCellsIn(page).toSorted()).toEqual(codes.toSorted());
  });

  test('each is used: the compiler sees that no other is', () => {
    const texts = sources('src')
      .filter(({ file }) => !/^src\/domain\/event\/(?:error|problem)-codes\.ts$/.test(file))
      .map(({ text }) => text)
      .join('\n');
    const unused = Object.values(ERROR_CODES)
      .flat()
      .filter((code) => !BUILT.test(code) && !texts.includes(`'${code}'`));
    expect(unused).toEqual([]);
  });
});

describe('what is installed', () => {
  test.each(['Dockerfile', 'docs/install-app.md', '.ci/run'])(
    '%s installs the version of Claude Code that was measured',
    (file) => {
      const named = read(file).match(/claude-code@[\d.]+/g);
      expect(named).toEqual([`claude-code@${CLAUDE_VERSION}`]);
    },
  );

  test('`docker build .` makes the App without a coder, and the target `coder` has what one takes', () => {
    const stages = read('Dockerfile')
      .split(/^FROM /m)
      .slice(1);
    expect(stages.map((stage) => stage.split('\n')[0])).toEqual([
      'node:24-slim AS build',
      'node:24-slim AS app',
      'app AS coder',
      'app',
    ]);
    expect(stages[2]).toContain('bubblewrap');
    expect(stages[2]).toContain('ENV QUORUM_CODER=local\nUSER node');
  });

  test('the drop-in of the unit gives back what bubblewrap was seen to need', () => {
    const unit = settingsIn('packaging/quorum.service');
    const dropIn = settingsIn('packaging/quorum-coder.conf');
    expect(unit).toContain('SystemCallFilter=~@privileged');
    expect(dropIn).toEqual(
      expect.arrayContaining([
        'Environment=QUORUM_CODER=local',
        'RestrictNamespaces=user mnt pid net ipc uts cgroup',
        'SystemCallFilter=@mount capset sethostname',
        'RestrictAddressFamilies=AF_NETLINK',
        'ProtectHostname=no',
        'ProtectKernelTunables=no',
        'ProtectKernelLogs=no',
      ]),
    );
    const names = new Set(unit.map((line) => line.split('=')[0]));
    for (const line of dropIn) expect(names).toContain(line.split('=')[0]);
  });
});

/** Lines `Name=value` of a unit. */
function settingsIn(file: string): string[] {
  return read(file)
    .split('\n')
    .filter((line) => /^[A-Z]\w+=/.test(line));
}

describe('documents', () => {
  test('the configuration reference is current (else run node src/hosts/write-docs.ts)', () => {
    expect(read(REFERENCE_FILE)).toBe(configReference());
  });

  test.each(documents)('%s: every relative link leads somewhere', (file) => {
    const broken = linksOf(read(file)).filter((link) => !leadsSomewhere(file, link));
    expect(broken).toEqual([]);
  });

  test('the configuration in the README and the guide is valid', async () => {
    const { resolveConfig } = await import('../src/domain/config/config-file.ts');
    const blocks = ['README.md', 'docs/configuration.md', 'docs/personas.md'].flatMap((file) =>
      [...read(file).matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text),
    );
    expect(blocks.length).toBeGreaterThan(4);
    const problems = blocks.flatMap((text) => [
      ...resolveConfig([{ origin: 'docs', file: 'docs', text }]).problems,
    ]);
    expect(problems.filter(({ code }) => code !== 'unknown-model')).toEqual([]);
  });

  test('the persona in the guide is valid', async () => {
    const { parsePersonaFile } = await import('../src/domain/persona/persona-file.ts');
    const [, text = ''] = /```markdown\n([\s\S]*?)```/.exec(read('docs/personas.md')) ?? [];
    expect(parsePersonaFile({ file: 'nia.md', text })).toMatchObject({
      kind: 'persona',
      warnings: [],
    });
  });

  test('AGENTS.md stays short, and CLAUDE.md is one line that points to it', () => {
    expect(read('AGENTS.md').trimEnd().split('\n').length).toBeLessThanOrEqual(60);
    expect(read('CLAUDE.md').trimEnd()).toMatch(/^[^\n]*AGENTS\.md[^\n]*$/);
  });

  test('every decision is dated, has a status and is in the list', () => {
    const list = read('docs/decisions/README.md');
    const files = readdirSync(path.join(ROOT, 'docs/decisions')).filter(
      (name) => name !== 'README.md',
    );
    expect(files.length).toBeGreaterThan(8);
    for (const name of files) {
      expect(name).toMatch(/^\d{4}-\d{2}-\d{2}-[a-z-]+\.md$/);
      const [, status = ''] = /^\d{4}-\d{2}-\d{2} · (\w+)$/m.exec(
        read(`docs/decisions/${name}`),
      ) ?? [''];
      expect(['proposed', 'accepted', 'rejected', 'superseded']).toContain(status);
      expect(list).toContain(`(${name})`);
    }
  });
});

function withoutCode(text: string): string {
  return text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');
}

function linksOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\(([^()\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(from: string, link: string): boolean {
  const [target = '', anchor] = link.split('#', 2);
  const file = target === '' ? from : path.join(path.dirname(from), target);
  if (!existsSync(path.join(ROOT, file))) return false;
  return anchor === undefined || anchorsOf(read(file)).includes(anchor);
}

/** As GitHub makes them from headings. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );
}

test('the page about workflows names each file below `state/` on the memory branch, and no other', () => {
  const filesIn = (text: string): string[] =>
    [...text.matchAll(/['`](state\/[a-z-]+\.json)['`]/g)].map(([, file = '']) => file);
  const known = new Set(sources('src').flatMap(({ text }) => filesIn(text)));
  expect(known.size).toBeGreaterThan(6);
  expect([...new Set(filesIn(read('docs/actions.md')))].toSorted()).toEqual([...known].toSorted());
});

test('the comparison with other agents names every program that a job of Quorum installs', () => {
  const folder = '.github/workflows';
  const scripts = readdirSync(path.join(ROOT, folder))
    .filter((file) => file.startsWith('quorum'))
    .map((file) => read(path.join(folder, file)));
  const installed = scripts.flatMap((text) =>
    [...text.matchAll(/\b(?:apt-get|npm) install .*?([^\s@]+)(?:@\S+)?$/gm)].map(
      ([, name = '']) => name,
    ),
  );
  const says = {
    bubblewrap: 'bubblewrap by `apt-get`',
    'anthropic-ai/claude-code': 'Claude Code by npm',
  };
  expect([...new Set(installed)].toSorted()).toEqual(Object.keys(says).toSorted());
  const [row = ''] = /^\| Quorum \[6\].*$/m.exec(read('docs/peers.md')) ?? [];
  expect(Object.values(says).filter((words) => !row.includes(words))).toEqual([]);
});

describe('packaging', () => {
  interface Workflow {
    permissions: Record<string, string>;
    jobs: Record<string, { permissions?: unknown; steps: { uses?: string; run?: string }[] }>;
  }

  test('the workflow reads only, pins what it uses, and runs what people run', () => {
    const { permissions, jobs } = parse(read('.github/workflows/ci.yml')) as Workflow;
    expect(permissions).toEqual({ contents: 'read' });
    const all = Object.values(jobs);
    expect(all.every((job) => job.permissions === undefined)).toBe(true);
    const steps = all.flatMap((job) => job.steps);
    const loose = steps.filter(({ uses }) => uses !== undefined && !/@[0-9a-f]{40}$/.test(uses));
    expect(loose).toEqual([]);
    expect(steps.some(({ run }) => run === '.ci/run')).toBe(true);
  });

  test('everything that the image copies is there, and nothing else enters it', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, names = '']) => names.split(' '),
    );
    expect(copied.length).toBeGreaterThan(6);
    expect(copied.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
    const [first, ...allowed] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    const names = copied.map((name) => name.replace(/^\.\//, ''));
    expect(allowed.toSorted()).toEqual([...new Set(names)].map((name) => `!${name}`).toSorted());
  });

  test('the image has the data of the package that the product reads at run time', () => {
    const image = read('Dockerfile');
    for (const name of ['personas', 'memory', 'schema'])
      expect(image).toContain(`\nCOPY ${name} ./${name}\n`);
  });

  test('compose gives the App a database that it waits for', () => {
    const { services } = parse(read('compose.yaml'), { merge: true }) as {
      services: Record<string, { environment: Record<string, string>; depends_on?: object }>;
    };
    expect(Object.keys(services)).toEqual(['app', 'worker', 'postgres']);
    for (const name of ['app', 'worker']) {
      expect(services[name]?.environment['DATABASE_URL']).toMatch(/@postgres:5432\/quorum$/);
      expect(services[name]?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    }
  });

  test('what starts a process names a program that the build makes', () => {
    const { bin } = JSON.parse(read('package.json')) as { bin: { quorum: string } };
    expect(read('Dockerfile')).toContain(`"${bin.quorum}"`);
    expect(read('packaging/quorum.service')).toContain(`/opt/quorum/${bin.quorum} start`);
  });
});
