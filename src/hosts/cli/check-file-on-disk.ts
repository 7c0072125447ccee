/**
 * A discussion or a review in a checkout takes its settings from a commit. What the file on disk says goes into a
 * later commit: nobody may believe that it was used already.
 */
import { findGitRoot, openGitTree } from '../../adapters/local/git-tree.ts';
import { MAX_YAML_BYTES } from '../../domain/config/yaml.ts';
import { checkConfigIn } from './check-config.ts';
import { findConfig } from './commands/config-command.ts';
import { refuseBrokenConfig } from './refuse-broken-config.ts';
import type { Io } from './terminal/io.ts';

/**
 * Refuses a broken file before anything is read, and says it on standard error where another one is in force.
 *
 * @param at The commit that the settings come from; HEAD when absent. A folder without a commit is read from disk.
 * @throws ConfigError `config-invalid`, or `ambiguous-config` where there are two files
 */
export async function checkFileOnDisk(
  dir: string,
  { io, at }: { io: Pick<Io, 'err'>; at?: string | undefined },
): Promise<void> {
  const root = (await findGitRoot(dir)) ?? dir;
  const source = await findConfig(root);
  if (source === undefined) return;
  const { problems } = await checkConfigIn(root, source);
  refuseBrokenConfig(problems, 'local');
  const tree = await openGitTree(root, at);
  if (tree === undefined) return;
  const committed = await tree.file(source.file, MAX_YAML_BYTES);
  if (committed && withPlainEnds(committed.text) === withPlainEnds(source.text)) return;
  io.err(
    `Settings come from commit ${tree.headSha.slice(0, 8)}: what ${source.file} says here is not used yet.\n`,
  );
}

/** Git may have changed the line ends at checkout. */
function withPlainEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
