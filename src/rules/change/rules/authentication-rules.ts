/** Rules about who is let in: checks that are off, removed, or can be got around. */
import { around, lines } from '../line-rule.ts';
import type { ChangedFile } from '../read-change.ts';
import { inFile } from '../change-rule.ts';
import type { ReviewRule } from '../change-rule.ts';

/** Calls and decorators that keep people out, by the habits of the common frameworks. */
const GUARD =
  /\b(?:requireAuth|requireLogin|requireAdmin|requireRole|requirePermission|ensureAuthenticated|ensureLoggedIn|isAuthenticated|checkPermissions?|checkAccess|authorize|verifyToken|verifySignature|verify_signature|login_required|permission_required|user_passes_test|csrfProtection|rateLimit(?:er)?)\b\s*[(,)]|@(?:login_required|permission_required|requires_auth|jwt_required|UseGuards|PreAuthorize|RolesAllowed)\b/;

function guardName(text: string): string {
  return GUARD.exec(text)?.[0].replaceAll(/[\s(,)@]/g, '') ?? '';
}

function stillGuards(file: ChangedFile, name: string): boolean {
  return [...file.lines.values()].some(
    (line) => file.addedNumbers.has(line.line) && line.code.includes(name),
  );
}

export const AUTHENTICATION_RULES: readonly ReviewRule[] = [
  {
    id: 'guard-removed',
    area: 'authentication',
    severity: 'high',
    personas: ['maya', 'carlos'],
    title: 'A check of who may do this is removed.',
    explanation:
      'Code that was reached only by those who may is reached by everybody, unless another check took over.',
    advice: 'keep the check, or say in the description what checks instead',
    examples: {
      yes: [
        inFile(
          'src/a.ts',
          "-app.delete('/users/:id', requireAdmin, remove);\n+app.delete('/users/:id', remove);",
        ),
        inFile('app/a.py', ' import x\n-@login_required\n def view(request):'),
      ],
      no: [
        inFile(
          'src/a.ts',
          "-app.delete('/users/:id', requireAdmin, remove);\n+app.delete('/users/:key', requireAdmin, remove);",
        ),
        inFile('src/a.ts', '-export function requireAdmin(request: Request): void {'),
        inFile('src/a.ts', "-app.delete('/users/:id', requireAdmin, remove);"),
      ],
    },
    find: ({ files }) =>
      files
        .filter(
          ({ isTest, file, language }) =>
            !isTest &&
            file.status !== 'deleted' &&
            ['script', 'python', 'code', 'go'].includes(language),
        )
        .flatMap((file) =>
          file.removed
            .filter(
              ({ code }) =>
                GUARD.test(code) &&
                !/^\s*(?:import|from|export|(?:async\s+)?function|def|const|let|func)\b/.test(code),
            )
            .filter(({ code }) => !stillGuards(file, guardName(code)) && staysWithout(file, code))
            .map(({ line }) => ({ file, line, side: 'LEFT' as const })),
        ),
  },
  {
    id: 'token-not-verified',
    area: 'authentication',
    severity: 'critical',
    personas: ['maya'],
    title: 'A signed token is read without checking its signature.',
    explanation: 'Anybody can write such a token and pose as any user.',
    advice: 'verify it with the key and a fixed list of algorithms',
    examples: {
      yes: [
        inFile('app/a.py', '+claims = jwt.decode(token, options={"verify_signature": False})'),
        inFile('src/a.ts', "+const claims = jwt.verify(token, key, { algorithms: ['none'] });"),
      ],
      no: [
        inFile('app/a.py', '+claims = jwt.decode(token, key, algorithms=["RS256"])'),
        inFile('src/a.ts', "+const claims = jwt.verify(token, key, { algorithms: ['RS256'] });"),
      ],
    },
    find: lines(
      {
        in: ['python'],
        view: 'live',
        pattern: /["']verify_signature["']\s*:\s*False|\bjwt\.decode\(.*\bverify\s*=\s*False/,
      },
      {
        in: ['script', 'python', 'code'],
        view: 'live',
        pattern: /\balgorithms?["']?\s*[:=]\s*\[?\s*["']none["']/i,
      },
      {
        in: ['go'],
        view: 'live',
        pattern: /\.ParseUnverified\(|\bjwt\.UnsafeAllowNoneSignatureType\b/,
      },
    ),
  },
  {
    id: 'certificate-not-checked',
    area: 'authentication',
    severity: 'high',
    personas: ['maya'],
    title: 'The certificate of the other side is not checked.',
    explanation: 'Anybody on the way can answer in its place, and read and change everything.',
    advice: 'leave the check on; for an own authority give its certificate as `ca`',
    examples: {
      yes: [
        inFile('src/a.ts', '+const agent = new https.Agent({ rejectUnauthorized: false });'),
        inFile('app/a.py', '+requests.get(url, timeout=5, verify=False)'),
        inFile('a.go', '+config := &tls.Config{InsecureSkipVerify: true}'),
        inFile('deploy.sh', '+curl -k https://example.org/install'),
      ],
      no: [
        inFile('src/a.ts', '+const agent = new https.Agent({ rejectUnauthorized: true });'),
        inFile('app/a.py', '+requests.get(url, timeout=5, verify=ca_bundle)'),
        inFile('deploy.sh', '+curl -fsSL https://example.org/install -o install-kit'),
      ],
    },
    find: lines(
      {
        in: ['script'],
        pattern: /\brejectUnauthorized\s*:\s*false\b/,
        suggest: ({ text }) =>
          text.replace(/\brejectUnauthorized\s*:\s*false\b/, 'rejectUnauthorized: true'),
      },
      {
        in: ['script', 'shell', 'docker', 'workflow', 'yaml'],
        view: 'live',
        pattern: /\bNODE_TLS_REJECT_UNAUTHORIZED\b["'\]]*\s*[:=]\s*["']?0\b/,
      },
      {
        in: ['python'],
        pattern:
          /\b(?:requests|httpx|session|client)\.\w+\(.*\bverify\s*=\s*False\b|\bssl\._create_unverified_context\b|\bcheck_hostname\s*=\s*False\b/,
      },
      {
        in: ['go'],
        pattern: /\bInsecureSkipVerify:\s*true\b/,
        suggest: ({ text }) =>
          text.replace(/InsecureSkipVerify:\s*true/, 'InsecureSkipVerify: false'),
      },
      {
        in: ['shell', 'docker', 'workflow'],
        view: 'live',
        pattern:
          /\bcurl\s(?:[^|;&]*\s)?(?:-[a-zA-Z]*k[a-zA-Z]*|--insecure)\s|\bwget\s[^|;&]*--no-check-certificate\b/,
        unless: /localhost|127\.0\.0\.1/,
      },
    ),
  },
  {
    id: 'any-origin-with-credentials',
    area: 'authentication',
    severity: 'high',
    personas: ['maya'],
    title: 'Every website may call this with the visitor’s credentials.',
    explanation:
      'A page that a signed-in person merely opens can then read and change what is theirs.',
    advice: 'name the origins that may, from a list',
    examples: {
      yes: [inFile('src/a.ts', '+app.use(cors({ origin: true, credentials: true }));')],
      no: [
        inFile(
          'src/a.ts',
          "+app.use(cors({ origin: ['https://app.example.org'], credentials: true }));",
        ),
        inFile('src/a.ts', "+app.use(cors({ origin: '*' }));"),
      ],
    },
    find: lines({
      in: ['script', 'python', 'go'],
      view: 'live',
      pattern:
        /\borigin\s*:\s*(?:true|["']\*["']|\(?\w+,\s*\w+\)?\s*=>\s*\w+\(null,\s*true\))|\b(?:allow_origins|AllowOrigins|AllowedOrigins)\b\s*[:=]\s*(?:\[\]string\{|\[)\s*["']\*["']/,
      confirm: ({ line }, file) =>
        /\bcredentials["']?\s*:\s*true\b|\ballow_credentials\s*=\s*True\b|\bAllowCredentials:\s*true\b/.test(
          around(file, line, { before: 4, after: 4 }),
        ),
    }),
  },
  {
    id: 'cookie-not-protected',
    area: 'authentication',
    severity: 'medium',
    personas: ['maya'],
    title: 'A cookie is set without a protection that browsers offer.',
    explanation:
      'Without `httpOnly` scripts can read it, without `secure` it goes over plain connections.',
    advice: 'leave `httpOnly` and `secure` on for everything that stands for a person',
    examples: {
      yes: [
        inFile('src/a.ts', "+res.cookie('session', id, { httpOnly: false });"),
        inFile('app/a.py', '+SESSION_COOKIE_SECURE = False'),
      ],
      no: [
        inFile('src/a.ts', "+res.cookie('session', id, { httpOnly: true, secure: true });"),
        inFile('src/a.ts', '+const options = { secure: false, port: 587 };'),
      ],
    },
    find: lines(
      {
        in: ['script'],
        pattern: /\bhttpOnly\s*:\s*false\b/,
        suggest: ({ text }) => text.replace(/\bhttpOnly\s*:\s*false\b/, 'httpOnly: true'),
      },
      { in: ['script'], pattern: /\bcookie\b.*\bsecure\s*:\s*false\b/i },
      {
        in: ['python'],
        pattern: /\b(?:SESSION|CSRF)_COOKIE_(?:SECURE|HTTPONLY)\s*=\s*False\b/,
        suggest: ({ text }) => text.replace(/=\s*False\b/, '= True'),
        notPath: /(?:^|\/)(?:dev|local|test)\w*\.py$/,
      },
      { in: ['go'], pattern: /\bhttp\.Cookie\{.*\b(?:HttpOnly|Secure):\s*false\b/ },
    ),
  },
  {
    id: 'secret-compared-plainly',
    area: 'authentication',
    severity: 'medium',
    personas: ['maya'],
    title: 'A signature or token is compared in a way whose time tells how much of it was right.',
    explanation:
      'Given enough tries, the time of the answer gives away the right value piece by piece.',
    advice: 'compare with `timingSafeEqual`, `hmac.compare_digest` or `subtle.ConstantTimeCompare`',
    examples: {
      yes: [
        inFile('src/a.ts', '+if (signature === expectedSignature) accept();'),
        inFile('app/a.py', '+if digest == expected_hmac:'),
      ],
      no: [
        inFile('src/a.ts', '+if (signature === undefined) return;'),
        inFile('src/a.ts', '+if (timingSafeEqual(signature, expectedSignature)) accept();'),
        inFile('src/a.ts', '+if (before.signature === after.kind) accept();'),
      ],
    },
    find: lines({
      in: ['script', 'python', 'go'],
      pattern:
        /\b(?:(?:expected|computed|actual|calculated)_?(?:signature|hmac|mac|digest|token)|(?:signature|hmac|mac|digest)_?(?:expected|computed|header|received))\b\s*(?:===?|!==?)\s*\w|[\w.]*(?:signature|hmac|digest|token)\s*(?:===?|!==?)\s*(?:expected|computed|calculated)_?(?:signature|hmac|mac|digest|token)\b/i,
      unless: /undefined|null|None|\bnil\b|length|\btypeof\b/,
    }),
  },
  {
    id: 'csrf-protection-off',
    area: 'authentication',
    severity: 'medium',
    personas: ['maya'],
    title: 'The protection against forged requests is switched off.',
    explanation: 'Another website can then make a signed-in visitor’s browser send this request.',
    advice: 'leave it on, and exempt only what is signed in another way, such as webhooks',
    examples: {
      yes: [inFile('app/a.py', '+@csrf_exempt\n+def transfer(request):\n+    move(request)')],
      no: [
        inFile('app/a.py', '+@csrf_exempt\n+def webhook(request):\n+    verify_signature(request)'),
        inFile('app/a.py', '+@csrf_protect\n+def transfer(request):'),
      ],
    },
    find: lines(
      {
        in: ['python'],
        pattern: /^\s*@csrf_exempt\b|\bWTF_CSRF_ENABLED\s*=\s*False\b/,
        confirm: ({ line }, file) =>
          !/signature|hmac|webhook/i.test(around(file, line, { after: 8 })),
      },
      {
        in: ['code'],
        pattern:
          /\.csrf\(\)\s*\.disable\(\)|csrf\s*->\s*csrf\.disable\(\)|skip_before_action\s+:verify_authenticity_token/,
      },
    ),
  },
];

/** Whether the guarded code is still there, without the guard: the rest of the line, or the code below it. */
function staysWithout(file: ChangedFile, code: string): boolean {
  const isDecorator = /^\s*@/.test(code);
  if (isDecorator) return true;
  const rest = code.replace(GUARD, '').replaceAll(/[\s,()]/g, '');
  const key = rest.slice(0, Math.min(12, rest.length));
  return [...file.lines.values()].some(
    (line) =>
      file.addedNumbers.has(line.line) &&
      key.length >= 6 &&
      line.code.replaceAll(/[\s,()]/g, '').startsWith(key),
  );
}
