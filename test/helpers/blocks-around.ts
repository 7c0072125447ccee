/** Where a prompt holds words of others: in which of its blocks, and whether anywhere else. */
import { escapePattern } from '../../src/domain/text/pattern.ts';

/** Heads of the blocks that hold the words, one for each time; throws where they are outside of a block. */
export function blocksAround(prompt: string, words: string): string[] {
  return Array.from(prompt.matchAll(new RegExp(escapePattern(words), 'g')), ({ index }) => {
    const opened = prompt.lastIndexOf('<<<data ', index);
    if (opened < prompt.lastIndexOf('<<<end ', index) || opened === -1)
      throw new Error(`outside of a block: ${prompt.slice(Math.max(0, index - 80), index + 80)}`);
    return prompt.slice(opened, prompt.indexOf('\n', opened));
  });
}
