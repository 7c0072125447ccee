/** Rules about what can go wrong: trust boundaries, credentials, compatibility, data, supply chain. */
import { sentenceWith } from '../quote.ts';
import type { Reading } from '../read-issue.ts';
import type { Concern, Finding, IssueRule } from '../issue-rule.ts';
import type { Severity } from '../../../domain/review/signal.ts';

interface WordRule {
  id: string;
  severity: Severity;
  concerns: readonly Concern[];
  explanation: string;
  /** What in title and running text gives it away. */
  words: RegExp;
  /** What takes it back in the same sentence. */
  unless?: RegExp;
  /** Paths of files the issue points to that give it away as well. */
  paths?: RegExp;
  title: string;
  suggestion?: string;
}

const WORD_RULES: readonly WordRule[] = [
  {
    id: 'touches-auth',
    severity: 'medium',
    concerns: ['maya', 'security'],
    explanation: 'Who may do what is a boundary: a mistake here is an incident.',
    words:
      /\b(?:authenticat\w*|authoriz\w*|authoris\w*|oauth2?|sso|saml|openid|jwts?|log(?:ging)?[ -]?(?:in|out)\b(?! (?:a|the) (?:file|log))|sign[ -]?in|session (?:cookies?|tokens?|ids?|expir\w*|fixation|timeout)|sessions? (?:stay|expire|remain|survive|never)|passwords?|csrf|access (?:tokens?|control)|bearer|rbac|permission checks?|admin (?:role|rights|only|users?)|impersonat\w*|two[- ]factor|2fa|mfa)\b/i,
    unless: /\b(?:no|without|not an?) (?:auth\w*|log ?in)\b/i,
    paths: /(?:^|[/_.-])(?:auth\w*|login|sessions?|permissions?|oauth|jwt|rbac|acl)(?:[/_.-]|$)/i,
    title: 'This touches who may do what.',
    suggestion: 'who is allowed what after the change, and a test that the others are refused',
  },
  {
    id: 'touches-crypto',
    severity: 'medium',
    concerns: ['maya', 'security'],
    explanation: 'Home-made or weakened cryptography fails silently.',
    words:
      /\b(?:(?:en|de)crypt\w*|ciphers?|hmac|(?:verify|check|validate|webhook|signed?) signatures?|signature (?:check|verification)|tls|ssl certificates?|certificate (?:check|validation|pinning)|bcrypt|scrypt|argon2|aes(?:-\d+)?|rsa|sha-?1|md5|constant[- ]time|salt(?:ed)? hash\w*|password hash\w*)\b/i,
    paths: /(?:^|[/_.-])(?:crypto|cipher|signing|signature|hmac|tls)(?:[/_.-]|$)/i,
    title: 'This touches cryptography.',
    suggestion: 'the primitive and library that are to be used',
  },
  {
    id: 'touches-secrets',
    severity: 'medium',
    concerns: ['maya', 'security'],
    explanation: 'Credentials leak through logs, errors and defaults.',
    words:
      /\b(?:secrets?\b(?! sauce)|credentials?|api[ -]?keys?|private keys?|(?:access|api|auth|bot|personal) tokens?|\.env\b|key ?chain|vault)/i,
    paths: /(?:^|[/_.-])(?:secrets?|credentials?|vault|keychain)(?:[/_.-]|$)/i,
    title: 'This touches credentials.',
    suggestion: 'where the value may appear (logs, errors, process list) and where it must not',
  },
  {
    id: 'breaking-change',
    severity: 'high',
    concerns: ['carlos', 'architecture', 'product', 'dev'],
    explanation: 'Those who rely on the old behaviour find out when it breaks.',
    words:
      /\b(?:breaking change|break(?:s|ing)? (?:existing|compatib\w*|the api|users|people|scripts|backward\w*)|backwards?[- ]incompatib\w*|(?:remove|drop|delete|kill) (?:the |our |all )?(?:old |legacy |deprecated |public )*(?:`?--[\w-]+`?|(?:`[^`]+` )?(?:option|flag|command|api|endpoint|subcommand|setting|field|alias|support for))|drop support|rename (?:the )?(?:`?--[\w-]+`?|(?:`[^`]+` )?(?:option|flag|command|api|endpoint|setting|field|config\w*))|change (?:the |our )?default|no longer (?:accept|support)|new major(?: version)?|(?:next|bump the) major)/i,
    unless: /\b(?:not?|without|non|avoid(?:s|ing)?)[- ](?:a |any )?break|backwards?[- ]compatible/i,
    title: 'Something that people rely on changes or goes away.',
    suggestion:
      'what happens to those who use it today: alias, warning for one release, or a major version',
  },
  {
    id: 'touches-migration',
    severity: 'high',
    concerns: ['carlos', 'dev', 'architecture', 'quality', 'priya'],
    explanation:
      'Stored data outlives the code; a migration has to run forwards on real data, once.',
    words:
      /\b(?:(?:database|db|schema|data|sql) migrations?|alter table|(?:add|drop|rename) (?:a |the |an? new )?(?:\w+ )?columns?\b|drop table|schema change|backfill|change the schema|store(?:d)? format)/i,
    paths: /(?:^|\/)migrations?\/|\.sql$/i,
    title: 'Stored data has to change with this.',
    suggestion: 'how existing rows are carried over, and what happens when it stops half-way',
  },
  {
    id: 'touches-ci-workflow',
    severity: 'medium',
    concerns: ['maya', 'dev', 'security'],
    explanation: 'Workflows run with tokens; a change to them is a change to the supply chain.',
    words:
      /\b(?:github actions?\b(?! bot)|workflow files?|\.github\/workflows|ci (?:pipeline|job|workflow|config\w*)|release workflow)/i,
    paths: /(?:^|\/)\.github\/(?:workflows|actions)\//i,
    title: 'This changes what runs in CI.',
    suggestion: 'which permissions the job needs, and actions pinned by commit',
  },
  {
    id: 'dependency-request',
    severity: 'medium',
    concerns: ['maya', 'dev', 'security', 'architecture'],
    explanation: 'Each dependency is code that others can change.',
    words:
      /\b(?:(?:add|use|adopt|switch to|replace \S+ with|depend on|pull in|install)\s+(?:the\s+)?[`"']?[@\w./-]+[`"']?\s+(?:librar(?:y|ies)|packages?|dependenc(?:y|ies)|npm package|sdk|framework)|new (?:runtime )?dependenc(?:y|ies)|(?:upgrade|bump|update)\s+[`"']?[@\w./-]+[`"']?\s+(?:from\s+\S+\s+)?to\s+v?\d+)/i,
    unless: /\b(?:no|without|zero|avoid(?:ing)?|any) (?:a |any )?new (?:runtime )?dependenc/i,
    title: 'A dependency comes in or moves.',
    suggestion: 'why that one, its size and its maintenance, and what could be done without it',
  },
  {
    id: 'accessibility',
    severity: 'low',
    concerns: ['priya', 'accessibility', 'quality'],
    explanation: 'What cannot be reached by keyboard or heard is not there for some.',
    words:
      /\b(?:a11y|accessib(?:le|ility)(?! modifier)|screen[- ]?readers?|keyboard (?:navigation|users?|only|focus|trap)|aria(?:-[a-z]+)?\b|(?:colou?r )contrast|wcag|focus (?:ring|trap|order|outline)|alt text|colou?r[- ]blind)/i,
    title: 'People who use assistive technology are affected.',
    suggestion: 'keyboard path and what a screen reader says, as criteria',
  },
];

