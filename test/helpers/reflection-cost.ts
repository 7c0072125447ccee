/** What the reflection of a whole run costs at most, by the question that is really put and list prices. */
import { toQuestion } from '../../src/act/model/ask-persona.ts';
import { toOutputSchema } from '../../src/act/model/output-schema.ts';
import { BUILT_IN, estimateUsd, findPrice } from '../../src/adapters/model/pool/prices.ts';
import { onReflection } from '../../src/decide/kinds/reflection/on-reflection.ts';
import type { ResultData } from '../../src/decide/run/thread-context.ts';
import { defaultConfig } from '../../src/domain/config/config.ts';
import type { EffectData } from '../../src/domain/event/effect.ts';
import type { ModelRequest } from '../../src/ports/model.ts';
import { aRun, contextOf } from './a-run.ts';
import { TEAM } from './an-issue.ts';

/** English; what is estimated takes the dearer three. */
const CHARS_A_TOKEN = 4;
const FINDING = {
  severity: 'high' as const,
  title: 'A shell command is put together from values of the request',
  evidence: 'return execSync(`gunzip -c ${file}`, { maxBuffer: MAX_BYTES }).toString(); '.repeat(4),
  path: 'src/source.ts',
  line: 19,
};
const VOICE = {
  vote: 'CHANGES' as const,
  line: 'The command is built from a name that a person typed.',
  findings: [FINDING, FINDING, FINDING, FINDING],
};
const KNOWN = Array.from({ length: 6 }, (_, n) => `Lesson ${n} ${'of a file '.repeat(28)}`);

/** For a run of so many voices, each with much to say, with the dearest model that is cheap by default. */
export function mostReflectionUsd(voices: number): number {
  const personas = Array.from({ length: voices }, (_, n) => ({
    ...(TEAM[n % TEAM.length] ?? fail('no persona')),
    handle: `voice-${n}`,
    lens: 'Whatever can go wrong in the code that this change touches. '.repeat(4),
  }));
  const material = {
    run: 'RUN',
    subject: 'change' as const,
    headSha: 'a'.repeat(40),
    verdict: 'CHANGES' as const,
    headline: 'One finding has to go before this can be merged',
    voices: personas.map(({ handle }) => ({ ...VOICE, handle })),
    trust: 'maintainer' as const,
    cited: [],
  };
  const context = contextOf(aRun('reflection', { material }));
  const { run } = context;
  const effectId = run.phase.kind === 'looking' ? run.phase.effectId : '';
  const known = Object.fromEntries(
    personas.map(({ handle }) => [handle, KNOWN.map((lesson) => `${handle}: ${lesson}`)]),
  );
  const result = { config: defaultConfig(), personas, known, nonce: 'abcdefghijklmnop1234' };
  const done = { kind: 'done', effectKind: 'look-memory', effectId, run: run.id, result };
  onReflection(context, done as ResultData);
  const asks = context.step.effects.flatMap(({ data }) => (data.kind === 'ask' ? [data] : []));
  return asks.reduce((sum, ask) => sum + mostUsdOf(ask), 0);
}

/** Every output token is used, and the answer has to be repaired once. */
function mostUsdOf(ask: Extract<EffectData, { kind: 'ask' }>): number {
  const { request, form, schema } = toQuestion(ask);
  const first: ModelRequest = {
    ...request,
    output: { name: 'answer', schema: toOutputSchema(form ?? schema) },
  };
  const said = 'x'.repeat(request.maxOutputTokens * CHARS_A_TOKEN);
  const repair: ModelRequest = {
    ...first,
    messages: [...first.messages, { role: 'assistant', text: said }],
  };
  const usd = BUILT_IN.map(({ gives: { aliases, entries } }) => {
    const entry = entries[aliases.cheap ?? ''] ?? fail('no cheap model');
    const price = findPrice(entry) ?? fail('no list price');
    return (estimateUsd(first, price) ?? NaN) + (estimateUsd(repair, price) ?? NaN);
  });
  return Math.max(...usd);
}

function fail(why: string): never {
  throw new Error(why);
}
