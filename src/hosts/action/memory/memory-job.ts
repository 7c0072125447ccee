/** What a person decides about the team's memory, without the App: one job that writes and asks no model. */
import * as core from '@actions/core';
import { forgetInProposals } from '../../../act/memory/forget-in-proposals.ts';
import { memorySessionOf, parseMemory, toMemoryPlace } from '../../../act/memory/read-memory.ts';
import { readConfig } from '../../../act/recover/read-config.ts';
import { ConfigError, RefusedError } from '../../../domain/event/errors.ts';
import {
  applyChange,
  PERSONAS_FOLDER,
  USES_FILE,
  type ReadyChange,
} from '../../../domain/memory/file/apply-change.ts';
import type { MemoryEntry } from '../../../domain/memory/memory-entry.ts';
import { hasPermission, type Actor } from '../../../domain/run/thread-ref.ts';
import { codeSpan } from '../../../domain/text/code-span.ts';
import { counted } from '../../../domain/text/counted.ts';
import { nearest } from '../../../domain/text/nearest.ts';
import { openModelFreePorts, type ModelFreePorts } from '../job/model-free-ports.ts';
import { listInput, type Inputs } from '../job/read-inputs.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { summarise, type Job } from '../run-action.ts';

const DEEDS = ['list', 'approve', 'reject', 'forget'] as const;
type Deed = (typeof DEEDS)[number];

/** As entries have them. */
const ID = /^[0-9a-f]{10}$/;
const MOST_SHOWN = 50;

export async function memoryJob({ inputs, basics, context }: Job): Promise<void> {
  const deed = DEEDS.find((each) => each === inputs['do']) ?? 'list';
  const ids = idsOf(inputs, deed);
  const opened = await openModelFreePorts(basics, context);
  try {
    const memory = await openMemory(opened, context);
    if (deed === 'list') return await summarise(renderEntries(memory.entries));
    await refuseStranger(opened, context);
    const known = ids.map((id) => findEntry(memory.entries, id, deed));
    const at = new Date(basics.clock.now()).toISOString();
    const changed = await change(memory, { deed, known, at, opened, context });
    core.setOutput('changed', String(changed));
    const lines = known.map(
      ({ id, persona, text }) => `- ${codeSpan(id)} of ${persona}: ${codeSpan(text)}`,
    );
    await summarise(`### Quorum: ${DONE[deed]}\n\n${lines.join('\n')}\n`);
  } finally {
    await opened.close();
  }
}

const DONE: Readonly<Record<Exclude<Deed, 'list'>, string>> = {
  approve: 'the team uses these entries from now on',
  reject: 'these proposals are dropped',
  forget: 'these entries are removed',
};

function idsOf(inputs: Inputs, deed: Deed): string[] {
  const ids = [...new Set(listInput(inputs, 'ids', ID))];
  if (deed === 'list' || ids.length > 0) return ids;
  throw new ConfigError({
    code: 'action-input-invalid',
    message: `The input \`ids\` is missing. Name the entries to ${deed}; \`do: list\` shows them.`,
  });
}

interface OpenedMemory {
  session: NonNullable<ReturnType<typeof memorySessionOf>>;
  place: ReturnType<typeof toMemoryPlace>;
  entries: readonly MemoryEntry[];
}

async function openMemory(
  opened: ModelFreePorts,
  { repository }: WorkflowContext,
): Promise<OpenedMemory> {
  const config = await readConfig(repository, opened);
  const session = memorySessionOf(opened.github.at(repository));
  if (session === undefined || !config.enabled || !config.memory.enabled)
    throw new RefusedError({
      code: 'switched-off',
      message: 'Memory is switched off here (`memory.enabled`): nothing is read or written.',
    });
  const place = toMemoryPlace(repository, config);
  const { files } = await session.memory.read(place, { paths: [PERSONAS_FOLDER, USES_FILE] });
  const today = new Date(opened.ports.clock.now()).toISOString().slice(0, 10);
  return { session, place, entries: parseMemory(files, today).entries };
}