const REPORTING =
  /\b(?:vulnerab\w+|exploit\w*|proof of concept|poc\b|xss|cross[- ]site scripting|sql injection|command injection|code injection|rce\b|remote code execution|path traversal|directory traversal|ssrf|privilege escalation|auth\w* bypass|bypass(?:es|ed|ing)? (?:the )?(?:auth\w*|login|permission\w*|check)|arbitrary (?:code|file|command)s?|prototype pollution)\b/i;
const ATTACKING =
  /\b(?:attacker|anyone can|anybody can|any user can|lets? (?:an?|any) (?:attacker|user|one)|allows? (?:an?|any|remote|unauthenticated)|can (?:be (?:used|exploited|abused)|read|steal|overwrite|execute|run|escape)|exploit(?:able|s)?|payload|\.\.\/\.\.|<script|poc|proof of concept)/i;
const KNOWN_ADVISORY =
  /\b(?:CVE-\d{4}-\d+|GHSA-[\w-]+|npm audit|dependabot|security advisory for)\b/i;

/** A claim about speed or memory. */
export const SLOW =
  /\b(?:slow(?:er|ness|ly)?|performance|faster|speed(?: up)?|memory (?:leak|usage|consumption|hungry)|latency|takes (?:too long|forever|ages)|optimi[sz]e|cpu usage|laggy)\b/i;
