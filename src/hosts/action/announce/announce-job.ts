/** Announces something in the channels that the repository names: the code of `quorum announce`, in one job without a model. */
import * as core from '@actions/core';
import { readConfig } from '../../../act/recover/read-config.ts';
import { valueDigest } from '../../../domain/persona/digest.ts';
import { ConfigError, RefusedError } from '../../../domain/event/errors.ts';
import { codeBlock, codeSpan } from '../../../domain/text/code-span.ts';
import { isFine, sendAnnouncement, type Told } from '../../announce/send-announcement.ts';
import { openModelFreePorts } from '../job/model-free-ports.ts';
import { numberInput, type Inputs } from '../job/read-inputs.ts';
import { summarise, type Job } from '../run-action.ts';

const MAX_NUMBER = 999_999_999;
/** Channels shorten it further. */
const MAX_TEXT = 2_000;

export async function announceJob({ inputs, basics, context }: Job): Promise<void> {
  const number = numberInput(inputs, 'number', { most: MAX_NUMBER });
  const text = inputs['text'] ?? '';
  if (text.length > MAX_TEXT)
    throw new ConfigError({
      code: 'action-input-invalid',
      message: `The input \`text\` has ${text.length} characters. Use at most ${MAX_TEXT}.`,
    });
  const { repository, apiUrl, token, workflowRun } = context;
  const config = await readOwnConfig(basics, context);
  if (!config.enabled)
    throw new RefusedError({
      code: 'switched-off',
      message: 'Nothing was announced. Quorum is switched off here (`enabled: false`).',
    });
  const title = inputs['title'] ?? '';
  const { isPrivate, told } = await sendAnnouncement(
    {
      event: inputs['event'] ?? '',
      text,
      repository: `${repository.owner}/${repository.repo}`,
      number,
      title: title === '' ? undefined : title,
      apiUrl,
      token,
      config,
      key: announcementKey(workflowRun, inputs),
      isAgain: true,
      isDry: inputs['dry-run'] === 'true',
    },
    basics,
  );
  core.setOutput('sent', String(told.filter(({ outcome }) => outcome === 'sent').length));
  await summarise(render(told, isPrivate));
  if (!isFine(told)) core.setFailed('A channel refused the announcement.');
}

/** A rerun announces nothing twice, and two steps of one run each announce their own. */
function announcementKey(workflowRun: string, inputs: Inputs): string {
  const said = ['event', 'number', 'title', 'text'].map((name) => inputs[name] ?? '');
  return `actions/${workflowRun}/${valueDigest(said).slice(0, 16)}`;
}

/** From the default branch: a branch under review cannot choose another channel. */
async function readOwnConfig(
  basics: Job['basics'],
  context: Job['context'],
): Promise<Awaited<ReturnType<typeof readConfig>>> {
  const opened = await openModelFreePorts(basics, context);
  try {
    return await readConfig(context.repository, opened);
  } finally {
    await opened.close();
  }
}

function render(told: readonly Told[], isPrivate: boolean): string {
  const why = isPrivate
    ? 'The repository is private, or GitHub did not say, and no private channel announces this.'
    : 'No channel announces this. See `channels` in `.github/quorum.yml`, and set the tokens of the channel.';
  if (told.length === 0) return `### Quorum: nothing announced\n\n${why}\n`;
  const parts = told.map(({ channel, outcome, reason, text }) => {
    const because = reason === undefined ? '' : `: ${codeSpan(reason)}`;
    return `#### ${channel}: ${outcome}${because}\n\n${codeBlock(text)}\n`;
  });
  return ['### Quorum: announcement', '', ...parts].join('\n');
}
