/** `quorum personas phrases`: sentences in a persona's own voice, asked of a model once and kept in its file. */
import { generateObject } from '../../../act/model/generate-object.ts';
import { ConfigError } from '../../../domain/event/errors.ts';
import {
  keepFit,
  phrasesQuestion,
  renderPhrases,
  WrittenPhrases,
} from '../../../domain/persona/write-phrases.ts';
import { compileSoul, renderBlocks } from '../../../domain/persona/soul.ts';
import { trusted } from '../../../domain/prompt/prompt-text.ts';
import { OFFLINE } from '../../../domain/run/model-pool.ts';
import { sumCost } from '../../../domain/run/ledger.ts';
import { openModelPool } from '../../host-parts.ts';
import { createBasics } from '../basics.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { findPersona, type Place } from './persona-commands.ts';

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_TOKENS = 1_500;
const TIER = 'cheap';

/** Prints the section for the file; what the model wrote unfit is left out with the reason. */
export async function writePhrases(options: Place & { handle: string }, io: Io): Promise<ExitCode> {
  const persona = await findPersona(options, io);
  const model = openModelPool({ ...createBasics(io, { to: 'err' }), env: io.env });
  if (model.resolve(TIER) === OFFLINE)
    throw new ConfigError({
      code: 'model-unknown',
      message:
        'Phrases are written by a model, and no key of one is set. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or QUORUM_MODELS, or write the section by hand: docs/personas.md shows one.',
    });
  const { value, calls } = await generateObject({
    model,
    name: 'phrases',
    schema: WrittenPhrases,
    request: {
      model: TIER,
      tier: TIER,
      system: [{ text: trusted(renderBlocks(compileSoul(persona))) }],
      messages: [{ role: 'user', content: [{ text: phrasesQuestion() }] }],
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      timeoutMs: TIMEOUT_MS,
    },
  });
  const { phrases, faults } = keepFit(value);
  const { usd } = sumCost(calls);
  if (options.json === true) outJson(io, { handle: persona.handle, phrases, faults, costUsd: usd });
  else io.out(renderPhrases(phrases));
  for (const { name, why } of faults)
    io.err(`${name} is left out, so the built-in sentence is used: ${why}\n`);
  return EXIT.ok;
}
