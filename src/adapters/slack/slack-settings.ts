/** What an operator sets for Slack. */
import { ConfigError } from '../../domain/event/errors.ts';

export interface SlackSettings {
  /** `xoxb-…`. */
  token: string;
  /** `xapp-…`: Socket Mode is used when it is set. */
  appToken?: string;
  /** The Events API is answered when it is set. */
  signingSecret?: string;
  /** What was missed here is read after a restart: a channel's id, or its name with `#`. */
  place?: string;
  /** Another address than Slack's own, for tests and the demonstration. */
  apiUrl?: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Undefined without a token: the channel is off. */
export function readSlackSettings(env: Env): SlackSettings | undefined {
  const token = filled(env['SLACK_BOT_TOKEN']);
  if (token === undefined) return undefined;
  const appToken = filled(env['SLACK_APP_TOKEN']);
  const signingSecret = filled(env['SLACK_SIGNING_SECRET']);
  const place = filled(env['SLACK_CHANNEL']);
  const apiUrl = filled(env['SLACK_API_URL']);
  return {
    token,
    ...(appToken !== undefined && { appToken }),
    ...(signingSecret !== undefined && { signingSecret }),
    ...(place !== undefined && { place }),
    ...(apiUrl !== undefined && { apiUrl: checkAddress(apiUrl) }),
  };
}

function filled(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

/** The token is sent there: only over TLS, or to this machine. */
function checkAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isLoopback =
    url !== undefined && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback)) return url.href;
  throw new ConfigError({
    code: 'channel-url-invalid',
    message: '`SLACK_API_URL` is not an `https://` address.',
    details: 'Remove it to use Slack itself. `http://` is accepted for this machine only.',
  });
}
