/** Whether GitHub's own command line is on this machine; tests that need it skip otherwise. */
import { spawnSync } from 'node:child_process';

export const hasGh = spawnSync('gh', ['--version']).status === 0;
