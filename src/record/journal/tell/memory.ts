/** Memory in a journal: what was learned, what was proposed, and what people made of it (CB-11). */
import * as z from 'zod';
import { describeOperation } from '../../../domain/memory/role/role-memory.ts';
import type { RoleOperation } from '../../../domain/memory/role/role-memory.ts';
import { quoteCode, inLine } from '../quote.ts';
import type { Done, Scene, Told } from './scene.ts';

const MOST_LINES = 10;

/** What a reflection or a command did to memory. Uses that are only counted tell nothing. */
export function tellRemembered({ effectId, result }: Done<'remember'>, scene: Scene): Told[] {
  const wanted = scene.effects.get(effectId);
  if (wanted?.kind !== 'remember') return [];
  const { kind } = wanted.change;
  const told = headOf(wanted.change);
  const { entries, removed } = result;
  const count = kind === 'reject' || kind === 'forget' ? removed.length : entries.length;
  if (told === undefined || count === 0) return [];
  const by = wanted.authority === undefined ? '' : ` by ${quoteCode(wanted.authority.user.login)}`;
  const lines = entries.map(
    ({ persona, text, state }) =>
      `${quoteCode(persona)}: ${inLine(text, scene.rules)}${state === 'quarantined' ? ' (waits for an approval)' : ''}`,
  );
  const head = `**${told}**${by}${entries.length === 0 ? `: ${count} ${count === 1 ? 'note' : 'notes'}` : ''}.`;
  return [{ kind: 'memory', text: head, ...listed(lines) }];
}

type Changed = Extract<NonNullable<ReturnType<Scene['effects']['get']>>, { kind: 'remember' }>;

function headOf(change: Changed['change']): string | undefined {
  if (change.kind === 'add' && change.corrects !== undefined)
    return `Answer ${change.corrects.number} was corrected`;
  return HEADS[change.kind];
}

const HEADS: Readonly<Partial<Record<Changed['change']['kind'], string>>> = {
  learn: 'The team learned',
  add: 'A note was added',
  approve: 'Notes were approved',
  reject: 'Notes were rejected',
  forget: 'Notes were forgotten',
};

/** The pull request with what a person approved for the files of roles. */
export function tellRoles({ effectId, result }: Done<'open-roles'>, scene: Scene): Told[] {
  const wanted = scene.effects.get(effectId);
  if (wanted?.kind !== 'open-roles') return [];
  const { authority, operations } = wanted;
  const lines = operations.map((each) => inLine(wordsOf(each), scene.rules));
  const opened =
    result.pull === undefined
      ? 'The files say so already.'
      : `Pull request #${result.pull.number} adds it.`;
  const text = `**${quoteCode(authority.user.login)} approved what the PM and the Artist keep in mind.** ${opened}`;
  return [{ kind: 'memory', text, ...listed(lines) }];
}

function wordsOf(operation: RoleOperation): string {
  return operation.op === 'append' ? describeOperation(operation) : operation.text;
}

/** A proposal to write a persona's memory shorter. */
export function tellConsolidation(
  { effectId, result }: Done<'open-consolidation'>,
  scene: Scene,
): Told[] {
  const wanted = scene.effects.get(effectId);
  if (wanted?.kind !== 'open-consolidation' || result.pull === undefined) return [];
  const text = `**Quorum proposed to consolidate the memory of ${quoteCode(wanted.persona)}** in pull request #${result.pull.number}.`;
  return [{ kind: 'memory', text }];
}

const Proposed = z.object({
  operations: z.array(z.object({ op: z.string(), text: z.string() })),
});

/** What the extraction model proposed; undefined for an answer to any other question. */
export function tellProposedRoles(
  { effectId, result }: Pick<Done<'ask'>, 'effectId' | 'result'>,
  scene: Scene,
): Told[] | undefined {
  const effect = scene.effects.get(effectId);
  if (effect?.kind !== 'ask' || effect.purpose !== 'role-memory') return undefined;
  const operations = Proposed.safeParse(result.value).data?.operations ?? [];
  const lines = operations.flatMap(({ op, text }) =>
    op === 'none' ? [] : [inLine(text, scene.rules)],
  );
  if (lines.length === 0) return [];
  return [{ kind: 'memory', text: '**Quorum proposed what to keep in mind.**', ...listed(lines) }];
}

function listed(lines: readonly string[]): Pick<Told, 'lines'> {
  if (lines.length === 0) return {};
  const more = lines.length - MOST_LINES;
  return { lines: more > 0 ? [...lines.slice(0, MOST_LINES), `and ${more} more`] : [...lines] };
}
