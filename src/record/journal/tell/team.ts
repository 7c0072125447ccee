/** The team in a journal: what the PM read and proposed, what the personas said, and the verdict. */
import * as z from 'zod';
import type { VerdictWord } from '../../../domain/run/council.ts';
import { quoteCode, inLine, quoted } from '../quote.ts';
import { tellProposedRoles } from './memory.ts';
import type { Done, Position, Scene, Told } from './scene.ts';

export function tellProposal({ result }: Done<'propose'>, scene: Scene): Told[] {
  const { word, looked, calls } = result;
  const model = calls.at(-1)?.model;
  const by = model === undefined || model === 'offline' ? '' : ` with ${quoteCode(model)}`;
  const read = looked.map((each) => `Looked: ${quoteCode(readable(each))}`);
  const line = (text: string): string => inLine(text, scene.rules);
  if (word.kind === 'questions') {
    const lines = [...read, ...word.questions.map((each) => `Asked: ${line(each)}`)];
    return [{ kind: 'planning', text: `**The PM asked before it made a plan**${by}.`, lines }];
  }
  if (word.kind === 'answer')
    return [
      {
        kind: 'planning',
        text: `**The PM answered instead of making a plan**${by}.`,
        lines: read,
        quote: quoted(word.answer, scene.rules),
      },
    ];
  const lines = [
    ...read,
    ...(word.plan?.tasks ?? []).map(({ number, title }) => `Task ${number}: ${line(title)}`),
    ...word.questions.map((each) => `Open question: ${line(each)}`),
    ...word.risks.map((each) => `Risk: ${line(each)}`),
  ];
  const title = line(word.plan?.title ?? '');
  const quote = quoted(word.plan?.goal ?? '', scene.rules);
  return [{ kind: 'planning', text: `**The PM proposed a plan**${by}: ${title}`, lines, quote }];
}

/** A use of a tool, kept as its name and its arguments in JSON, in words. */
function readable(use: string): string {
  const [, tool = '', json] = /^(\w+) (\{.*\})$/.exec(use) ?? [];
  if (json === undefined) return use;
  const values = [...json.matchAll(/:"?([^",}]+)"?/g)].map(([, value = '']) => value);
  return [tool, ...values].join(' ');
}

export function tellIssue({ effectId, result }: Done<'issue'>, scene: Scene): Told[] {
  if (result.outcome !== 'created' && result.outcome !== 'reopened') return [];
  const wanted = scene.effects.get(effectId);
  const isPlan = wanted?.kind === 'issue' && wanted.marker.kind === 'proposal';
  const title = wanted?.kind === 'issue' ? `: ${inLine(wanted.title, scene.rules)}` : '';
  const what = isPlan ? 'plan' : 'issue';
  const text = `**Quorum ${result.outcome === 'created' ? 'opened' : 'reopened'} ${what} #${result.number}**${title}`;
  return [{ kind: 'planning', text }];
}

const Vote = z.object({
  skip: z.boolean(),
  vote: z.string(),
  confidence: z.number(),
  line: z.string(),
});
const Conclusion = z.object({
  verdict: z.string(),
  headline: z.string(),
  reasons: z.string(),
  question: z.string().optional(),
});
const Answer = z.object({ text: z.string() });
const Form = z.object({ position: z.unknown(), verdict: z.unknown() });

/** A position is kept until the verdict, which tells of all of them. */
export function tellAnswer({ effectId, run, result }: Done<'ask'>, scene: Scene): Told[] {
  const roles = tellProposedRoles({ effectId, result }, scene);
  if (roles !== undefined) return roles;
  const effect = scene.effects.get(effectId);
  const asked = effect?.kind === 'ask' ? effect : undefined;
  const verdict = partOf(result.value, 'verdict', Conclusion);
  if (verdict !== undefined)
    return [tellVerdict(verdict, { run, isReview: asked?.trigger === 'pr_review' }, scene)];
  const answer = Answer.safeParse(result.value).data;
  if (answer !== undefined && asked?.purpose === 'answer')
    return [
      {
        kind: 'discussion',
        text: `**${quoteCode(asked.persona)} answered**`,
        quote: quoted(answer.text, scene.rules),
      },
    ];
  const position = partOf(result.value, 'position', Vote);
  if (position !== undefined && asked?.purpose === 'position')
    notePosition({ handle: asked.persona, ...position }, run, scene);
  return [];
}

/** The answer itself, or the part of a form that holds it. */
function partOf<T>(
  value: unknown,
  part: 'position' | 'verdict',
  shape: z.ZodType<T>,
): T | undefined {
  return shape.safeParse(value).data ?? shape.safeParse(Form.safeParse(value).data?.[part]).data;
}

function notePosition(
  { skip, ...said }: z.infer<typeof Vote> & { handle: string },
  run: string,
  scene: Scene,
): void {
  const others = (scene.positions.get(run) ?? []).filter(({ handle }) => handle !== said.handle);
  scene.positions.set(run, [...others, { ...said, isSkipped: skip }]);
}

function tellVerdict(
  { verdict, headline, reasons, question }: z.infer<typeof Conclusion>,
  { run, isReview }: { run: string; isReview: boolean },
  scene: Scene,
): Told {
  const { rules, event } = scene;
  const number = event.key.split('/').at(-1) ?? '';
  const what = isReview ? `The team’s review of #${number}` : `The team on #${number}`;
  const lines = voiceLines(scene.positions.get(run) ?? [], scene);
  scene.positions.delete(run);
  if (question !== undefined && question !== '')
    lines.push(`Asked a person: ${inLine(question, rules)}`);
  return {
    kind: isReview ? 'review' : 'discussion',
    text: `**${what}: ${VERDICTS[verdict] ?? quoteCode(verdict)}**: ${inLine(headline, rules)}`,
    lines,
    quote: quoted(reasons, rules),
  };
}

function voiceLines(positions: readonly Position[], { rules }: Scene): string[] {
  const said = positions.filter(({ isSkipped }) => !isSkipped);
  const silent = positions
    .filter(({ isSkipped }) => isSkipped)
    .map(({ handle }) => quoteCode(handle));
  return [
    ...said.map(
      ({ handle, vote, confidence, line }) =>
        `${quoteCode(handle)}: ${VERDICTS[vote] ?? quoteCode(vote)} (sure ${confidence.toFixed(1)}). ${inLine(line, rules)}`,
    ),
    ...(silent.length === 0 ? [] : [`Nothing to add: ${silent.join(', ')}.`]),
  ];
}

const VERDICTS: Readonly<Record<string, string>> = {
  READY: 'ready',
  CLOSE: 'close it',
  DRAFT: 'not ready yet',
  HUMAN: 'a person decides',
  APPROVE: 'approve',
  CHANGES: 'changes needed',
} satisfies Record<VerdictWord, string>;

/** What is posted on a pull request, with its findings counted by the review's own first line. */
export function tellReview({ effectId, result }: Done<'review'>, scene: Scene): Told[] {
  const wanted = scene.effects.get(effectId);
  if (wanted?.kind !== 'review' || result.outcome !== 'created') return [];
  const [head = ''] = wanted.review.body.split('\n');
  const text = `Quorum posted its review on #${wanted.thread.number}: ${inLine(head.replace(/^#+\s*/, ''), scene.rules)}.`;
  return [{ kind: 'review', text }];
}
