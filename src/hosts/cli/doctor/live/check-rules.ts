/** What the default branch asks of a change, and who owns its files: where a task could wait for ever. */
import { z } from 'zod';
import { CODEOWNERS_FILES, teamsIn } from '../../../../domain/codeowners.ts';
import type { Finding } from '../finding.ts';
import type { Live } from './check-live.ts';

const Rules = z.array(
  z.object({
    type: z.string(),
    parameters: z
      .object({ required_status_checks: z.array(z.object({ context: z.string() })).optional() })
      .optional(),
  }),
);

const about = 'rules of the default branch';

export async function checkRules(live: Live): Promise<Finding[]> {
  return [...(await readRules(live)), ...(await checkOwners(live))];
}

async function readRules({ ask, ref, defaultBranch, grant }: Live): Promise<Finding[]> {
  const branch = encodeURIComponent(defaultBranch);
  const { status, data } = await ask(`/repos/${ref.owner}/${ref.repo}/rules/branches/${branch}`);
  const message = z.object({ message: z.string() }).safeParse(data).data?.message ?? '';
  if (status === 403 && message.startsWith('Upgrade to GitHub'))
    return [{ level: 'ok', about, says: "none: the account's plan has no rules" }];
  const rules = Rules.safeParse(data).data;
  if (status !== 200 || rules === undefined) {
    const fix = 'Nothing is merged while the rules are unknown. Check the permissions of the App.';
    return [{ level: 'warn', about, says: `they could not be read (${status})`, fix }];
  }
  const types = new Set(rules.map(({ type }) => type));
  const checks = rules.flatMap(({ parameters }) => parameters?.required_status_checks ?? []);
  const required = checks.map(({ context }) => context).join(', ');
  return [
    {
      level: 'ok',
      about,
      says: `${[...types].join(', ') || 'none'}${required === '' ? '' : `; requires ${required}`}`,
    },
    ...(types.has('merge_queue') && !grant.events.includes('merge_group') ? [QUEUE] : []),
  ];
}

const QUEUE: Finding = {
  level: 'warn',
  about: 'merge queue',
  says: 'the branch has one, and the App does not receive merge_group events',
  fix: 'Accept the permission merge_queues: read, or require no check of Quorum.',
};

async function checkOwners({ github, ref, headSha, grant }: Live): Promise<Finding[]> {
  if (headSha === '') return [];
  const wanted = { paths: CODEOWNERS_FILES, maxBytes: 100_000 };
  const files = await github.at(ref).read.files(ref, headSha, wanted);
  const teams = [...new Set(files.flatMap(({ text }) => teamsIn(text)))];
  const mayAsk = grant.permissions['members'] !== undefined;
  if (teams.length === 0 || mayAsk) return [];
  const says = `names ${teams.length} teams, which the App may not ask: ${teams.slice(0, 5).join(', ')}`;
  const fix = 'Grant the optional permission members: read, or ask the teams yourselves.';
  return [{ level: 'warn', about: 'CODEOWNERS', says, fix }];
}
