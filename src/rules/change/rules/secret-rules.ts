/** Rules about credentials: in code, in files that hold keys, and in logs. */
import { findSecrets } from '../../../domain/secrets/secret-text.ts';
import { bareFile } from '../bare-file.ts';
import { lines } from '../line-rule.ts';
import type { Change, ChangedFile } from '../read-change.ts';
import { inFile } from '../change-rule.ts';
import type { ReviewRule, Sighting } from '../change-rule.ts';

/** Words by which people mark a value as not real. */
const PLACEHOLDER =
  /example|dummy|fake|placeholder|changeme|change[_-]me|your[_-]|redacted|xxxx|\*{4}|<[^>]+>|\bsample\b|\bmock|insert|passw|todo/i;
/** A password of a server on one's own machine, or in the same set of containers, opens nothing. */
const LOCAL_ADDRESS =
  /:\/\/[^\s@/]{1,100}@(?:localhost|127\.0\.0\.1|\[::1\]|host\.docker\.internal|postgres|mysql|mongo|redis|db|database|rabbitmq)\b(?!\.)/i;
const KEY_FILE =
  /(?:^|\/)(?:id_(?:rsa|dsa|ecdsa|ed25519)|[^/]+\.(?:pem|key|p12|pfx|jks|keystore|kdbx))$/;
const KEY_STORE = /\.(?:p12|pfx|jks|keystore|kdbx)$/;
const ENV_FILE = /(?:^|\/)\.env(?:\.(?:local|prod|production|staging|dev|development))?$/;
const CREDENTIAL =
  '(?:password|passwd|passphrase|secret|api[_-]?key|auth[_-]?token|access[_-]?(?:key|token)|private[_-]?key|client[_-]?secret|credentials?)';

function secretsIn(file: ChangedFile, change: Change): Sighting[] {
  if (file.added.length === 0) return [];
  const own = findSecrets(file.added.map(({ text }) => text).join('\n'));
  const detected = change.context.secrets?.get(file.path) ?? [];
  const seen = new Map<number, string>();
  for (const { line, kind } of [...detected, ...own]) if (!seen.has(line)) seen.set(line, kind);
  return [...seen].flatMap(([at, kind]) => {
    const line = file.added[at - 1];
    if (line === undefined || LOCAL_ADDRESS.test(line.text)) return [];
    // Tests of tokens need tokens; one that is signed with a test's key opens nothing.
    if (file.isTest && kind === 'signed web token') return [];
    const isPlaceholder = PLACEHOLDER.test(line.text);
    const isExample = file.isTest || isPlaceholder || change.unread.includes(file);
    return [
      {
        file,
        line: line.line,
        title: `What looks like a ${kind} is committed.`,
        evidence: `this line contains a ${kind}; it is not quoted here`,
        ...(isExample ? { severity: isPlaceholder ? 'info' : 'low' } : {}),
        ...(!isExample && /(?:^|\/)(?:examples?|docs?)\//.test(file.path)
          ? { severity: 'medium' }
          : {}),
      } satisfies Sighting,
    ];
  });
}

/** Letters of several kinds without a readable word, as in a generated password. */
function isRandomLooking(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  const isName = /^[a-z]+(?:[-_./:][a-z]+)*$/i.test(value) || /^[\w-]+(?:\.[\w-]+)+$/.test(value);
  return !isName && !PLACEHOLDER.test(value) && (kinds >= 3 || (kinds >= 2 && value.length >= 20));
}

