/** Whether this Node can run Quorum. Imports nothing and uses no new syntax: an old Node has to be able to read it. */
import type { ErrorCode } from '../../domain/event/error-codes.ts';

const CODE: ErrorCode = 'node-too-old';

/** What to tell somebody whose Node is too old, or undefined. `needed` is `engines.node` of the manifest: `>=22.13`. */
export function nodeTooOld(running: string, needed: string): string | undefined {
  const [is, wanted] = [toNumbers(running), toNumbers(needed)];
  const isEnough =
    is.major > wanted.major || (is.major === wanted.major && is.minor >= wanted.minor);
  if (isEnough) return undefined;
  return `Quorum needs Node ${wanted.major}.${wanted.minor} or newer (24 is best), and this is Node ${running.replace('v', '')}: install a newer one from https://nodejs.org. [${CODE}]`;
}

function toNumbers(version: string): { major: number; minor: number } {
  const [, major = '0', minor = '0'] = /(\d+)(?:\.(\d+))?/.exec(version) || [];
  return { major: Number(major), minor: Number(minor) };
}
