/** Tests that need no emulator: they take values, ports in memory, or what was recorded once. */
export const PURE_TESTS = [
  'test/walks',
  'test/decide',
  'test/policy',
  'test/act',
  'test/run.test.ts',
];

/** Among them, and left out: one talks to the emulator, one compiles the sources. */
export const OTHER_TESTS = ['test/act/forget-closed.test.ts', 'test/decide/kinds/new-kind.test.ts'];
