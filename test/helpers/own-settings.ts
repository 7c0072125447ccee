/** The configuration under which this project's own repository is worked on. */

/** Node comes as a package here, which its own script puts into place: what the base installs may run that. */
export const OWN_SETTINGS = [
  'merge:',
  '  mode: auto',
  'plans:',
  '  maxAttempts: 1',
  'coder:',
  '  initCommand: npm ci',
  // Each worktree has its own copy of half a gigabyte.
  '  worktreeLimitMb: 6000',
  // Each change brings its changeset.
  'paths:',
  '  unprotected: [.changeset/**]',
  'gates:',
  '  testCommand: npx vitest run test/domain/text/nearest',
  '',
].join('\n');
