/** Reactions in place of words: from a pool for each role, in what each platform offers (NW-12). */

export type Platform = 'github' | 'slack';
type Mood = 'thanks' | 'agree' | 'done' | 'seen';

/** GitHub knows eight reactions, Slack thousands. */
const NAMES: Readonly<Record<Platform, Readonly<Record<Mood, readonly string[]>>>> = {
  github: {
    thanks: ['heart', '+1', 'hooray'],
    agree: ['+1', 'rocket'],
    done: ['rocket', 'hooray'],
    seen: ['eyes', '+1'],
  },
  slack: {
    thanks: ['heart', 'raised_hands', 'blush'],
    agree: ['+1', '100'],
    done: ['rocket', 'white_check_mark'],
    seen: ['eyes', '+1'],
  },
};

/** Words of a role, and how far along its pool such a role begins: reserved people do not send hearts. */
const RESERVED = /security|qa|quality|test|lead|architect|cfo|finance|critic|devil/i;

/** Picks a reaction. `chance` is from 0 to 1. */
export function pickReaction(
  role: string,
  mood: Mood,
  { platform, chance }: { platform: Platform; chance: number },
): string {
  const pool = NAMES[platform][mood];
  const fitting = RESERVED.test(role) && pool.length > 2 ? pool.slice(1) : pool;
  return fitting[Math.min(fitting.length - 1, Math.floor(chance * fitting.length))] ?? 'eyes';
}
