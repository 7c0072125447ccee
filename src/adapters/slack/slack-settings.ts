/** What an operator sets for Slack. */
import { ConfigError } from '../../domain/event/errors.ts';

export interface SlackSettings {
  /** `xoxb-…`. */
  token: string;
  /** `xapp-…`: Socket Mode is used when it is set. */
  appToken?: string;
  /** The Events API is answered when it is set. */
  signingSecret?: string;
  /** Another address than Slack's own, for tests and the demonstration. */
  apiUrl?: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Undefined without a token: the channel is off. */
export function readSlackSettings(env: Env): SlackSettings | undefined {
  const value = (name: string): string | undefined => env[name]?.trim() || undefined;
  const token = value('SLACK_BOT_TOKEN');
  if (token === undefined) return undefined;
  const appToken = value('SLACK_APP_TOKEN');
  const signingSecret = value('SLACK_SIGNING_SECRET');
  const apiUrl = value('SLACK_API_URL');
  return {
    token,
    ...(appToken !== undefined && { appToken }),
    ...(signingSecret !== undefined && { signingSecret }),
    ...(apiUrl !== undefined && { apiUrl: checkAddress(apiUrl) }),
  };
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
