/** A maintained detector of credentials behind one function: loaded with the first text, and told once when it is missing. */
import {
  findSecrets,
  type DetectSecrets,
  type SecretSighting,
} from '../../domain/secrets/secret-text.ts';

/** What a linter for credentials says of one text; the value itself is masked by it and never kept here. */
export interface LintMessage {
  /** `GITHUB_TOKEN`, `PostgreSQLConnection` … */
  messageId: string;
  severity: string;
  /** 1-based lines. */
  loc: { start: { line: number } };
  range: readonly number[];
}

export type LintText = (text: string, path: string) => Promise<readonly LintMessage[]>;

export interface DetectorOptions {
  /** Brings the linter; called at most once, when there is a first text. */
  load: () => Promise<LintText>;
  /** Told once when it cannot be loaded; then only the project's own shapes are looked for. */
  onMissing: (error: unknown) => void;
}

/** Longer texts are no source that a person wrote: the linter would take minutes for them. */
const MAX_TEXT = 2_000_000;
/** As many as the project's own shapes tell of one text. */
const MAX_SIGHTINGS = 20;

/** An account's number opens nothing, and a test key no real account. */
const HARMLESS = /^AWSAccountID$|_TEST$/;

export function createSecretDetector({ load, onMissing }: DetectorOptions): DetectSecrets {
  let lint: Promise<LintText | undefined> | undefined;
  return async (text, path) => {
    const own = findSecrets(text);
    if (text.length > MAX_TEXT) return own;
    lint ??= load().catch((error: unknown) => {
      onMissing(error);
      return undefined;
    });
    const messages = (await (await lint)?.(text, path)) ?? [];
    const linted = messages
      .filter(({ severity, messageId }) => severity !== 'info' && !HARMLESS.test(messageId))
      .map(toSighting);
    const lines = new Set(linted.map(({ line }) => line));
    return [...linted, ...own.filter(({ line }) => !lines.has(line))].slice(0, MAX_SIGHTINGS);
  };
}

function toSighting({ messageId, loc, range }: LintMessage): SecretSighting {
  const [from = 0, to = from] = range;
  return { kind: toKind(messageId), line: loc.start.line, length: to - from };
}

const BRANDS: Readonly<Record<string, string>> = {
  aws: 'AWS',
  github: 'GitHub',
  gitlab: 'GitLab',
  gcp: 'Google Cloud',
  slack: 'Slack',
  sendgrid: 'SendGrid',
  shopify: 'Shopify',
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  linear: 'Linear',
  postgresql: 'PostgreSQL',
  postgre: 'PostgreSQL',
  mysql: 'MySQL',
  mongodb: 'MongoDB',
  onepassword: '1Password',
  api: 'API',
  id: 'ID',
};

/** `SLACK_TOKEN` is a Slack token, `MySQLConnection` a MySQL connection. */
function toKind(messageId: string): string {
  const words = messageId
    .replaceAll(/SQL|DB/g, (letters) => letters.toLowerCase())
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .map((word) => word.toLowerCase());
  return words.map((word) => BRANDS[word] ?? word).join(' ');
}
