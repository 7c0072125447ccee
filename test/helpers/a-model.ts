/** A scripted model that answers the council: positions and verdicts as the test says, through the real SDKs. */
import { onTestFinished } from 'vitest';
import type { ScriptedCall, ScriptedReply } from '../../src/emulator/model-server/script.ts';
import {
  startModelServer,
  type ModelServer,
} from '../../src/emulator/model-server/start-model-server.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { aPosition, aVerdict } from './an-issue.ts';

export interface ModelScript {
  position?: (call: ScriptedCall, handle: string) => ScriptedReply | Promise<ScriptedReply>;
  verdict?: (call: ScriptedCall) => ScriptedReply | Promise<ScriptedReply>;
  /** On a candidate of the code watch. */
  candidate?: (call: ScriptedCall) => ScriptedReply;
  /** To a question that a person asked. */
  answer?: (call: ScriptedCall, handle: string) => ScriptedReply;
  /** What a voice learned; nothing where absent. */
  reflection?: (call: ScriptedCall) => ScriptedReply;
  /** Of a persona's notes, or of what it writes about itself; nothing where absent. */
  consolidation?: (call: ScriptedCall) => ScriptedReply;
  /** Sentences for a persona's file. */
  phrases?: (handle: string) => ScriptedReply;
  /** What somebody noticed past their own task; nothing where absent. */
  standup?: (call: ScriptedCall, handle: string) => ScriptedReply;
  /** What the provider's content filter stops. */
  filtered?: (call: ScriptedCall) => boolean;
}

/** Whose soul a prompt carries. */
export function speaker(call: ScriptedCall): string {
  return /I am \w+ \(@([a-z0-9-]+)\)/.exec(call.system)?.[1] ?? 'nobody';
}

export function isVerdictCall(call: ScriptedCall): boolean {
  return /Close the (?:discussion|review)\./.test(call.lastText);
}

export function isCandidateCall(call: ScriptedCall): boolean {
  return /Judge this candidate/.test(call.lastText);
}

export function isQuestion(call: ScriptedCall): boolean {
  return /Answer the question above/.test(call.lastText);
}

export function isReflection(call: ScriptedCall): boolean {
  return /What will help each of them in later work/.test(call.lastText);
}

export function isStandup(call: ScriptedCall): boolean {
  return /What you look for past your own task/.test(call.lastText);
}

function isConsolidation(call: ScriptedCall): boolean {
  return /## (?:Consolidate your notes|Rewrite your own file)/.test(call.lastText);
}

function isRoleMemory(call: ScriptedCall): boolean {
  return /What of it should the PM or the Artist know/.test(call.lastText);
}

/** What is asked in the background, once something is over. */
function lookingBack(script: ModelScript, call: ScriptedCall) {
  if (isReflection(call)) return script.reflection?.(call) ?? { json: { lessons: [] } };
  if (isStandup(call)) return script.standup?.(call, speaker(call)) ?? { json: { insights: [] } };
  if (isConsolidation(call)) return script.consolidation?.(call) ?? { json: { lines: [] } };
  return isRoleMemory(call) ? { json: { operations: [] } } : undefined;
}

function replyTo(script: ModelScript, call: ScriptedCall): ScriptedReply | Promise<ScriptedReply> {
  const handle = speaker(call);
  if (/Write one short sentence in your own voice/.test(call.lastText))
    return script.phrases?.(handle) ?? { json: {} };
  const back = lookingBack(script, call);
  if (back !== undefined) return back;
  if (isCandidateCall(call))
    return script.candidate?.(call) ?? { json: aVerdict({ verdict: 'APPROVE' }) };
  return isVerdictCall(call)
    ? (script.verdict?.(call) ?? { json: aVerdict() })
    : positionOrAnswer(script, call, handle);
}

function positionOrAnswer(
  script: ModelScript,
  call: ScriptedCall,
  handle: string,
): ScriptedReply | Promise<ScriptedReply> {
  if (isQuestion(call))
    return script.answer?.(call, handle) ?? { json: { text: `${handle} says`, references: [] } };
  const said = aPosition({
    reasons: `${handle} read src/cli.ts and has a view.`,
    line: `${handle} would start`,
  });
  return script.position?.(call, handle) ?? { json: said };
}

/** Starts the server and gives the environment that makes the App use it. */
export async function aModel(
  script: ModelScript = {},
): Promise<{ server: ModelServer; env: Record<string, string> }> {
  const server = await startModelServer({
    clock: systemClock,
    cache: 'provider',
    script: (call) =>
      script.filtered?.(call) === true
        ? { fault: { kind: 'content-filter' } }
        : replyTo(script, call),
  });
  onTestFinished(() => server.close());
  return {
    server,
    env: { ANTHROPIC_API_KEY: ['test', 'key'].join('-'), ANTHROPIC_BASE_URL: server.url },
  };
}
