/** Rules about Dockerfiles and about scripts that fetch what they run. */
import { lines } from '../line-rule.ts';
import type { ChangedFile } from '../read-change.ts';
import { inFile } from '../change-rule.ts';
import type { ReviewRule } from '../change-rule.ts';

/** Names that earlier `FROM … AS name` lines of the file gave: those are stages, not images. */
function stagesOf(file: ChangedFile): Set<string> {
  return new Set(
    [...file.lines.values()].map(
      ({ live }) => /^\s*FROM\s.*\sAS\s+(\S+)/i.exec(live)?.[1]?.toLowerCase() ?? '',
    ),
  );
}

export const CONTAINER_RULES: readonly ReviewRule[] = [
  {
    id: 'image-not-pinned',
    area: 'containers',
    severity: 'medium',
    personas: ['maya', 'dev'],
    title: 'The base image has no version.',
    explanation:
      'The same Dockerfile builds something else tomorrow, and nobody can tell what ran yesterday.',
    advice: 'name a version, better with its digest: `image:1.2@sha256:…`',
    examples: {
      yes: [inFile('Dockerfile', '+FROM node'), inFile('Dockerfile', '+FROM node:latest AS build')],
      no: [
        inFile('Dockerfile', '+FROM node:24-slim AS build\n+FROM build\n+FROM scratch'),
        inFile('Dockerfile', '+ARG BASE=node:24\n+FROM ${BASE}'),
        inFile('Dockerfile', '+FROM registry.example.org:5000/app@sha256:abc'),
      ],
    },
    find: lines({
      in: ['docker'],
      view: 'live',
      pattern:
        /^\s*FROM\s+(?:--\S+\s+)?(?!scratch\b|\$)((?:[\w.-]+(?::\d+)?\/)*[\w.-]+)(?::latest)?(?:\s+AS\s+\S+)?\s*$/i,
      confirm: (_line, file, match) => !stagesOf(file).has((match[1] ?? '').toLowerCase()),
      title: (match) => `The base image \`${match[1]}\` has no version.`,
    }),
  },
  {
    id: 'secret-in-image',
    area: 'containers',
    severity: 'high',
    personas: ['maya'],
    title: 'A credential is built into the image.',
    explanation:
      '`ENV` and `ARG` values stay in the image’s layers and history; everybody who pulls it can read them.',
    advice: 'mount it for the one step: `RUN --mount=type=secret,id=…`',
    examples: {
      yes: [
        inFile('Dockerfile', '+ENV NPM_TOKEN=${NPM_TOKEN}'),
        inFile('Dockerfile', '+ARG DB_PASSWORD'),
      ],
      no: [
        inFile('Dockerfile', '+ENV TOKEN_LIFETIME=3600'),
        inFile('Dockerfile', '+RUN --mount=type=secret,id=npm npm ci'),
        inFile('Dockerfile', '+ENV PASSWORD_FILE=/run/secrets/password'),
      ],
    },
    find: lines({
      in: ['docker'],
      view: 'live',
      pattern:
        /^\s*(?:ENV|ARG)\s+(?:\w+=\S*\s+)*\w*(?:PASSWORD|PASSWD|SECRET|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|(?:AUTH|NPM|GITHUB|GH|ACCESS|PYPI|NODE_AUTH)_TOKEN)(?:\s*=|\s|$)/i,
    }),
  },
  {
    id: 'download-not-verified',
    area: 'containers',
    severity: 'medium',
    personas: ['maya'],
    title: 'A file from the network is added without a checksum.',
    explanation: 'Whatever the address serves at build time goes into the image.',
    advice: 'use `ADD --checksum=sha256:…`, or fetch and compare in one step',
    examples: {
      yes: [inFile('Dockerfile', '+ADD https://example.org/tool.tar.gz /opt/')],
      no: [
        inFile('Dockerfile', '+ADD --checksum=sha256:abc https://example.org/tool.tar.gz /opt/'),
        inFile('Dockerfile', '+ADD tool.tar.gz /opt/'),
      ],
    },
    find: lines({
      in: ['docker'],
      view: 'live',
      pattern: /^\s*ADD\s+(?!.*--checksum=)(?:--\S+\s+)*https?:\/\//i,
    }),
  },
  {
    id: 'container-runs-as-root',
    area: 'containers',
    severity: 'low',
    personas: ['maya'],
    title: 'The container runs as root.',
    explanation:
      'Who breaks out of the program is root in the container, one fault away from the machine.',
    advice: 'end with `USER` and a name or number that is not root',
    examples: {
      yes: [
        inFile(
          'Dockerfile',
          '+FROM python:3.13-slim\n+COPY . /app\n+CMD ["python", "/app/main.py"]',
        ),
      ],
      no: [
        inFile(
          'Dockerfile',
          '+FROM python:3.13-slim\n+COPY . /app\n+USER app\n+CMD ["python", "/app/main.py"]',
        ),
        inFile(
          'Dockerfile',
          '+FROM registry.example.org/distroless/nodejs24:nonroot\n+CMD ["main.js"]',
        ),
        inFile('Dockerfile', ' FROM python:3.13-slim\n+COPY . /app'),
      ],
    },
    find: ({ files }) =>
      files
        .filter(({ language, isNew }) => language === 'docker' && isNew)
        .flatMap((file) => {
          const all = [...file.lines.values()];
          const last = all.findLastIndex(({ live }) => /^\s*FROM\s/i.test(live));
          const stage = all.slice(Math.max(0, last));
          const start = stage.find(({ live }) => /^\s*(?:CMD|ENTRYPOINT)\b/i.test(live));
          const isSafe = stage.some(
            ({ live }) =>
              /^\s*USER\s+(?!root\b|0\b)\S/i.test(live) ||
              /^\s*FROM\s+\S*(?:nonroot|rootless)/i.test(live),
          );
          return start === undefined || isSafe ? [] : [{ file, line: start.line }];
        }),
  },
  {
    id: 'download-piped-to-shell',
    area: 'supply chain',
    severity: 'medium',
    personas: ['maya'],
    title: 'A script is run straight from the network.',
    explanation:
      'Whatever the address serves runs, unseen and unversioned; a broken download runs by half.',
    advice: 'fetch a fixed version, compare its checksum, then run it',
    examples: {
      yes: [
        inFile('Dockerfile', '+RUN curl -fsSL https://example.org/install.sh | sh'),
        inFile('install.sh', '+wget -qO- https://example.org/i | sudo bash -s -- --yes'),
      ],
      no: [
        inFile('install.sh', '+curl -fsSL https://example.org/data.json | jq .version'),
        inFile('README.md', '+curl -fsSL https://example.org/install.sh | sh'),
      ],
    },
    find: lines({
      in: ['docker', 'shell', 'workflow'],
      view: 'live',
      pattern:
        /\b(?:curl|wget)\s[^|;&]*\|\s*(?:sudo\s+(?:-\S+\s+)*)?(?:\/bin\/|\/usr\/bin\/)?(?:ba|z|da)?sh\b|\b(?:ba|z)?sh\s+(?:-c\s+["']\$\(|<\()\s*(?:curl|wget)\s/,
      unless: /^\s*echo\b/,
    }),
  },
  {
    id: 'open-file-mode',
    area: 'containers',
    severity: 'medium',
    personas: ['maya'],
    title: 'Everybody on the machine may write this file.',
    explanation:
      'Any other program can replace what is in it, and what is in it is read or run later.',
    advice: 'give 644 or 600 to files and 755 to what is run',
    examples: {
      yes: [
        inFile('Dockerfile', '+RUN chmod -R 777 /app'),
        inFile('app/a.py', '+os.chmod(path, 0o777)'),
      ],
      no: [
        inFile('Dockerfile', '+RUN chmod 755 /app/run'),
        inFile('src/a.ts', '+await chmod(path, 0o600);'),
      ],
    },
    find: lines(
      {
        in: ['docker', 'shell', 'workflow'],
        view: 'live',
        pattern: /\bchmod\s+(?:-\w+\s+)*(?:0?777|0?666|a\+rwx|a\+w|o\+w)\b/,
      },
      {
        in: ['script', 'python', 'go'],
        pattern:
          /\b[cC]hmod(?:Sync)?\(.*\b0o?(?:777|666)\b|\b(?:WriteFile|OpenFile|MkdirAll|Mkdir)\(.*,\s*0o?(?:777|666)\)/,
      },
    ),
  },
];
