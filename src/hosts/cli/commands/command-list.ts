/** `quorum command list`: the `/pm` commands, who may use them, and where. */
import type { CommandEntry, CommandPlace } from '../../../domain/commands/command.ts';
import { COMMANDS } from '../../../domain/commands/registry.ts';
import { resolveConfig } from '../../../domain/config/config-file.ts';
import { requiredPermission, type Config } from '../../../domain/config/config.ts';
import type { Permission } from '../../../domain/run/thread-ref.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { createPaint } from '../terminal/paint.ts';
import { renderTable } from '../terminal/table.ts';
import { findConfig } from './config-command.ts';

/** One command as the CLI prints it (spec 13). */
interface ListedCommand {
  name: string;
  usage: string;
  summary: string;
  /** Role that it needs in this repository. */
  permission: Permission;
  places: readonly ('issue' | 'pull')[];
  destructive: boolean;
  /** False while nothing carries it out. */
  available: boolean;
}

const PLACES: Readonly<Record<CommandPlace, ListedCommand['places']>> = {
  thread: ['issue', 'pull'],
  issue: ['issue'],
  pull: ['pull'],
  plan: ['issue'],
};

/** Lists what works today; with `all`, also what is to come. */
export async function listCommands(
  options: { json?: true; all?: true },
  io: Io,
): Promise<ExitCode> {
  const source = await findConfig(io.cwd);
  const { access } = resolveConfig(source === undefined ? [] : [source]).config;
  const listed = COMMANDS.map((entry) => toListed(entry, access)).filter(
    ({ available }) => available || options.all === true,
  );
  if (options.json === true) outJson(io, listed);
  else io.out(renderList(listed, io));
  return EXIT.ok;
}

function toListed(entry: CommandEntry, access: Config['access']): ListedCommand {
  const { name, usage, summary, destructive } = entry;
  const permission = requiredPermission(access, name, entry.kind);
  const places = PLACES[entry.where];
  return { name, usage, summary, permission, places, destructive, available: entry.built };
}

function renderList(listed: readonly ListedCommand[], io: Io): string {
  const { bold, dim } = createPaint(io);
  const rows = listed.map(({ usage, permission, summary, available }) => [
    usage,
    permission,
    available ? summary : dim(`${summary} (not available yet)`),
  ]);
  return renderTable([['command', 'needs', 'does'].map(bold), ...rows], { columns: io.columns });
}
