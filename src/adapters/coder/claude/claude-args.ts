/** How the CLI is started: headless, restricted, and with nothing that a repository or this machine configures. */
import type { CoderTask } from '../../../domain/task/coder-task.ts';
import type { ClaudeModel } from './claude-model.ts';
import { TOOL_SERVER, toolName, type ToolName } from './tools.ts';

const BUILT_IN = ['Bash', 'Read', 'Edit', 'Write', 'Glob', 'Grep'];

/** Linux takes 128 KiB in one argument. */
const MAX_GUIDE_CHARS = 30_000;

/** Seconds that the PM may think about a question; the wall clock of the run goes on. */
const ASK_SECONDS = 300;

/** What a session must end with; its absence is a failure. */
export const RESULT_SCHEMA = {
  type: 'object',
  properties: {
    result: { enum: ['done', 'could-not'] },
    summary: {
      type: 'string',
      description:
        'What was changed and why, in at most 120 words; for could-not, what is in the way.',
    },
    decisions: {
      type: 'array',
      items: { type: 'string' },
      description: 'Choices that the task left open, each with its reason, one line each.',
    },
  },
  required: ['result', 'summary', 'decisions'],
  additionalProperties: false,
} as const;

export interface ArgvInput {
  task: CoderTask;
  /** The provider's model id. */
  model: string;
  /** Chosen by us, or that of the session that goes on. */
  session: { id: string } | { resume: string };
  tools: readonly ToolName[];
  /** Command line of the bridge to this process; its mode is added. */
  bridge: readonly string[];
}

/** Arguments of the CLI. The prompt comes on standard input, where nothing in it can be an option. */
export function claudeArgs({ task, model, session, tools, bridge }: ArgvInput): string[] {
  const [program = '', ...args] = bridge;
  const servers = { [TOOL_SERVER]: { command: program, args: [...args, 'mcp'], alwaysLoad: true } };
  const flags: readonly (readonly string[])[] = [
    ['-p', '--output-format', 'stream-json', '--verbose'],
    'resume' in session ? ['--resume', session.resume] : ['--session-id', session.id],
    ['--model', model, '--max-turns', `${task.limits.turns}`],
    ['--max-budget-usd', `${task.limits.usd}`],
    ['--restricted', '--setting-sources', '', '--strict-mcp-config', '--disable-slash-commands'],
    ['--permission-mode', 'dontAsk', '--tools', BUILT_IN.join(',')],
    ['--allowedTools', ...BUILT_IN, ...tools.map(toolName)],
    ['--mcp-config', JSON.stringify({ mcpServers: servers })],
    ['--settings', JSON.stringify(settings([...bridge, 'hook']))],
    ['--json-schema', JSON.stringify(RESULT_SCHEMA)],
    // Otherwise the first text of a session is replayed when it goes on.
    ['--system-prompt-snapshot', 'off'],
    task.guide === '' ? [] : ['--append-system-prompt', shorten(task.guide)],
  ];
  return flags.flat();
}

function shorten(guide: string): string {
  const cut = guide.length - MAX_GUIDE_CHARS;
  return cut > 0 ? `${guide.slice(0, MAX_GUIDE_CHARS)}\n(${cut} characters are left out)` : guide;
}

/** A hook that fails lets the tool run; exit code 2 stops it. */
function settings(hook: readonly string[]): unknown {
  const command = `${hook.map(quote).join(' ')} || exit 2`;
  const hooks = [{ type: 'command', command, timeout: ASK_SECONDS }];
  return { hooks: { PreToolUse: [{ matcher: toolName('ask_pm'), hooks }] } };
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The CLI itself asks for up to 128,000, which the gateway would have to reserve for each call. */
const MAX_OUTPUT_TOKENS = 32_000;
/** Less is not enough to write a file. */
const LEAST_OUTPUT_TOKENS = 4_000;
/** The most of a budget that the output of one call may reserve. */
const OUTPUT_SHARE = 1 / 8;

/** What one answer may have at most, so that a reservation leaves most of the budget free. */
export function maxOutputTokens({ price }: Pick<ClaudeModel, 'price'>, usd: number): number {
  const affordable = price === undefined ? Infinity : (usd * OUTPUT_SHARE * 1e6) / price.output;
  return Math.max(LEAST_OUTPUT_TOKENS, Math.min(MAX_OUTPUT_TOKENS, Math.floor(affordable)));
}

export interface EnvInput {
  home: string;
  socket: string;
  token: string;
  model: Pick<ClaudeModel, 'id' | 'price'>;
  /** What the session may spend, in US dollars. */
  usd: number;
}

/** The whole environment of the CLI, besides PATH. It needs `home` writable, and of the network only the socket. */
export function claudeEnv({ home, socket, token, model, usd }: EnvInput): Record<string, string> {
  return {
    HOME: home,
    CLAUDE_CONFIG_DIR: home,
    ANTHROPIC_UNIX_SOCKET: socket,
    // Nothing listens there: what does not take the socket fails.
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
    ANTHROPIC_API_KEY: token,
    // Small requests go to the same model: the gateway knows no other.
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model.id,
    ANTHROPIC_SMALL_FAST_MODEL: model.id,
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: `${maxOutputTokens(model, usd)}`,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    // `@/path` in a prompt would read that file, whatever is allowed.
    CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
    // A lost key is retried as well: 10 times, the default, takes three minutes.
    CLAUDE_CODE_MAX_RETRIES: '4',
    API_TIMEOUT_MS: '300000',
    CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: '120000',
  };
}
