/** Sessions of the Coder: a repository, and a person in it, have so many in an hour (CB-16). */

export interface SessionLimits {
  /** `access.codeRunsPerHour` */
  perHour: number;
  /** `access.codeRunsPerUserPerHour` */
  perPersonPerHour: number;
}

/** Whose yes a session rests on, as their account's number. */
export interface SessionWanted {
  by: number;
  limits: SessionLimits;
}

/** One that was allowed. */
export interface Session {
  by: number;
  /** Who asked, and for which of its sessions: asked again, it is this one. */
  ask?: string;
  /** ISO 8601. */
  at: string;
}

export interface SessionWait {
  /** When the next one may begin, ISO 8601. */
  until: string;
  /** For people, with that moment. */
  why: string;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** What still counts, oldest first. */
export function recentSessions(sessions: readonly Session[], now: number): Session[] {
  return sessions.filter(({ at }) => now - Date.parse(at) < HOUR_MS);
}

/** Why none may begin now; undefined when one may. */
export function sessionRefusalReason(
  sessions: readonly Session[],
  { by, limits }: SessionWanted,
  now: number,
): SessionWait | undefined {
  const all = recentSessions(sessions, now);
  const { perHour, perPersonPerHour } = limits;
  const caps = [
    { key: 'codeRunsPerHour', most: perHour, used: all, whose: 'here' },
    {
      key: 'codeRunsPerUserPerHour',
      most: perPersonPerHour,
      used: all.filter((each) => each.by === by),
      whose: 'on one person’s word',
    },
  ].filter(({ most, used }) => used.length >= most);
  const waits = caps.map(({ key, most, used, whose }) => {
    // Where none is allowed at all, somebody may allow one until then.
    const blocking = used.at(-most);
    const from = most === 0 || blocking === undefined ? now : Date.parse(blocking.at);
    const shown = new Date(Math.ceil((from + HOUR_MS) / MINUTE_MS) * MINUTE_MS);
    const count = most === 1 ? 'one session' : `${most} sessions`;
    if (most === 0)
      return {
        until: shown.toISOString(),
        why: `no session of the Coder is allowed ${whose} (\`access.${key}: 0\`)`,
      };
    const why = `the Coder has at most ${count} in an hour ${whose} (\`access.${key}\`): the next may begin at ${shown.toISOString().slice(11, 16)} UTC`;
    return { until: shown.toISOString(), why };
  });
  return waits.toSorted((a, b) => Date.parse(b.until) - Date.parse(a.until))[0];
}
