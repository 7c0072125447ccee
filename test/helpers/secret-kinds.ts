/** One credential of each kind, as it is written where it is used. They are made here: no file holds a whole one. */
import { createHash } from 'node:crypto';

export interface SecretKind {
  kind: string;
  /** As in a file of settings, a header or an address. */
  text: string;
  /** What must not be left of it. */
  secret: string;
}

/** Characters that look random and are the same each time. */
function random(length: number, alphabet: string, seed: string): string {
  let text = '';
  for (let at = 0; text.length < length; at += 1)
    for (const byte of createHash('sha512').update(`${seed}${at}`).digest())
      text += alphabet.charAt(byte % alphabet.length);
  return text.slice(0, length);
}

const HEX = '0123456789abcdef';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const BASE64 = `${ALNUM}+/`;

let made = 0;
const next = (length: number, alphabet = ALNUM): string => {
  made += 1;
  return random(length, alphabet, `kind${made}`);
};

/** The credential is all that the parts come to. */
function whole(
  kind: string,
  parts: readonly string[],
  [before, after]: readonly [string, string] = ['', ''],
): SecretKind {
  const secret = parts.join('');
  return { kind, text: `${before}${secret}${after}`, secret };
}

const rows = (count: number): string =>
  Array.from({ length: count }, () => next(64, BASE64)).join('\n');
const mark = (word: string, of: string): string =>
  ['-----', word, ` ${of}PRIVATE `, 'KEY-----'].join('');

function key(kind: string, of: string): SecretKind {
  const secret = rows(5);
  return { kind, text: `${mark('BEGIN', of)}\n${secret}\n${mark('END', of)}`, secret };
}

const uuid = (): string => [8, 4, 4, 4, 12].map((length) => next(length, HEX)).join('-');
const dot = '.';

/** The 38 kinds that a log, a prompt or a text for people may come to hold. */
export const SECRET_KINDS: readonly SecretKind[] = [
  whole('AWS key', ['AK', 'IA', next(16, UPPER)]),
  whole('AWS secret', [next(40, BASE64)], ['AWS_SECRET_ACCESS_KEY=', '']),
  (() => {
    const { text, secret } = key('GCP', '');
    const inJson = JSON.stringify({ type: 'service_account', private_key: text });
    return { kind: 'GCP service account', text: inJson, secret: secret.split('\n')[0] ?? '' };
  })(),
  whole('Azure storage', [next(86, BASE64), '=='], ['AccountName=shop;AccountKey=', ';Endpoint']),
  whole('GitHub classic', ['gh', 'p_', next(36)]),
  whole('GitHub fine-grained', ['github', '_pat_', next(22), '_', next(59)]),
  whole('GitHub app', ['gh', 's_', next(36)]),
  whole('GitHub OAuth', ['gh', 'o_', next(36)]),
  whole('GitLab', ['gl', 'pat-', next(20)]),
  whole('Bitbucket', ['AT', 'BB', next(32)]),
  whole('npm', ['np', 'm_', next(36)]),
  whole('PyPI', ['py', 'pi-AgEIcHlwaS5vcmc', next(70)]),
  whole('RubyGems', ['ruby', 'gems_', next(48, HEX)]),
  whole('Docker', ['dc', 'kr_pat_', next(27)]),
  whole('Hugging Face', ['h', 'f_', next(34)]),
  whole('Anthropic', ['sk', '-ant-api03-', next(93), 'AA']),
  whole('OpenAI', ['sk', '-proj-', next(64)]),
  whole('Stripe', ['sk', '_live_', next(24)]),
  whole('Twilio', [next(32, HEX)], ['TWILIO_AUTH_TOKEN=', '']),
  whole('SendGrid', ['SG', dot, next(22), dot, next(43)]),
  whole('Mailgun', ['key', '-', next(32, HEX)]),
  whole('Slack bot', ['xox', 'b-', next(12, '123456789'), '-', next(24)]),
  whole('Slack user', ['xox', 'p-', next(12, '123456789'), '-', next(32)]),
  whole('Slack app', ['xa', 'pp-1-', next(11, UPPER), '-', next(40, HEX)]),
  whole(
    'Slack webhook',
    ['services/T', next(8, UPPER), '/B', next(8, UPPER), '/', next(24)],
    [['https://hooks.', 'slack.com/'].join(''), ''],
  ),
  whole('Telegram', [next(9, '123456789'), ':', 'AA', next(33)]),
  whole('Discord', ['M', next(25), dot, next(6), dot, next(38)]),
  whole(
    'Bluesky app password',
    [
      next(3, 'abcdefgh'),
      '2-',
      next(4, 'abcd34567'),
      '-',
      next(4, 'efgh2345'),
      '-',
      next(4, 'wxyz67'),
    ],
    ['BLUESKY_APP_PASSWORD=', ''],
  ),
  whole('Google API', ['AI', 'za', next(35)]),
  whole('Firebase', ['AAAA', next(7), ':', next(140)]),
  whole('Heroku', [uuid()], ['HEROKU_API_KEY=', '']),
  whole('DigitalOcean', ['do', 'p_v1_', next(64, HEX)]),
  whole('Cloudflare', [next(40)], ['CLOUDFLARE_API_TOKEN=', '']),
  whole('Vault', ['hv', 's.', next(24)]),
  whole('Datadog', [next(32, HEX)], ['DD_API_KEY=', '']),
  whole('Sentry DSN', [next(32, HEX)], ['https://', '@o123.ingest.sentry.io/4501']),
  whole('JWT', ['ey', 'J', next(33), dot, 'ey', 'J', next(60), dot, next(43)]),
  key('PEM private key', 'RSA '),
  key('SSH key', 'OPENSSH '),
  whole('connection string', [next(16), '!9x'], ['postgres://app:', '@db.example.org:5432/shop']),
  whole(
    'connection string of settings',
    [next(14), '!7'],
    ['Server=db;User Id=app;Password=', ';Encrypt=true'],
  ),
  whole('basic auth in a URL', [next(18)], ['https://deploy:', '@files.example.org/x.tgz']),
];
