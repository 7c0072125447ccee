/** Gates 3 and 4: the commit that was tested is the one on GitHub (TG-5). */
import type { Judgement } from '../../domain/gates/receipt.ts';

/** Gate 3, by what the push said. */
export function judgePush(branch: string, pushed: 'pushed' | 'was-there' | 'moved'): Judgement {
  const SAID = {
    pushed: `\`${branch}\` was pushed.`,
    'was-there': `\`${branch}\` was pushed before.`,
    moved: `\`${branch}\` was moved by somebody else, and was left as it is.`,
  };
  const result = pushed === 'moved' ? 'failed' : 'passed';
  return { gate: '3', result, sentence: SAID[pushed], flags: [] };
}

/** Gate 4: what the remote says of the branch, against the local head. */
export function judgeRemote(at: {
  branch: string;
  localSha: string;
  remoteSha: string | undefined;
}): Judgement {
  const { branch, localSha, remoteSha } = at;
  const says = remoteSha === undefined ? 'is not there' : `is at ${remoteSha.slice(0, 7)}`;
  return remoteSha === localSha
    ? {
        gate: '4',
        result: 'passed',
        sentence: `\`${branch}\` ${says} on GitHub, as here.`,
        flags: [],
      }
    : {
        gate: '4',
        result: 'failed',
        sentence: `\`${branch}\` ${says} on GitHub and at ${localSha.slice(0, 7)} here.`,
        flags: [],
      };
}
