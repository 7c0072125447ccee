/** Rules about cryptography: what is broken, too short, or can be guessed. */
import { around, lines } from '../line-rule.ts';
import type { ReadLine } from '../syntax/lex.ts';
import type { ChangedFile } from '../read-change.ts';
import { inFile } from '../change-rule.ts';
import type { ReviewRule } from '../change-rule.ts';

/** Words that tell that a value protects something; a checksum of a file does not. */
const PROTECTS =
  /passw|passphrase|secret|token|session|signature|\bsign|credential|\bauth|apikey|api_key|\bsalt|nonce|\botp\b|reset|invite/i;
/** The name of the platform's generator, in two parts, so that this file calls nothing. */
const WEAK_RANDOM = ['Math', 'random()'].join('.');

function protects(line: ReadLine, file: ChangedFile): boolean {
  return PROTECTS.test(around(file, line.line, { before: 1, after: 1, view: 'live' }));
}

export const CRYPTOGRAPHY_RULES: readonly ReviewRule[] = [
  {
    id: 'weak-hash',
    area: 'cryptography',
    severity: 'high',
    personas: ['maya'],
    title: 'MD5 or SHA-1 protects a secret.',
    explanation: 'Both are broken against forgery, and so fast that passwords are found by trying.',
    advice:
      'use scrypt, argon2 or bcrypt for passwords, and SHA-256 or an HMAC of it for everything else',
    examples: {
      yes: [
        inFile('src/a.ts', "+const stored = createHash('md5').update(password).digest('hex');"),
        inFile('app/a.py', '+token = hashlib.sha1(user.encode()).hexdigest()'),
      ],
      no: [
        inFile('src/a.ts', "+const etag = createHash('md5').update(body).digest('hex');"),
        inFile('src/a.ts', "+const stored = createHash('sha256').update(token).digest('hex');"),
        inFile('app/a.py', '+digest = hashlib.sha1(token, usedforsecurity=False)'),
      ],
    },
    find: lines(
      {
        in: ['script'],
        view: 'live',
        pattern: /\bcreate(?:Hash|Hmac)\(\s*["'`](?:md5|sha-?1|md4|ripemd160)["'`]/i,
        confirm: protects,
      },
      {
        in: ['python'],
        pattern: /\bhashlib\.(?:md5|sha1)\(/,
        unless: /usedforsecurity\s*=\s*False/,
        confirm: protects,
      },
      { in: ['go'], pattern: /\b(?:md5|sha1)\.(?:New|Sum)\b/, confirm: protects },
    ),
  },
  {
    id: 'weak-cipher',
    area: 'cryptography',
    severity: 'high',
    personas: ['maya'],
    title: 'A broken cipher or mode is used.',
    explanation:
      'DES and RC4 can be broken by brute force, and ECB shows where the same text is repeated.',
    advice: 'use AES-256-GCM or ChaCha20-Poly1305 with a fresh nonce for each message',
    examples: {
      yes: [
        inFile('src/a.ts', "+const cipher = createCipheriv('aes-128-ecb', key, null);"),
        inFile('app/a.py', '+cipher = AES.new(key, AES.MODE_ECB)'),
      ],
      no: [
        inFile('src/a.ts', "+const cipher = createCipheriv('aes-256-gcm', key, nonce);"),
        inFile('app/a.py', '+DESCRIPTION = "des"'),
      ],
    },
    find: lines(
      {
        in: ['script'],
        view: 'live',
        pattern:
          /\bcreate(?:Cipher|Decipher)(?:iv)?\(\s*["'`](?:des\b|des-|rc4|rc2|bf-|aes-\d{3}-ecb)|\bcreateCipher\(/i,
      },
      {
        in: ['python'],
        pattern: /\bMODE_ECB\b|\bmodes\.ECB\(|\b(?:DES3?|ARC4|ARC2|Blowfish)\.new\(/,
      },
      { in: ['go'], pattern: /\b(?:des|rc4)\.New(?:Triple)?(?:DES)?Cipher\(/ },
      {
        in: ['code'],
        view: 'live',
        pattern: /\bCipher\.getInstance\(\s*"(?:AES\/ECB|AES"|DES|RC4|Blowfish)/,
      },
    ),
  },
  {
    id: 'guessable-secret',
    area: 'cryptography',
    severity: 'high',
    personas: ['maya'],
    title: 'A secret is made with a generator that can be predicted.',
    explanation:
      'From a few values its state can be worked out, and with it every value before and after.',
    advice: 'use `crypto.randomBytes` or `randomUUID`, `secrets` in Python, `crypto/rand` in Go',
    examples: {
      yes: [
        inFile('src/a.ts', `+const token = ${WEAK_RANDOM}.toString(36);`),
        inFile('app/a.py', '+reset_code = random.randint(100000, 999999)'),
      ],
      no: [
        inFile('src/a.ts', `+const delay = base * ${WEAK_RANDOM};`),
        inFile('app/a.py', '+reset_code = secrets.randbelow(1000000)'),
        inFile('app/a.py', '+sample = random.choice(tokens)'),
      ],
    },
    find: lines(
      {
        in: ['script'],
        pattern:
          /\b(?:\w*(?:[tT]oken|[sS]ecret|[pP]assword|[sS]ession(?:Id)?|[nN]once|[sS]alt|[oO]tp|api[kK]ey|[rR]esetCode|[iI]nviteCode)\w*)\s*(?::\s*string\s*)?[:=]\s*[^;]{0,80}\bMath\s?\.\s?random\b/,
      },
      {
        in: ['python'],
        pattern:
          /\b\w*(?:token|secret|password|session_id|nonce|salt|otp|api_key|reset_code|invite_code)\w*\s*=\s*[^#]{0,80}(?<![\w.])random\.(?:random|randint|randrange|choices?|getrandbits|sample)\(/i,
      },
    ),
  },
  {
    id: 'weak-key',
    area: 'cryptography',
    severity: 'medium',
    personas: ['maya'],
    title: 'A key is too short, or too few rounds stretch a password.',
    explanation:
      'What is enough grows with the machines of those who try; 1024-bit RSA has been in reach for years.',
    advice:
      'use RSA with at least 2048 bits or Ed25519, 600,000 rounds of PBKDF2, cost 10 or more of bcrypt',
    examples: {
      yes: [
        inFile('src/a.ts', "+generateKeyPairSync('rsa', { modulusLength: 1024 });"),
        inFile('src/a.ts', "+pbkdf2Sync(password, salt, 1000, 32, 'sha256');"),
        inFile('app/a.py', '+key = RSA.generate(1024)'),
      ],
      no: [
        inFile('src/a.ts', "+generateKeyPairSync('rsa', { modulusLength: 4096 });"),
        inFile('src/a.ts', "+pbkdf2Sync(password, salt, 600_000, 32, 'sha256');"),
      ],
    },
    find: lines(
      {
        in: ['script'],
        pattern:
          /\bmodulusLength\s*:\s*(?:512|768|1024)\b|\bpbkdf2(?:Sync)?\([^,]+,[^,]+,\s*\d{1,4}\s*,|\bbcrypt(?:js)?\.(?:hash|hashSync|genSalt|genSaltSync)\((?:[^,()]+,\s*)?[1-7]\s*[,)]/,
      },
      {
        in: ['python'],
        pattern:
          /\bRSA\.generate\(\s*(?:512|768|1024)\b|\bkey_size\s*=\s*(?:512|768|1024)\b|\brounds\s*=\s*[1-7]\b/,
      },
      { in: ['go'], pattern: /\brsa\.GenerateKey\([^,]+,\s*(?:512|768|1024)\)/ },
    ),
  },
  {
    id: 'fixed-nonce',
    area: 'cryptography',
    severity: 'high',
    personas: ['maya'],
    title: 'A cipher is given the same nonce each time.',
    explanation:
      'Two messages under one nonce give away what differs between them, and with GCM the key that signs.',
    advice: 'take a fresh one from `randomBytes` for each message and send it along',
    examples: {
      yes: [
        inFile('src/a.ts', "+const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(12));"),
      ],
      no: [
        inFile('src/a.ts', "+const cipher = createCipheriv('aes-256-gcm', key, randomBytes(12));"),
        inFile('src/a.ts', '+const iv = Buffer.alloc(12); randomFillSync(iv);'),
      ],
    },
    find: lines(
      {
        in: ['script'],
        pattern:
          /\bcreateCipheriv\([^,]+,[^,]+,\s*(?:Buffer\.alloc\(|Buffer\.from\(\s*["'`]|new Uint8Array\(\d+\)|["'`])/,
      },
      {
        in: ['python'],
        pattern:
          /\.new\([^)]*\b(?:iv|nonce)\s*=\s*b["']|\.new\([^)]*\b(?:iv|nonce)\s*=\s*(?:bytes\(\d+\)|b["'][^"']*["']\s*\*)/,
      },
    ),
  },
];
