/** Which sources get mutants, and which tests have to notice them. */
import { PURE_TESTS } from './pure-tests.ts';

export interface Scope {
  isIn: (file: string) => boolean;
  tests: readonly string[];
  /** Among them, and not asked: they take long, and what they notice others notice. */
  leftOut?: readonly string[];
  /** Tried last on each mutant that they reach, whatever `--files` says. */
  last?: readonly string[];
  /** Which of its mutants may survive: a list beside this file. */
  accepted?: string;
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
  'test/domain/actions.test.ts',
  'test/domain/gates',
  'test/domain/secrets',
  'test/domain/prompt',
  'test/domain/plan',
  'test/domain/text',
  'test/events/called-names.test.ts',
  'test/events/comment-address.test.ts',
  'test/events/may-address.test.ts',
  'test/act/refuse-overtaken.test.ts',
  'test/act/task',
  'test/act/model',
  'test/decide/plan',
  'test/decide/task',
  'test/decide/talk/guards',
];

const SLOW_GUARD_TESTS = [
  'test/act/task/claims.test.ts',
  'test/decide/plan/approval-model.test.ts',
  'test/decide/plan/places.test.ts',
  'test/decide/task/transitions.test.ts',
  'test/decide/talk/guards/simulation.test.ts',
];

export const SCOPES: Readonly<Record<string, Scope>> = {
  core: {
    isIn: startsIn(CORE),
    tests: PURE_TESTS,
    // What was recorded of whole stories notices what the tests next to a source do not ask.
    last: ['test/walks/tapes.test.ts', 'test/walks/walks.test.ts'],
  },
  // Nearly every test passes by a guard: only those about guards are asked, or each survivor would cost minutes.
  guards: {
    isIn: startsIn(GUARDS),
    tests: GUARD_TESTS,
    leftOut: SLOW_GUARD_TESTS,
    accepted: 'survivors.json',
  },
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
