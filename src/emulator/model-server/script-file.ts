/** A script of the model server as a file: rules that are tried in order. */
import { z } from 'zod';
import { echo, type Script } from './script.ts';

const Answer = z.strictObject({
  text: z.string().exactOptional(),
  json: z.unknown().exactOptional(),
  toolCalls: z
    .array(z.strictObject({ id: z.string().exactOptional(), name: z.string(), args: z.unknown() }))
    .exactOptional(),
  finish: z.enum(['stop', 'length', 'refusal']).exactOptional(),
  delayMs: z.number().nonnegative().exactOptional(),
  fault: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('status'), status: z.number().int() }),
      z.strictObject({ kind: z.literal('content-filter') }),
      z.strictObject({ kind: z.literal('hang') }),
      z.strictObject({ kind: z.literal('reset') }),
      z.strictObject({ kind: z.literal('garbage') }),
      z.strictObject({ kind: z.literal('empty') }),
    ])
    .exactOptional(),
});

const Rules = z.array(
  z.strictObject({
    /** Words that the system prompt or the last message contains; every call when absent. */
    when: z.string().exactOptional(),
    /** How many calls it answers; all of them when absent. */
    times: z.number().int().positive().exactOptional(),
    reply: z.union([z.string(), Answer]),
  }),
);

/** The first rule that fits answers; where none does, what was said is said back. @throws Error with what is wrong */
export function readScript(source: string): Script {
  const parsed = Rules.safeParse(JSON.parse(source));
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  const rules = parsed.data.map((rule) => ({ ...rule, left: rule.times ?? Infinity }));
  return (call) => {
    const rule = rules.find(
      ({ left, when = '' }) => left > 0 && `${call.system}\n${call.lastText}`.includes(when),
    );
    if (rule === undefined) return echo(call);
    rule.left -= 1;
    return rule.reply;
  };
}