export const SECRET_RULES: readonly ReviewRule[] = [
  {
    id: 'secret-in-code',
    area: 'secrets',
    severity: 'critical',
    personas: ['maya'],
    title: 'What looks like a credential is committed.',
    explanation:
      'Anybody who can read the repository, now or later, can use it. Deleting the line does not help: it stays in the history.',
    advice: 'revoke it where it was issued, then read it from the environment or a secret store',
    examples: {
      yes: [inFile('src/a.ts', `+const key = '${['AK', 'IA'].join('')}QWERTYUIOPASDFGH';`)],
      no: [
        inFile('src/a.ts', "+const key = readSecret('AWS_ACCESS_KEY_ID');"),
        inFile('ci.yml', '+url: postgres://app:correct-horse@localhost:5432/app'),
        inFile('src/a.ts', '+const pattern = /gh[pousr]_[A-Za-z0-9]{30}/;'),
      ],
    },
    find: (change) =>
      [...change.files, ...change.unread].flatMap((file) => secretsIn(file, change)),
  },
  {
    id: 'hard-coded-password',
    area: 'secrets',
    severity: 'high',
    personas: ['maya'],
    title: 'A password or key is written into the code.',
    explanation: 'It cannot be rotated without a release, and everybody who reads the code has it.',
    advice: 'read it from the environment or a secret store, and rotate this one',
    examples: {
      yes: [inFile('src/db.ts', "+const db = connect({ user: 'app', password: 'v9K#x2pQ7m' });")],
      no: [
        inFile('src/db.ts', "+const db = connect({ user: 'app', password: env.DB_PASSWORD });"),
        inFile('src/form.ts', "+const field = { name: 'password', secret: 'user.password' };"),
        inFile('docs/use.md', "+password: 'v9K#x2pQ7m'"),
      ],
    },
    find: lines({
      in: ['script', 'python', 'go', 'code', 'yaml', 'docker', 'shell'],
      view: 'live',
      pattern: new RegExp(
        `\\b\\w{0,30}${CREDENTIAL}["']?\\s{0,5}(?::|:?=)\\s{0,5}["'\`]([^"'\`\\s$<{}]{8,200})["'\`]`,
        'i',
      ),
      confirm: (_line, _file, match) => isRandomLooking(match[1] ?? ''),
    }),
  },
  {
    id: 'key-file-added',
    area: 'secrets',
    severity: 'critical',
    personas: ['maya'],
    title: 'A private key or key store is added to the repository.',
    explanation: 'A key in a repository is known to everybody who ever clones it.',
    advice:
      'take the file out of the history, revoke the key, and keep the new one in a secret store',
    examples: {
      yes: [
        inFile(
          'deploy/id_rsa',
          `+${'-'.repeat(5)}BEGIN OPENSSH PRIVATE ${['K', 'EY'].join('')}${'-'.repeat(5)}`,
        ),
      ],
      no: [inFile('certs/ca.pem', '+-----BEGIN CERTIFICATE-----')],
    },
    find: (change) =>
      change.diff.files
        .filter(({ path, status }) => status === 'added' && KEY_FILE.test(path))
        .flatMap((file) => {
          const read = [...change.files, ...change.unread].find(({ path }) => path === file.path);
          const isKey = KEY_STORE.test(file.path)
            ? file.content === 'binary'
            : read?.added.some(({ text }) => text.includes('PRIVATE KEY')) === true;
          return isKey
            ? [
                {
                  file: read ?? bareFile(file),
                  line: 1,
                  scope: 'file' as const,
                  evidence: file.path,
                  code: file.path,
                },
              ]
            : [];
        }),
  },
  {
    id: 'env-file-added',
    area: 'secrets',
    severity: 'high',
    personas: ['maya'],
    title: 'An environment file with values is committed.',
    explanation: 'Such files hold what differs between machines, which is mostly credentials.',
    advice: 'commit `.env.example` with empty values instead and put `.env` into `.gitignore`',
    examples: {
      yes: [inFile('.env', '+DB_PASSWORD=hunter2')],
      no: [inFile('.env.example', '+DB_PASSWORD='), inFile('.env', '+LOG_LEVEL=info')],
    },
    find: ({ files }) =>
      files
        .filter(({ path }) => ENV_FILE.test(path))
        .flatMap((file) => {
          const line = file.added.find(({ text }) =>
            /^\s*(?:export\s+)?\w*(?:PASSWORD|SECRET|TOKEN|KEY|CREDENTIAL)\w*\s*=\s*[^\s#$]/.test(
              text,
            ),
          );
          return line === undefined
            ? []
            : [{ file, line: line.line, evidence: `${line.text.split('=')[0] ?? ''}=…` }];
        }),
  },
  {
    id: 'secret-logged',
    area: 'secrets',
    severity: 'high',
    personas: ['maya'],
    title: 'A credential is written to a log.',
    explanation:
      'Logs are kept longer, copied further and read by more people than secrets should be.',
    advice: 'log that it is set, or its length, and not its value',
    examples: {
      yes: [
        inFile('src/a.ts', '+logger.info(`login ${user} ${password}`);'),
        inFile('app/a.py', '+print("token", access_token)'),
      ],
      no: [
        inFile('src/a.ts', "+logger.info('password changed');"),
        inFile(
          'src/a.ts',
          '+logger.info({ hasToken: token !== undefined, tokens: usage.tokens });',
        ),
      ],
    },
    find: lines({
      in: ['script', 'python', 'go', 'code'],
      pattern:
        /\b(?:console\.(?:log|info|warn|error|debug)|log(?:ger|ging)?\.(?:debug|info|warn|warning|error|print\w*)|print|fmt\.Print\w*|log\.Print\w*)\(.{0,200}?(?:[,({+\s]|\$\{)(?:\w+\.){0,4}(?:password|passwd|passphrase|secret|apiKey|api_key|accessToken|access_token|authToken|auth_token|clientSecret|client_secret|privateKey|private_key)\s*(?:[,)}+]|$)/i,
      unless: /redact|mask|scrub|\blength\b|\blen\(|!==|===|!!/i,
    }),
  },
];
