/** `/pm ask` and `/pm consult`: a question finds the persona who answers it. */
import type { ParsedCommand } from '../../../domain/commands/command.ts';
import { findAddressee } from '../conversation/addressee.ts';
import { voicesIn } from '../conversation/voices.ts';
import { refused, type CommandContext, type CommandOutcome } from '../../run/command-context.ts';
import { nobodyNamed } from './council-commands.ts';

/** The persona that spoke last here answers, else the lead. */
export function ask(context: CommandContext, command: ParsedCommand): CommandOutcome {
  return toQuestion(context, { text: command.text, to: 'other', command });
}

export function consult(context: CommandContext, command: ParsedCommand): CommandOutcome {
  const [name = ''] = command.args;
  const text = command.text.slice(name.length).trim();
  return toQuestion(context, { text, to: { consult: name }, command });
}

interface Wanted {
  text: string;
  to: 'other' | { consult: string };
  command: ParsedCommand;
}

function toQuestion(context: CommandContext, { text, to, command }: Wanted): CommandOutcome {
  const { view } = context;
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
      to === 'other' ? 'No member of the team is active here.' : nobodyNamed(context, to.consult),
    );
  const question = {
    handle: addressee.handle,
    text,
    command: `/pm ${command.name} ${command.text}`,
    depth: 0 as const,
  };
  return { isDone: true, question };
}
