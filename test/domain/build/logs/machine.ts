/** What is written when it was not the code. */
import { type LogExample } from './example.ts';

export const MACHINE: readonly LogExample[] = [
  {
    title: 'a job that ran too long',
    log: '##[error]The job running on runner GitHub Actions 12 has exceeded the maximum execution time of 30 minutes.',
    kind: 'timeout',
    says: 'exceeded the maximum execution time of 30 minutes',
  },
  {
    title: 'a network that was not there',
    log: `
npm error code ECONNRESET
npm error network read ECONNRESET
npm error network This is a problem related to network connectivity.`,
    kind: 'network',
    says: 'ECONNRESET',
  },
  {
    title: 'a runner that was lost',
    log: '##[error]The hosted runner lost communication with the server. Anything in your workflow that terminates the runner process can cause this.',
    kind: 'network',
    says: 'lost communication with the server',
  },
  {
    title: 'a full disk',
    log: 'tar: ./layer.tar: Cannot write: No space left on device',
    kind: 'disk',
    says: 'No space left on device',
  },
  {
    title: 'an action that does not exist',
    log: '##[error]Unable to resolve action `actions/chekout@v4`, repository not found',
    kind: 'workflow',
    says: 'Unable to resolve action',
  },
  {
    title: 'a workflow file that is wrong',
    log: "##[error]The workflow is not valid. .github/workflows/ci.yml (Line: 12, Col: 9): Unexpected value 'run-on'",
    kind: 'workflow',
    says: 'The workflow is not valid',
    place: { path: '.github/workflows/ci.yml', line: 12 },
  },
];
