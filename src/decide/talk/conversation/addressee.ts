/** Who of the team is being spoken to (NW-11). */
import type { Persona } from '../../../domain/persona/persona.ts';
import { findLead, resolvePersona } from '../../../domain/persona/roster.ts';
import { spokenSentences } from './spoken.ts';

export type AddressedHow = 'handle' | 'consult' | 'name' | 'last-speaker' | 'lead';

export type Addressee =
  | {
      kind: 'persona';
      handle: string;
      how: AddressedHow;
      /** Others who were named too, in the order of the text. */
      others: readonly string[];
    }
  | { kind: 'nobody'; reason: 'not-addressed' | 'unknown-persona' | 'nobody-active' };

/** What calling somebody takes. */
export type Nameable = Pick<Persona, 'handle' | 'name' | 'active'>;

/** One of our personas that spoke in this thread. */
export interface Voice {
  handle: string;
  at: number;
}

export interface SpokenTo {
  text: string;
  at: number;
  /** On GitHub silence is the rule; in a chat somebody always answers. */
  place: 'github' | 'chat';
  /** The active team. */
  personas: readonly Persona[];
  /** The App's own name, as in `@quorum`. */
  appName: string;
  /** Of this thread, from its own comments. */
  voices: readonly Voice[];
  /** The first argument of `/pm consult`, when that is what was written; any other `/pm` counts as the App. */
  command?: { consult: string } | 'other' | undefined;
}

/** A persona goes on being spoken to for so long after it spoke. */
const REMEMBERED_MS = 3_600_000;

/** Decides who answers: named by handle, consulted, named in plain words, the last to speak, then the lead. */
export function findAddressee(spoken: SpokenTo): Addressee {
  const { text, personas, command, place } = spoken;
  const sentences = spokenSentences(text);
  const byHandle = mentioned(sentences, personas);
  if (byHandle.length > 0) return toAddressee(byHandle, 'handle');
  if (typeof command === 'object') return consulted(command.consult, personas);
  const byName = namedIn(sentences, personas);
  if (byName.length > 0) return toAddressee(byName, 'name');
  const isToApp = command !== undefined || mentionsApp(sentences, spoken.appName);
  if (place === 'github' && !isToApp) return { kind: 'nobody', reason: 'not-addressed' };
  const last = lastVoice(spoken);
  if (last !== undefined) return toAddressee([last], 'last-speaker');
  const lead = findLead(personas, 'chat_message');
  return lead === undefined
    ? { kind: 'nobody', reason: 'nobody-active' }
    : toAddressee([lead.handle], 'lead');
}

/** Handles of everybody a text speaks to, by handle or by name, without repeats. */
export function addressedIn(text: string, personas: readonly Nameable[]): string[] {
  const sentences = spokenSentences(text);
  return [...new Set([...mentioned(sentences, personas), ...namedIn(sentences, personas)])];
}

function toAddressee([handle = '', ...others]: readonly string[], how: AddressedHow): Addressee {
  return { kind: 'persona', handle, how, others };
}

function consulted(wanted: string, personas: readonly Persona[]): Addressee {
  const persona = resolvePersona(personas, wanted.replace(/[,:]$/, ''));
  return persona === undefined
    ? { kind: 'nobody', reason: 'unknown-persona' }
    : toAddressee([persona.handle], 'consult');
}

const MENTION = /(?<![\w@/.-])@([a-z][a-z0-9-]{0,38})(?:\[bot\])?(?![\w/@-]|\.\w)/gi;

function mentionsIn(sentences: readonly string[]): string[] {
  return sentences.flatMap((sentence) =>
    Array.from(sentence.matchAll(MENTION), (match) => (match[1] ?? '').toLowerCase()),
  );
}

function mentioned(sentences: readonly string[], personas: readonly Nameable[]): string[] {
  const active = new Set(personas.filter(({ active: is }) => is).map(({ handle }) => handle));
  return [...new Set(mentionsIn(sentences).filter((handle) => active.has(handle)))];
}

function mentionsApp(sentences: readonly string[], appName: string): boolean {
  return mentionsIn(sentences).includes(appName.toLowerCase().replace(/\[bot\]$/, ''));
}

const GREETING = String.raw`(?:(?:hi|hey|hello|ok|okay|so|and|but|thanks|hola|salut|hallo|ciao|olá),?\s+)?`;
/** What follows a name that is called, and not only talked about: "Maya is right" calls nobody. */
const CALLED = String.raw`(?:\s*[,:?!]|\s+[-\u2013\u2014]\s|$|\s+(?:(?:can|could|would|will|do|did|are|have|should)\s+you|what|why|how|when|where|who|which|please|any\s+(?:thoughts|ideas?|objections?)|thoughts)(?!\w))`;

function namedIn(sentences: readonly string[], personas: readonly Nameable[]): string[] {
  const found = sentences.flatMap((sentence) =>
    personas
      .filter((persona) => persona.active && calls(sentence, persona.name))
      .map(({ handle }) => handle),
  );
  return [...new Set(found)];
}

/** The name as it is written, capitals included: several names are common words. */
function calls(sentence: string, name: string): boolean {
  const greeting = new RegExp(`^${GREETING}`, 'i').exec(sentence)?.[0] ?? '';
  const rest = sentence.slice(greeting.length);
  return rest.startsWith(name) && new RegExp(`^${CALLED}`, 'i').test(rest.slice(name.length));
}

function lastVoice({ voices, personas, at }: SpokenTo): string | undefined {
  const active = new Set(personas.filter(({ active: is }) => is).map(({ handle }) => handle));
  return voices
    .filter((voice) => active.has(voice.handle) && voice.at <= at && at - voice.at <= REMEMBERED_MS)
    .toSorted((a, b) => a.at - b.at)
    .at(-1)?.handle;
}
