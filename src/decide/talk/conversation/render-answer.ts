/** A persona's answer as people read it: its words made harmless and plain, what they rest on, one small footer. */
import { cleanOutput } from '../../../domain/text/clean-output.ts';
import { humanize } from '../../../domain/persona/humanize.ts';
import { sumCost, type ModelCall } from '../../../domain/run/ledger.ts';
import type { ShownNote } from '../../../domain/memory/recall/recalled.ts';
import type { Talk, TalkAnswer } from '../../../domain/run/talk.ts';
import { usedLine } from '../../run/used-notes.ts';
import { asCode, money } from '../../run/command-context.ts';
import { findMissed, renderMissed } from '../../run/missed-model.ts';

/** Something an answer rests on: it was read, or it is only named and not shown. */
export interface Reference {
  label: string;
  /** Path below the repository's address. */
  link: string;
}

/** Keeps what truly was before the model: a place that nobody read is no reference. */
export function toReferences(answer: TalkAnswer, seen: Talk['seen']): Reference[] {
  if (seen === undefined) return [];
  const found = answer.references.flatMap(({ path, line, endLine, issue }): Reference[] => {
    if (issue !== undefined && seen.issues.includes(issue))
      return [{ label: `#${issue}`, link: `issues/${issue}` }];
    if (path === undefined || !seen.paths.includes(path)) return [];
    const end = endLine === undefined || endLine === line ? '' : `-L${endLine}`;
    const lines = line === undefined ? '' : `#L${line}${end}`;
    const where = path.split('/').map(encodeURIComponent).join('/');
    return [{ label: `${path}${lines}`, link: `blob/${seen.headSha}/${where}${lines}` }];
  });
  return [...new Map(found.map((each) => [each.label, each])).values()];
}

export interface Shown {
  text: string;
  references: readonly Reference[];
  /** Notes of memory that it rests on. */
  used?: readonly ShownNote[];
  talk: Talk;
  persona: Talk['team'][number] | undefined;
  /** How many answers it gave here before. */
  answersBefore: number;
  calls: readonly ModelCall[];
  now: number;
}

export function renderAnswer(shown: Shown): string {
  const { text, references, used = [], talk, persona, answersBefore } = shown;
  const { thread, host } = talk;
  const { owner, repo } = thread;
  const spoken = humanize(text, {
    place: 'github',
    emoji: persona?.emoji ?? 'never',
    counter: { messages: answersBefore },
  });
  const { text: clean } = cleanOutput(spoken.text, { repository: `${owner}/${repo}`, host });
  const rests = references.map(({ label, link }) =>
    label.startsWith('#') ? label : `[${asCode(label)}](/${owner}/${repo}/${link})`,
  );
  const parts = [
    renderMissed(findMissed(shown.calls), 'ask again'),
    bluntCommands(clean.trim()),
    rests.length === 0 ? '' : `Rests on ${rests.join(', ')}.`,
    used.map((note) => `- ${usedLine(note)}`).join('\n'),
    footer(shown),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** No line that Quorum writes begins with a command. */
function bluntCommands(text: string): string {
  return text.replaceAll(
    /^(\s{0,8})(\/pm\b[^\n]*)/gim,
    (_, space: string, rest: string) => `${space}${asCode(rest, 300)}`,
  );
}

function footer({ talk, persona, calls, now }: Shown): string {
  const { usd, isPartlyUnknown } = sumCost(calls);
  const seconds = Math.max(0, Math.round((now - Date.parse(talk.startedAt)) / 1000));
  const isOffline = calls.at(-1)?.provider === 'offline';
  const parts = [
    persona === undefined
      ? ''
      : `${persona.name} · ${(persona.role.split(/[/(]/)[0] ?? '').trim()}`,
    `${seconds} s`,
    isOffline ? 'offline rules, no model' : money(usd, isPartlyUnknown),
    `answer \`${talk.id}\``,
  ];
  return `<sub>${parts.filter((part) => part !== '').join(' · ')}</sub>`;
}
