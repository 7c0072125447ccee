/** The one list of what credentials look like: for logs, prompts, errors, texts for GitHub and patches. */

export interface SecretShape {
  /** What people call it: `GitHub token`. */
  kind: string;
  /** Global. What it names `keep` is not part of the credential and stays. */
  shape: RegExp;
  /** Whether ordinary text may look like it: then it is taken out of texts, and no finding is made of it. */
  isVague?: true;
}

/** What is before a row of a key that was quoted, numbered, or shown as a change. */
const MARGIN = String.raw`(?:[ \t>|+"']|-(?!-)){0,20}(?:\d{1,6}\t)?(?:[ \t>|+"']|-(?!-)){0,20}`;
/** A header of an encrypted key, a row of base64, or a short last row. */
const ROW = String.raw`(?:(?:Proc-Type|DEK-Info|Version|Comment): [^\n]{0,200}|[A-Za-z0-9+/]{16,8000}={0,2}|[A-Za-z0-9+/]{1,15}={1,2}|[A-Za-z0-9+/]{1,15}(?=["'+,\s]{0,10}(?:\\n|\d{1,6}\t|[ \t>|+"']){0,20}(?:-{5,6}END|$)))`;
/** A key with its last line, or, where that was cut off, as far as its rows go. */
const PRIVATE_KEY = new RegExp(
  String.raw`-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:["'+,]{0,4}(?:\r?\n|\\[rn]| )${MARGIN}${ROW}?){0,4000}(?:-{5,6}END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?`,
  'g',
);

