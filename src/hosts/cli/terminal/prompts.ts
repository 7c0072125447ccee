/** Questions to the person at the terminal. */
import type { Readable, Writable } from 'node:stream';
import * as clack from '@clack/prompts';
import { RefusedError } from '../../../domain/event/errors.ts';

export interface Option<T extends string> {
  value: T;
  label: string;
  hint?: string;
}

/** Each throws RefusedError `cancelled` on Ctrl-C or Escape. */
export interface Prompts {
  select<T extends string>(ask: {
    message: string;
    options: readonly Option<T>[];
    initial: T;
  }): Promise<T>;
  multiselect<T extends string>(ask: {
    message: string;
    options: readonly Option<T>[];
    initial: readonly T[];
  }): Promise<T[]>;
  text(ask: {
    message: string;
    initial: string;
    /** Why it is refused; undefined for a good answer. */
    refuse: (text: string) => string | undefined;
  }): Promise<string>;
  confirm(ask: { message: string; initial: boolean }): Promise<boolean>;
}

export function createPrompts(streams: { input: Readable; output: Writable }): Prompts {
  return {
    select: async ({ message, options, initial }) => {
      const answer = await clack.select<string>({
        ...streams,
        message,
        options: options.map((option) => ({ ...option })),
        initialValue: initial,
      });
      const chosen = options.find(({ value }) => value === answer);
      if (chosen === undefined) throw cancelled();
      return chosen.value;
    },
    multiselect: async ({ message, options, initial }) => {
      const answer = await clack.multiselect<string>({
        ...streams,
        message,
        options: options.map((option) => ({ ...option })),
        initialValues: [...initial],
        required: false,
      });
      if (clack.isCancel(answer)) throw cancelled();
      return options.flatMap(({ value }) => (answer.includes(value) ? [value] : []));
    },
    text: async ({ message, initial, refuse }) => {
      const answer = await clack.text({
        ...streams,
        message,
        initialValue: initial,
        validate: (value) => refuse(value ?? ''),
      });
      if (clack.isCancel(answer)) throw cancelled();
      return answer;
    },
    confirm: async ({ message, initial }) => {
      const answer = await clack.confirm({ ...streams, message, initialValue: initial });
      if (clack.isCancel(answer)) throw cancelled();
      return answer;
    },
  };
}

function cancelled(): RefusedError {
  return new RefusedError({ code: 'cancelled', message: 'Cancelled. Nothing was written.' });
}
