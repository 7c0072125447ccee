/** `/pm ask` and `/pm consult`: a question finds the persona who answers it. */
import type { ParsedCommand } from '../../domain/command.ts';
import { findAddressee } from '../conversation/addressee.ts';
import { voicesIn } from '../conversation/voices.ts';
import { refused, type Bench, type Outcome } from './bench.ts';
import { nobodyNamed } from './council.ts';

/** Whoever spoke last here answers, else the lead. */
export function ask(bench: Bench, command: ParsedCommand): Outcome {
  return toQuestion(bench, { text: command.text, to: 'other', command });
}

export function consult(bench: Bench, command: ParsedCommand): Outcome {
  const [name = ''] = command.args;
  const text = command.text.slice(name.length).trim();
  return toQuestion(bench, { text, to: { consult: name }, command });
}

interface Wanted {
  text: string;
  to: 'other' | { consult: string };
  command: ParsedCommand;
}

function toQuestion(bench: Bench, { text, to, command }: Wanted): Outcome {
  const { view } = bench;
  const addressee = findAddressee({
    // Who answers is what the command says; names in the question are its subject.
    text: '',
    at: Date.parse(view.comment.createdAt),
    place: 'github',
    personas: view.personas,
    appName: view.self.login,
    voices: voicesIn(
      view.comments.map(({ createdAt, marker }) => ({ at: Date.parse(createdAt), marker })),
      view.personas,
    ),
    command: to,
  });
  if (addressee.kind === 'nobody')
    return refused(
      to === 'other' ? 'Nobody of the team is active here.' : nobodyNamed(bench, to.consult),
    );
  const question = {
    handle: addressee.handle,
    text,
    command: `/pm ${command.name} ${command.text}`,
    depth: 0 as const,
  };
  return { isDone: true, question };
}
