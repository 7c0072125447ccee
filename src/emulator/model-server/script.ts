/** What a script sees of a call to the model server, and what it may answer, faults included. */
import type { IncomingHttpHeaders } from 'node:http';

export type Protocol = 'anthropic' | 'openai';

/** One request for an answer, in words that both protocols share. */
export interface ScriptedCall {
  /** Counts from 0 over the server's life. */
  n: number;
  protocol: Protocol;
  model: string;
  /** All system text, blocks joined by a blank line. */
  system: string;
  messages: { role: string; text: string }[];
  toolNames: string[];
  /** Results since the model's last turn. */
  toolResults: { id: string; text: string; isError: boolean }[];
  /** Text of the last message by the user. */
  lastText: string;
  /** How many turns the model has had in this conversation. */
  turn: number;
  /** Schema of the structured output asked for, when there is one; `json_object` has none. */
  schema: Record<string, unknown> | undefined;
  wantsJson: boolean;
  isStream: boolean;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  /** Set when the client went away before the answer was complete. */
  wasDropped: boolean;
  /** What was answered; absent until then. */
  usage?: ScriptedUsage;
}

export interface ScriptedUsage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** How an answer goes wrong. */
export type Fault =
  | {
      kind: 'status';
      status: number;
      headers?: Record<string, string>;
      type?: string;
      code?: string;
      message?: string;
      /** The whole body as another server of the protocol writes it; wins over type, code and message. */
      body?: unknown;
    }
  /** 400 because of what the request says, in the form of the protocol's own provider. */
  | { kind: 'content-filter' }
  /** Accepts the request and never answers. */
  | { kind: 'hang' }
  /** Closes the connection without an answer. */
  | { kind: 'reset' }
  /** Sends this many events (or half of a body that is no stream), then closes the connection. */
  | { kind: 'cut'; afterEvents: number }
  /** Ends the stream properly after this many events. */
  | { kind: 'end'; afterEvents: number }
  /** An error event inside a stream that began well. */
  | { kind: 'stream-error'; afterEvents: number; type: string }
  /** Events, or a body, that are no JSON. */
  | { kind: 'garbage' }
  /** A proxy's page with this status. */
  | { kind: 'html'; status: number }
  /** 200 and nothing. */
  | { kind: 'empty' };

export interface ScriptedAnswer {
  text?: string;
  /** Sent as JSON text; wins over `text`. */
  json?: unknown;
  toolCalls?: { id?: string; name: string; args: unknown }[];
  /** Raw argument text for all tool calls, for calls that are no JSON. */
  rawArgs?: string;
  /** Thinking before the answer, with a signature that a tool loop must send again. */
  thinking?: string;
  finish?: 'stop' | 'length' | 'refusal';
  /** Overrides the computed usage. */
  usage?: Partial<ScriptedUsage>;
  /** Leaves usage out, as some servers do. */
  noUsage?: boolean;
  /** Time before the first byte, in ms of the server's clock. */
  delayMs?: number;
  /** Time between two events of a stream. */
  tokenDelayMs?: number;
  fault?: Fault;
}

export type ScriptedReply = string | ScriptedAnswer;
export type Script = (call: ScriptedCall) => ScriptedReply | Promise<ScriptedReply>;

/** Says what was said; JSON when JSON is asked for. */
export const echo: Script = (call) =>
  call.wantsJson ? { json: { echo: call.lastText } } : { text: call.lastText };
