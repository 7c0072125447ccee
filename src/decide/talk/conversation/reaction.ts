/** Reactions in place of words: by what the comment says, from a pool of what GitHub offers (NW-12). */
import { ACKNOWLEDGES } from '../guards/circle.ts';

type GitHubReaction = 'heart' | '+1' | 'hooray' | 'rocket' | 'eyes';

/** What a comment that needs no answer says. */
type Mood = 'done' | 'thanks' | 'agree' | 'seen';

/** GitHub knows eight reactions. */
const POOLS: Readonly<Record<Mood, readonly GitHubReaction[]>> = {
  done: ['rocket', 'hooray'],
  thanks: ['heart', '+1', 'hooray'],
  agree: ['+1', 'rocket'],
  seen: ['eyes', '+1'],
};

/** Words of a role, and how far along its pool such a role begins: reserved people do not send hearts. */
const RESERVED = /security|qa|quality|test|lead|architect|cfo|finance|critic|devil/i;

/** In six languages, the most telling first. */
const MOODS: readonly (readonly [Mood, RegExp])[] = [
  [
    'done',
    /(?<!\p{L})(?:done|fixed|merged|shipped|deployed|hecho|arreglado|fusionado|fait|corrigé|fusionné|erledigt|behoben|gemergt|feito|corrigido|fatto|corretto|risolto)(?!\p{L})/iu,
  ],
  [
    'thanks',
    /(?<!\p{L})(?:thanks|thank|thx|ty|cheers|appreciated?|gracias|merci|danke|dankeschön|obrigad[oa]|valeu|grazie)(?!\p{L})/iu,
  ],
  ['agree', ACKNOWLEDGES],
];

/** What a comment that needs no answer says; a goodbye is only seen. */
export function readMood(text: string): Mood {
  return MOODS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'seen';
}

/** Picks a reaction. `chance` is from 0 to 1. */
export function pickReaction(role: string, mood: Mood, chance: number): GitHubReaction {
  const pool = POOLS[mood];
  const fitting = RESERVED.test(role) && pool.length > 2 ? pool.slice(1) : pool;
  return fitting[Math.min(fitting.length - 1, Math.floor(chance * fitting.length))] ?? 'eyes';
}
