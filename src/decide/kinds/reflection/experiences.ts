/** What a run was like for its voices, from what was recorded of it: no model is asked (TG-16). */
import type { ReflectedVoice, ReflectionMaterial } from '../../../domain/memory/reflection.ts';
import type { ExperienceKind, NewExperience } from '../../../domain/memory/self/experience.ts';
import type { LedgerFinding } from '../../../domain/review/review.ts';
import type { Contribution } from '../../../domain/run/council.ts';
import { isDiscussionRun } from '../../../domain/run/state/run-record.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { ThreadState } from '../../run/thread-context.ts';

export interface Lived {
  persona: string;
  experience: NewExperience;
}

/** One that happened in this run has its id; one about a finding has the finding's, so that it is recorded once. */
type Happening = { persona: string; kind: ExperienceKind; about?: string; text: string };

export function experiencesOf(
  { runs, ledger }: Pick<ThreadState, 'runs' | 'ledger'>,
  { number }: Pick<ThreadRef, 'number'>,
  material: ReflectionMaterial,
): Lived[] {
  const { run, author, trust, voices } = material;
  const reflected = Object.values(runs).find(({ id }) => id === run);
  const contributions =
    reflected !== undefined && isDiscussionRun(reflected) ? reflected.contributions : [];
  const happenings = [
    ...voices.flatMap((voice) => inVoice(voice, material)),
    ...inContributions(contributions),
    ...(ledger?.findings ?? []).flatMap(inFinding),
  ];
  return happenings.map(({ persona, kind, about, text }) => {
    const id = `${about ?? run}/${kind}`;
    const source = { thread: number, run, ...(author && { author }) };
    return { persona, experience: { id, kind, ...source, trust, text } };
  });
}

function inVoice(
  { handle: persona, vote, line }: ReflectedVoice,
  { answered, author }: ReflectionMaterial,
): Happening[] {
  const happenings: Happening[] = [];
  if (answered !== undefined) {
    const text = `Asked: ${answered.question} ${answered.by} answered: ${answered.words ?? ''}`;
    happenings.push({ persona, kind: 'owner_guidance', text: text.trim() });
  }
  if (vote === 'HUMAN') happenings.push({ persona, kind: 'question_emerged', text: line });
  if (author !== undefined)
    happenings.push({ persona, kind: 'connection_formed', text: `Worked with ${author.login}` });
  return happenings;
}

function inContributions(contributions: readonly Contribution[]): Happening[] {
  return Object.entries(Object.groupBy(contributions, ({ handle }) => handle)).flatMap(
    ([persona, own = []]): Happening[] => {
      const votes = own.flatMap(({ position }) => position ?? []);
      const [first] = votes;
      const last = votes.at(-1);
      if (first === undefined)
        return own.some(({ outcome }) => outcome === 'skipped')
          ? [{ persona, kind: 'chose_silence', text: 'Had nothing to add' }]
          : [];
      if (last === undefined || last.vote === first.vote) return [];
      const text = `Voted ${first.vote}, and after hearing the others ${last.vote}: ${last.line}`;
      return [{ persona, kind: 'saw_perspective', text }];
    },
  );
}

/** Of one in the ledger: fixed and so of help, dismissed, or raised by others as well. */
function inFinding({ finding, status, why }: LedgerFinding): Happening[] {
  const { personas, title, path, fingerprint: about } = finding;
  const text = `${title} (${path})`;
  const isShared = personas.length > 1;
  return personas.flatMap((persona): Happening[] => [
    ...(status === 'fixed' ? [{ persona, kind: 'helped_someone' as const, about, text }] : []),
    ...(status === 'dismissed' || status === 'refuted'
      ? [{ persona, kind: 'was_challenged' as const, about, text: `${text}: ${why ?? status}` }]
      : []),
    ...(isShared ? [{ persona, kind: 'idea_resonated' as const, about, text }] : []),
  ]);
}