/** Who may start a workflow may write; a role that was taken away since, or a bot, may not. */
async function refuseStranger(
  { github }: ModelFreePorts,
  { sender, repository }: WorkflowContext,
): Promise<void> {
  const held = sender.isBot ? 'none' : await roleOf(sender, { github, repository });
  if (hasPermission(held, 'write')) return;
  throw new RefusedError({
    code: 'no-write-access',
    message: `${sender.login} needs the write role to change the memory, and has ${held}.`,
  });
}

function roleOf(
  sender: Actor,
  { github, repository }: Pick<ModelFreePorts, 'github'> & Pick<WorkflowContext, 'repository'>,
) {
  return github.at(repository).read.permission(repository, sender);
}

function findEntry(entries: readonly MemoryEntry[], id: string, deed: Deed): MemoryEntry {
  const found = entries.find((entry) => entry.id === id);
  if (found === undefined) {
    const meant = nearest(
      id,
      entries.map((entry) => entry.id),
    );
    const hint = meant === undefined ? '' : ` Did you mean \`${meant}\`?`;
    throw new ConfigError({
      code: 'memory-unknown',
      message: `Nothing was changed. No entry has the id ${id}.${hint}`,
    });
  }
  // A forged line may have the id of another one. Both can be removed.
  if (deed !== 'forget' && entries.some((entry) => entry.id === id && entry !== found))
    throw new ConfigError({
      code: 'action-input-invalid',
      message: `Nothing was changed. Several entries have the id ${id}. Set \`do: forget\` to remove them, or edit the memory branch.`,
    });
  // An approved lesson is removed by its own word, so that nobody drops one by a slip.
  if (deed === 'reject' && found.state !== 'quarantined')
    throw new ConfigError({
      code: 'action-input-invalid',
      message: `Nothing was changed. ${id} is in use. Set \`do: forget\` to remove it.`,
    });
  return found;
}

interface Changing {
  deed: Exclude<Deed, 'list'>;
  known: readonly MemoryEntry[];
  at: string;
  opened: ModelFreePorts;
  context: WorkflowContext;
}

/** Returns how many entries differ now. */
async function change(
  { session, place }: OpenedMemory,
  { deed, known, at, opened, context }: Changing,
): Promise<number> {
  const who = context.sender.login;
  const ids = known.map(({ id }) => id);
  const shown = Object.fromEntries(known.map(({ id, text }) => [id, text]));
  const message = `${deed} ${counted(ids.length, 'entry').replace('entrys', 'entries')} for ${who}`;
  const changes: ReadyChange[] =
    deed === 'forget'
      ? ids.map((id) => ({ kind: 'forget', target: { kind: 'entry', id } }))
      : [deed === 'approve' ? { kind: deed, ids, shown } : { kind: deed, ids }];
  for (const each of changes)
    if (each.kind === 'forget') {
      const thread = { ...context.repository, number: 0 };
      await forgetInProposals(each, { thread, place, at, message }, opened.ports);
    }
  let changed = 0;
  await session.memory.update(place, {
    paths: [PERSONAS_FOLDER, USES_FILE],
    message,
    change: (files) => {
      const after = new Map(files);
      changed = 0;
      for (const each of changes) {
        const applied = applyChange(after, each, at);
        for (const [path, text] of applied.files) after.set(path, text);
        changed += applied.entries.length + applied.removed.length;
      }
      return new Map([...after].filter(([path, text]) => files.get(path) !== text));
    },
  });
  return changed;
}

function renderEntries(entries: readonly MemoryEntry[]): string {
  const proposed = entries.filter(({ state }) => state === 'quarantined');
  const shown = [...proposed, ...entries.filter(({ state }) => state !== 'quarantined')];
  const rows = shown
    .slice(0, MOST_SHOWN)
    .map(({ id, persona, state, text }) => `| \`${id}\` | ${persona} | ${state} | ${cell(text)} |`);
  const left = shown.length - rows.length;
  return [
    `### Quorum: ${counted(entries.length, 'entry').replace('entrys', 'entries')}, ${proposed.length} to decide`,
    '',
    ...(rows.length === 0 ? [] : ['| Id | Persona | State | Says |', '| --- | --- | --- | --- |']),
    ...rows,
    ...(left === 0 ? [] : ['', `${left} more are on the memory branch.`]),
    '',
  ].join('\n');
}

function cell(text: string): string {
  return codeSpan(text).replaceAll('|', String.raw`\|`);
}