const FIGURE =
  /\b\d{1,15}(?:[.,]\d{1,15})?\s{0,9}(?:ms|µs|us|ns|s|secs?|seconds?|m|min|minutes?|hours?|h|kb|mb|gb|kib|mib|gib|%|x|×|times|req\/s|rps|fps|ops|(?:k|m|million|thousand)?\s{0,9}(?:rows|files|lines|entries|items|records|users|requests|issues|paths))(?![\w])/i;

function wordFinding(reading: Reading, rule: WordRule): Finding[] {
  const quote = sentenceMatching(reading, rule);
  if (quote !== undefined)
    return [
      {
        title: rule.title,
        evidence: `"${quote}"`,
        ...placeOf(reading, rule),
        ...(rule.suggestion === undefined ? {} : { suggestion: rule.suggestion }),
      },
    ];
  const file = fileOf(reading, rule);
  if (file === undefined) return [];
  return [
    {
      title: rule.title,
      evidence: `\`${file.path}\`: ${file.why}`,
      ...placeOf(reading, rule),
      ...(rule.suggestion === undefined ? {} : { suggestion: rule.suggestion }),
    },
  ];
}

function sentenceMatching({ title, prose }: Reading, rule: WordRule): string | undefined {
  const quote = sentenceWith(`${title}\n${prose}`, rule.words);
  return quote !== undefined && rule.unless?.test(quote) === true ? undefined : quote;
}

function fileOf(
  { ground }: Reading,
  rule: WordRule,
): Reading['ground']['files'][number] | undefined {
  return ground.files.find(({ path, score }) => score >= 5 && rule.paths?.test(path) === true);
}

function placeOf(reading: Reading, rule: WordRule): Pick<Finding, 'place'> {
  const file = fileOf(reading, rule);
  if (file === undefined) return {};
  const [line, endLine] = file.lines ?? [];
  return {
    place: {
      path: file.path,
      ...(line === undefined ? {} : { line }),
      ...(endLine === undefined || endLine === line ? {} : { endLine }),
    },
  };
}

const FROM_WORDS: readonly IssueRule[] = WORD_RULES.map((rule) => ({
  id: rule.id,
  severity: rule.severity,
  concerns: rule.concerns,
  explanation: rule.explanation,
  find: (reading) => (reading.subject === 'question' ? [] : wordFinding(reading, rule)),
}));

export const RISK_RULES: readonly IssueRule[] = [
  ...FROM_WORDS,
  {
    id: 'contains-secret',
    severity: 'critical',
    concerns: ['maya', 'security'],
    explanation:
      'A credential that was posted is known to everyone; it has to be revoked, not only removed.',
    find: ({ secrets }) =>
      secrets.slice(0, 3).map(({ kind, where, line, length }) => ({
        title: `${where} contains what looks like a ${kind}.`,
        evidence: `line ${line}, ${length} characters; the value is not repeated here`,
        suggestion: 'the credential revoked at its issuer, then edited out',
      })),
  },
  {
    id: 'security-report-in-public',
    severity: 'high',
    concerns: ['maya', 'security'],
    explanation:
      'A hole described in public is open to all until it is closed; people decide how to go on.',
    find: ({ title, said, view }) => {
      const text = `${title}\n${said}`;
      const quote = sentenceWith(text, REPORTING);
      if (quote === undefined || KNOWN_ADVISORY.test(text) || !ATTACKING.test(text)) return [];
      return [
        {
          title: view.repository.isPrivate
            ? 'This reports a weakness that can be used.'
            : 'This describes, in public, a weakness that can be used.',
          evidence: `"${sentenceWith(text, ATTACKING) ?? quote}"`,
          suggestion: 'a private advisory, and an owner for the fix',
        },
      ];
    },
  },
  {
    id: 'performance-claim-without-numbers',
    severity: 'low',
    concerns: ['priya', 'dev', 'quality', 'implementation'],
    explanation: 'Without a figure nobody can tell whether it got better.',
    find: ({ title, prose, said, subject }) => {
      const quote = subject === 'question' ? undefined : sentenceWith(`${title}\n${prose}`, SLOW);
      return quote === undefined || FIGURE.test(said) || FIGURE.test(title)
        ? []
        : [
            {
              title: 'Speed or memory is claimed without a figure.',
              evidence: `"${quote}"`,
              suggestion: 'the input and the time or memory that was measured',
            },
          ];
    },
  },
];
