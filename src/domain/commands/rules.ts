/** The kinds of arguments that commands take, as data. */
import type { ArgumentRule } from './command.ts';

export const NOTHING: ArgumentRule = {};
export const PROSE: ArgumentRule = { prose: 'required' };
export const MAYBE_PROSE: ArgumentRule = { prose: 'optional' };
export const NUMBER: ArgumentRule = { words: /^#?\d{1,6}$/ };
export const NUMBER_AND_PROSE: ArgumentRule = { head: 1, words: /^#?\d{1,6}$/, prose: 'required' };
export const NUMBER_AND_MAYBE_PROSE: ArgumentRule = {
  head: 1,
  words: /^#?\d{1,6}$/,
  prose: 'optional',
};
/** A commit is named by at least twelve digits: fewer can be made to collide. */
export const MAYBE_SHA: ArgumentRule = { words: /^(?:[0-9a-f]{12,64})?$/i };
export const SHA: ArgumentRule = { words: /^[0-9a-f]{12,64}$/i };
export const MAYBE_HANDLES: ArgumentRule = {
  words: /^(?:@?[a-z][a-z0-9-]{0,38},?(?: (?!$)|$)){0,10}$/i,
};
/** A file or folder of the repository; nothing above it. */
export const MAYBE_PATH: ArgumentRule = {
  words: /^(?:(?!(?:.*\/)?\.\.(?:\/|$))[\w.@()[\]+~/-]{1,200})?$/,
};
export const HANDLE_AND_PROSE: ArgumentRule = {
  head: 1,
  words: /^@?[a-z][a-z0-9-]{0,38}[,:]?$/i,
  prose: 'required',
};
