/** Which point of view a persona takes: the default team by handle, anybody else by role, lens and domains. */
import type { OfflineBrief } from '../../../domain/run/evidence.ts';
import type { Signal } from '../../../domain/review/signal.ts';

export type View =
  'security' | 'quality' | 'implementation' | 'architecture' | 'product' | 'general';

type Judge = OfflineBrief['persona'];

const BY_HANDLE: Readonly<Record<string, View>> = {
  maya: 'security',
  priya: 'quality',
  dev: 'implementation',
  carlos: 'architecture',
  sasha: 'product',
};

/** In order: a security architect is first of all a security reviewer. */
const BY_WORDS: readonly (readonly [View, RegExp])[] = [
  ['security', /\b(?:security|auth|threat|injection|supply chain|vulnerab)/i],
  ['quality', /\b(?:qa|quality|tests?|testing|edge cases|regression|accessib)/i],
  ['architecture', /\b(?:architect|lead|consistency|scope|design)/i],
  ['product', /\b(?:product|plan|user value|customer|message|strategy|cost|market)/i],
  ['implementation', /\b(?:implement|developer|engineer|coder|executor|code)/i],
];

/** Role first, then lens, then domains: the first that says something decides. */
export function viewOf({ handle, role, lens, domains }: Judge): View {
  const known = Object.hasOwn(BY_HANDLE, handle) ? BY_HANDLE[handle] : undefined;
  if (known !== undefined) return known;
  for (const words of [role, lens, domains.join(' ')]) {
    const found = BY_WORDS.find(([, pattern]) => pattern.test(words));
    if (found !== undefined) return found[0];
  }
  return 'general';
}

/** Whether a signal is this persona's business: by handle, by point of view, or by a domain of its own. */
export function isOwn(signal: Signal, persona: Judge): boolean {
  const view = viewOf(persona);
  if (view === 'general') return signal.severity !== 'info';
  const domains = `${persona.lens} ${persona.domains.join(' ')}`.toLowerCase();
  return signal.concerns.some(
    (concern) =>
      concern === persona.handle ||
      concern === view ||
      ((concern === 'accessibility' || concern === 'docs') &&
        domains.includes(concern.slice(0, 4))),
  );
}
