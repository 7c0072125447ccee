/** The same two pull requests with and without memory: what differs in the second review, and what that costs. */
import { expect, test } from 'vitest';
import { toQuestion } from '../../src/act/model/ask-persona.ts';
import { toOutputSchema } from '../../src/act/model/output-schema.ts';
import { BUILT_IN, expectUsd, findPrice } from '../../src/adapters/model/pool/prices.ts';
import type { EffectData } from '../../src/domain/event/effect.ts';
import { reviewsOf } from '../helpers/a-pull.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { aPull } from '../helpers/talking.ts';

const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';

interface Figures {
  /** Findings of the second review, and those of them that say on which note they rest. */
  findings: number;
  onNotes: number;
  /** Characters that the voices and the lead of the second review were sent. */
  input: number;
  /** What models by Anthropic would take for the second review, and for what is asked after both, by the price list. */
  reviewUsd: number;
  backgroundUsd: number;
  /** Questions of the council, and questions in the background, of both reviews. */
  council: number;
  background: number;
  githubCalls: number;
}

type Ask = Extract<EffectData, { kind: 'ask' }>;

async function asksOf(world: TestWorld): Promise<{ thread: number; data: Ask }[]> {
  const effects = await world.store.records.effects({ limit: 10_000 });
  return effects.flatMap(({ data }) =>
    data.kind === 'ask' ? [{ thread: data.thread.number, data }] : [],
  );
}

function sizeOf({ prompt: { shared, own, task } }: Ask): number {
  return [...shared, ...own, task].reduce((sum, text) => sum + text.length, 0);
}

/** One that answers offline here has no usage, so each question is priced by its text, with an answer of usual length. */
function usdOf(asks: readonly { data: Ask }[]): number {
  const { entries, aliases } = BUILT_IN[0]?.gives ?? expect.fail('no models');
  const asked = asks.map(({ data }) => {
    const { request, form, schema } = toQuestion(data);
    const output = { name: 'answer', schema: toOutputSchema(form ?? schema) };
    return { request: { ...request, output }, name: aliases[data.tier ?? 'standard'] ?? '' };
  });
  const usd = expectUsd(
    asked.map(({ request }) => request),
    (request) => {
      const name = asked.find((each) => each.request === request)?.name ?? '';
      const entry = entries[name];
      return { name, price: entry && findPrice(entry) };
    },
  );
  return usd ?? expect.fail('a model without a price');
}

async function play(settings: string): Promise<Figures> {
  const text = `review:\n  settleSeconds: 0\n${settings}`;
  const world = await aWorld({ files: { '.github/quorum.yml': text } });
  const first = await aPull(world, { 'src/run.ts': EVAL });
  await world.idle();
  await world.emulator.as('ana').request('PUT', `/repos/${REPO}/pulls/${first}/merge`, {});
  await world.idle();
  const before = world.emulator.requests.length;
  const second = await aPull(world, { 'src/again.ts': EVAL.replace('run', 'again') }, 'second');
  await world.idle();
  const { reviews, comments } = await reviewsOf(world, second);
  const asks = await asksOf(world);
  const isBackground = ({ data }: { data: Ask }): boolean =>
    data.purpose === 'reflection' || data.purpose === 'consolidation';
  const council = asks.filter((each) => !isBackground(each));
  return {
    findings: comments.length,
    onNotes:
      [...reviews, ...comments.map(({ body }) => body)].join('\n').split('remembered and used')
        .length - 1,
    input: council
      .filter(({ thread }) => thread === second)
      .reduce((sum, { data }) => sum + sizeOf(data), 0),
    reviewUsd: usdOf(council.filter(({ thread }) => thread === second)),
    backgroundUsd: usdOf(asks.filter(isBackground)),
    council: council.length,
    background: asks.length - council.length,
    githubCalls: world.emulator.requests.length - before,
  };
}

test('memory names the note behind a finding, adds at most 15 % to the characters and the price of a review, and asks nobody twice', async () => {
  const forgetting = await play('memory:\n  enabled: false\n');
  const remembering = await play('');
  // Figures for those who compare, such as the report of a session.
  if (process.env['SHOW_FIGURES'] !== undefined) console.table({ forgetting, remembering });
  expect(forgetting.onNotes).toBe(0);
  expect(remembering.onNotes).toBeGreaterThan(0);
  expect(remembering.findings).toBeGreaterThanOrEqual(forgetting.findings);
  expect(remembering.council).toBe(forgetting.council);
  expect(forgetting.background).toBe(0);
  expect(remembering.background).toBeGreaterThan(0);
  expect(remembering.input).toBeLessThanOrEqual(forgetting.input * 1.15);
  expect(remembering.reviewUsd).toBeLessThanOrEqual(forgetting.reviewUsd * 1.15);
  expect(forgetting.backgroundUsd).toBe(0);
});
