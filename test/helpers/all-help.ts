/** What `--help` prints, of the program and of each command below it. */
import { runCli } from '../../src/hosts/cli/program.ts';

async function helpOf(command: readonly string[]): Promise<string> {
  let out = '';
  await runCli(
    [...command, '--help'],
    {
      env: {},
      cwd: process.cwd(),
      out: (text: string) => void (out += text),
      err: () => undefined,
      isTty: false,
      columns: 100,
      readStdin: () => Promise.resolve(''),
      stopped: () => Promise.resolve('SIGTERM'),
    },
    '0.0.0',
  );
  return out;
}

export async function readAllHelp(command: readonly string[] = []): Promise<string> {
  const own = await helpOf(command);
  const [, list = ''] = /\nCommands:\n([\s\S]*?)(?:\n\n|$)/.exec(own) ?? [];
  const names = [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name);
  const below = names
    .filter((name) => name !== 'help')
    .map((name) => readAllHelp([...command, name]));
  return [own, ...(await Promise.all(below))].join('\n');
}
