/** Which sources get mutants, and which tests have to notice them. */
import { PURE_TESTS } from './pure-tests.ts';

export interface Scope {
  isIn: (file: string) => boolean;
  tests: readonly string[];
}

const CORE = ['src/decide/', 'src/policy/', 'src/act/'];

/** Who may, what must hold, and what must not get out: access, gates, approval, redaction, quarantine. */
const GUARDS = [
  'src/policy/',
  'src/domain/gates/',
  'src/domain/secrets/',
  'src/domain/prompt/',
  'src/domain/plan/approval.ts',
  'src/domain/text/invisible.ts',
  'src/domain/text/clean-output.ts',
  'src/events/may-address.ts',
  'src/decide/plan/approval/settle-approval.ts',
  'src/decide/talk/guards/',
  'src/act/refuse-overtaken.ts',
  'src/act/task/gates.ts',
  'src/act/model/check-caps.ts',
];

const GUARD_TESTS = [
  'test/policy',
  'test/domain',
  'test/events',
  'test/act',
  'test/decide/plan',
  'test/decide/talk/guards',
];

export const SCOPES: Readonly<Record<string, Scope>> = {
  core: { isIn: startsIn(CORE), tests: PURE_TESTS },
  // Nearly every test passes by a guard: only those about guards are asked, or each survivor would cost minutes.
  guards: { isIn: startsIn(GUARDS), tests: GUARD_TESTS },
};

function startsIn(places: readonly string[]): (file: string) => boolean {
  return (file) => places.some((place) => file.startsWith(place));
}

/** 97.5 % of samples as good as this one come from a whole that is at least so good. */
const Z = 1.96;

/** The lower end of Wilson's interval for a share: what a sample proves of the whole. */
export function lowerBound(hits: number, count: number): number {
  if (count === 0) return 0;
  const share = hits / count;
  const square = Z ** 2;
  const centre = share + square / (2 * count);
  const spread = Z * Math.sqrt((share * (1 - share)) / count + square / (4 * count ** 2));
  return (centre - spread) / (1 + square / count);
}