/** Each begins with a fixed prefix that its issuer documents, so that chance hits are rare; longest prefixes first. */
export const SECRET_SHAPES: readonly SecretShape[] = [
  { kind: 'private key', shape: PRIVATE_KEY },
  {
    kind: 'private key',
    shape: /\bPrivate-Lines: \d{1,3}(?:(?:\r?\n|\\n)[A-Za-z0-9+/=]{1,64}){1,200}/g,
  },
  { kind: 'GitHub token', shape: /\bgh[oprsu]_[A-Za-z0-9_]{20,255}/g },
  { kind: 'GitHub fine-grained token', shape: /\bgithub_pat_\w{20,255}/g },
  { kind: 'GitLab token', shape: /\bgl[a-z]{1,6}-[A-Za-z0-9_-]{20,300}/g },
  { kind: 'Bitbucket token', shape: /\bAT(?:BB|CTT3|ATT3)[A-Za-z0-9_=-]{24,400}/g },
  { kind: 'AWS access key', shape: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'Azure storage key', shape: /\b(?<keep>AccountKey=)[A-Za-z0-9+/]{60,100}={0,2}/g },
  { kind: 'npm token', shape: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'PyPI token', shape: /\bpypi-AgE[A-Za-z0-9_-]{40,1000}/g },
  { kind: 'RubyGems key', shape: /\brubygems_[a-f0-9]{48}\b/g },
  { kind: 'Docker token', shape: /\bdckr_[a-z]{3}_[A-Za-z0-9_-]{20,100}/g },
  { kind: 'Hugging Face token', shape: /\b(?:hf|api_org)_[A-Za-z0-9]{30,60}\b/g },
  {
    // The digit tells a key from a name with hyphens, such as a class of a style sheet.
    kind: 'model provider key',
    shape: /(?<![\w-])sk-(?=[A-Za-z_-]{0,60}\d)[A-Za-z0-9_-]{16,300}/g,
  },
  { kind: 'Stripe live key', shape: /\b[rs]k_live_[A-Za-z0-9]{16,250}/g },
  { kind: 'Stripe webhook secret', shape: /\bwhsec_[A-Za-z0-9+/]{24,100}={0,2}/g },
  { kind: 'Twilio key', shape: /\bSK[0-9a-f]{32}\b/g },
  { kind: 'SendGrid key', shape: /\bSG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{16,80}/g },
  { kind: 'Mailgun key', shape: /\bkey-[0-9a-f]{32}\b/g },
  { kind: 'Mailgun key', shape: /\b[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}\b/g },
  { kind: 'Slack token', shape: /\bxox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,300}/g },
  { kind: 'Slack app token', shape: /\bxapp-[A-Za-z0-9-]{10,300}/g },
  {
    kind: 'Slack webhook',
    shape: /\bhooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9/]{8,200}/g,
  },
  { kind: 'Telegram token', shape: /\b\d{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g },
  {
    kind: 'Discord token',
    shape: /(?<![\w-])[MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,50}/g,
  },
  {
    kind: 'Discord webhook',
    shape: /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{5,30}\/[A-Za-z0-9_-]{30,100}/g,
  },
  { kind: 'Google API key', shape: /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g },
  { kind: 'Google OAuth secret', shape: /\bGOCSPX-[A-Za-z0-9_-]{20,60}/g },
  { kind: 'Google access token', shape: /\bya29\.[A-Za-z0-9_-]{20,1000}/g },
  { kind: 'Firebase server key', shape: /\bAAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{100,200}/g },
  { kind: 'Heroku key', shape: /\bHRKU-[A-Za-z0-9_-]{30,100}/g },
  { kind: 'DigitalOcean token', shape: /\bdo[opr]_v1_[a-f0-9]{64}\b/g },
  { kind: 'Cloudflare token', shape: /\bv1\.0-[a-f0-9]{24}-[a-f0-9]{100,200}\b/g },
  { kind: 'Vault token', shape: /\bhv[bsr]\.[A-Za-z0-9_-]{20,300}/g },
  { kind: 'Sentry token', shape: /\bsntry[su]_[A-Za-z0-9_+/=-]{40,400}/g },
  {
    kind: 'Sentry DSN',
    shape: /(?<keep>\bhttps:\/\/)[0-9a-f]{32}(?::[0-9a-f]{32})?(?=@[\w.-]{1,100}\/\d)/g,
  },
  {
    kind: 'password in an address',
    shape:
      /(?<keep>:\/\/[^\s/:@"'<>]{0,100}:)(?!\*{3}|<|\$|x{3}|password@|pass@|\[redacted|\()[^\s/"'<>]{4,200}(?=@)/gi,
  },
  {
    kind: 'password in a connection string',
    shape: /(?<keep>;\s{0,3}(?:password|pwd)\s?=\s?)(?![*$<{(]|x{3})[^;\s"'<>]{6,200}/gi,
  },
  {
    kind: 'credential in a header',
    shape:
      /(?<keep>\b(?:bearer|basic)[ \t]{1,4})(?=[A-Za-z.~+/_-]{0,40}[\d=])[\w.~+/=-]{12,4000}/gi,
    isVague: true,
  },
  { kind: 'signature of a delivery', shape: /\bsha256=[0-9a-f]{64}\b/g, isVague: true },
  {
    // Four groups of letters and the digits of base32: a digit tells it from four words.
    kind: 'app password',
    shape: /(?<![\w-])(?=[a-z-]{0,18}[2-7])[a-z2-7]{4}(?:-[a-z2-7]{4}){3}(?![\w-])/g,
    isVague: true,
  },
];

/** Services whose keys have no shape of their own: the name that a value is given to tells. */
export const SERVICES: Readonly<Record<string, string>> = {
  aws: 'AWS',
  azure: 'Azure',
  bitbucket: 'Bitbucket',
  bluesky: 'Bluesky',
  bsky: 'Bluesky',
  cloudflare: 'Cloudflare',
  cf: 'Cloudflare',
  datadog: 'Datadog',
  dd: 'Datadog',
  discord: 'Discord',
  docker: 'Docker',
  firebase: 'Firebase',
  heroku: 'Heroku',
  mailgun: 'Mailgun',
  npm: 'npm',
  sentry: 'Sentry',
  telegram: 'Telegram',
  twilio: 'Twilio',
  vault: 'Vault',
};
