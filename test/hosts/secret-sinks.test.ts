/** Each kind of credential against each way out of the process: logs, prompts, errors, GitHub, output and patch. */
import { describe, expect, test } from 'vitest';
import { assembleComment } from '../../src/adapters/github/write/comment-body.ts';
import { shortText } from '../../src/domain/text/cap-body.ts';
import { createKeptOutput } from '../../src/adapters/bubblewrap/kept-output.ts';
import { createSecretDetector } from '../../src/adapters/secrets/detector.ts';
import { loadSecretlint } from '../../src/adapters/secrets/secretlint.ts';
import { ConfigError } from '../../src/domain/event/errors.ts';
import { judgeScope } from '../../src/policy/gates/judge-scope.ts';
import { tailOfLog } from '../../src/domain/gates/log-tail.ts';
import { quarantine } from '../../src/domain/prompt/quarantine.ts';
import { scrubSecrets } from '../../src/domain/secrets/scrub.ts';
import { redactSecrets } from '../../src/domain/secrets/secret-text.ts';
import { reportFailure } from '../../src/hosts/cli/report-failure.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { aChangedFile } from '../helpers/a-changed-file.ts';
import { SECRET_KINDS, type SecretKind } from '../helpers/secret-kinds.ts';
import { verifies } from '../verifies.ts';

const NONCE = 'f3a9c1d07b5e4826';

/** Everything that a log writes, in each format, about a text wherever it may be. */
function logged(text: string): string {
  let written = '';
  for (const format of ['json', 'pretty']) {
    const log = createLog({ format, destination: { write: (line) => void (written += line) } });
    const error = new Error(`push failed: ${text}`, { cause: new Error(text) });
    log.info(`got ${text} from upstream`);
    log.warn({ answer: { headers: [text], nested: { deep: `x ${text} y` } } }, 'refused');
    log.error({ err: error }, 'failed');
    log.error({ answer: JSON.stringify({ value: text, more: 1 }) }, 'failed');
  }
  return written;
}

function reported(text: string): string {
  let written = '';
  const io = {
    env: { LOG_LEVEL: 'debug' },
    out: (piece: string) => void (written += piece),
    err: (piece: string) => void (written += piece),
  } as unknown as Parameters<typeof reportFailure>[0];
  const error = new ConfigError({
    code: 'file-missing',
    message: `no: ${text}`,
    details: `see ${text}`,
  });
  reportFailure(io, error, true);
  reportFailure(io, new Error(`no: ${text}`), true);
  return written;
}

/** What is printed in pieces that end within the credential, and more than is kept around it. */
function printed(text: string): string {
  const output = createKeptOutput(2_000);
  const bytes = Buffer.from(`start\n${text}\nend\n`);
  for (let at = 0; at < bytes.length; at += 7) output.add(bytes.subarray(at, at + 7));
  return tailOfLog(output.text());
}

const SINKS: Readonly<Record<string, (text: string) => string>> = {
  'a log line': logged,
  'a prompt': (text) => quarantine({ source: 'issue 1', trust: 'stranger', text }, NONCE).block,
  'Markdown in a prompt': (text) =>
    quarantine({ source: 'a.md', trust: 'stranger', text, isMarkdown: true, most: 60_000 }, NONCE)
      .block,
  'an error for people': reported,
  'a text for GitHub': (text) => assembleComment(`We saw ${text} here.`, '<!-- m -->'),
  'a title for GitHub': (text) => shortText(`Remove ${text}`, 2_000),
  'what a coder says': (text) => scrubSecrets(`I used ${text} for it.`),
  'what tests print': printed,
};

/** No 12 characters in a row of it are left; of several lines, of none of them. */
function leftOf({ secret }: SecretKind, written: string): string[] {
  return secret.split('\n').flatMap((row) => {
    const step = Math.max(1, Math.min(12, row.length - 12));
    return Array.from({ length: Math.max(1, Math.floor(row.length / step)) }, (_, at) =>
      row.slice(at * step, at * step + 12),
    ).filter((piece) => piece.length >= Math.min(12, row.length) && written.includes(piece));
  });
}

test('there are 38 kinds of credential and more, each another text', () => {
  expect(SECRET_KINDS.length).toBeGreaterThanOrEqual(38);
  expect(new Set(SECRET_KINDS.map(({ secret }) => secret)).size).toBe(SECRET_KINDS.length);
});

describe.each(Object.entries(SINKS))('%s', (_sink, write) => {
  verifies('SEC-01', 'holds nothing of any kind of credential', () => {
    for (const one of SECRET_KINDS)
      for (const text of [
        one.text,
        `before ${one.text} after`,
        `(${one.text})`,
        `a\n${one.text}\nb`,
      ])
        expect([one.kind, leftOf(one, write(text))]).toEqual([one.kind, []]);
  });
});

describe('a patch', () => {
  const detect = createSecretDetector({
    load: loadSecretlint,
    onMissing: (error) => {
      throw error;
    },
  });
  const judge = (text: string, path = 'src/config.ts') =>
    judgeScope(
      {
        text: `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,0 +2,${text.split('\n').length} @@\n${text.replaceAll(/^/gm, '+')}\n`,
        isTooLarge: false,
        files: [aChangedFile(path)],
      },
      {
        planned: [],
        paths: { protected: [] },
        approvedPaths: [],
        maxChangedLines: 100,
        maxBinaryKb: 5,
        manifests: [],
      },
      detect,
    );

  verifies(
    ['SEC-02: known shapes', 'SEC-05: change of a task'],
    'with any kind of credential is refused, with its place and not its value',
    async () => {
      for (const one of SECRET_KINDS) {
        const { result, sentence } = await judge(`// settings\n${one.text}`);
        expect([one.kind, result]).toEqual([one.kind, 'failed']);
        expect([one.kind, sentence]).toEqual([
          one.kind,
          expect.stringMatching(/`src\/config\.ts` holds what looks like a .+ in line \d+\./),
        ]);
        expect([one.kind, leftOf(one, sentence)]).toEqual([one.kind, []]);
      }
    },
  );

  test('that is too long for the linter is looked through all the same', async () => {
    const token = SECRET_KINDS.find(({ kind }) => kind === 'GitHub classic')?.text ?? '';
    const sightings = await detect(`${'x '.repeat(1_100_000)}\n${token}`, 'a.txt');
    expect(sightings).toMatchObject([{ kind: 'GitHub token', line: 2 }]);
  });
});

describe('an output of which the middle was left out', () => {
  test('holds no rest of a credential at the edges', () => {
    const one = SECRET_KINDS.find(({ kind }) => kind === 'GitHub classic');
    if (one === undefined) throw new Error('no such kind');
    for (let shift = 0; shift < 60; shift += 1) {
      const output = createKeptOutput(400);
      const filler = 'y '.repeat(80);
      output.add(Buffer.from(`${filler}${'z'.repeat(shift)} ${one.text} `));
      output.add(Buffer.from('q '.repeat(2_000)));
      output.add(Buffer.from(`${one.text} ${'z'.repeat(shift)}${filler}`));
      expect([shift, leftOf(one, scrubSecrets(output.text()))]).toEqual([shift, []]);
    }
  });

  test('holds no row of a key whose first lines are gone', () => {
    const one = SECRET_KINDS.find(({ kind }) => kind === 'PEM private key');
    if (one === undefined) throw new Error('no such kind');
    const cut = one.text.split('\n').slice(2).join('\n');
    for (const clean of [scrubSecrets, redactSecrets])
      expect(leftOf(one, clean(`log\n${cut}\nlog`))).toEqual([]);
  });
});
