/** `quorum announce`: one announcement, by the routes of the repository's configuration. */
import path from 'node:path';
import { isFine, sendAnnouncement, type Told } from '../../announce/send-announcement.ts';
import { filled, readApiUrl } from '../../environment/host-settings.ts';
import { checkConfigIn } from '../check-config.ts';
import { createBasics } from '../basics.ts';
import { usageError } from '../report-failure.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import type { AnnounceFlags } from './announce-command.ts';
import { findConfig } from './config-command.ts';

interface Asked {
  event: string;
  text: string;
  flags: AnnounceFlags;
}

export async function announceAtTerminal(asked: Asked, io: Io): Promise<ExitCode> {
  const { event, text, flags } = asked;
  const dir = path.resolve(io.cwd, flags.dir);
  const { config } = await checkConfigIn(dir, await findConfig(dir));
  const basics = { ...createBasics(io, { to: 'err' }), env: io.env };
  const { isPrivate, told } = await sendAnnouncement(
    {
      event,
      text,
      repository: toRepository(flags, io),
      number: toNumber(flags.number),
      title: flags.title,
      apiUrl: readApiUrl(io.env),
      token: filled(io.env['GITHUB_TOKEN']),
      config,
      key: `terminal/${basics.random.id()}`,
      isDry: flags.dryRun === true,
    },
    basics,
  );
  if (flags.json === true) outJson(io, { ok: isFine(told), private: isPrivate, channels: told });
  else io.out(render(told, isPrivate));
  return isFine(told) ? EXIT.ok : EXIT.failure;
}

function render(told: readonly Told[], isPrivate: boolean): string {
  if (told.length > 0)
    return told
      .map(({ channel, outcome, reason, text }) => {
        const why = reason === undefined ? '' : `: ${reason}`;
        return `${channel} (${outcome}${why})\n${text}\n`;
      })
      .join('\n');
  const why = isPrivate ? ' The repository is private, or GitHub did not say.' : '';
  return `No channel announces this: see \`channels\` in .github/quorum.yml.${why}\n`;
}

function toRepository(flags: AnnounceFlags, io: Io): string {
  const repository = flags.repo ?? filled(io.env['GITHUB_REPOSITORY']) ?? '';
  if (/^[\w.-]+\/[\w.-]+$/.test(repository)) return repository;
  throw usageError('repository-invalid', 'Write --repo owner/name.');
}

function toNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw usageError('thread-invalid', `--number is ${text}; the number of an issue is expected.`);
}
