/** Text for a model: made of our literals, plain names and blocks, and of nothing else. */
import { describe, expect, test } from 'vitest';
import {
  inline,
  joinPrompt,
  listed,
  NOTHING,
  prompt,
  trusted,
} from '../../../src/domain/prompt/prompt-text.ts';
import type { Prompt } from '../../../src/domain/event/effect-values.ts';

/** A text as it may come from anywhere. */
const foreign: string = 'x\u200by';

describe('text for a model', () => {
  test('is put together of literals, numbers and checked text, and leaves out what is empty', () => {
    const name = inline('Ana\u202e\n Lima');
    expect(prompt`Hello ${name}, ${3} ${name === NOTHING ? 'times' : NOTHING}.`).toBe(
      'Hello Ana Lima, 3 .',
    );
    expect(joinPrompt(['a', NOTHING, prompt`b`], '\n')).toBe('a\nb');
    expect(listed(['a', 2, trusted('c\u00ad')])).toBe('a, 2, c');
    expect(inline(`token ${['gh', 'p_'].join('')}${'a1B2'.repeat(9)}`)).not.toContain('a1B2');
    expect(inline('abcdef', 3)).toBe('abc');
  });

  test('holds no invisible character that its halves make once what is between them is removed', () => {
    const halves = 'a\udb40\u200b\udc41b';
    expect(inline(halves)).toBe('a\ufffd\ufffdb');
    expect(trusted(halves)).toBe('a\ufffd\ufffdb');
  });

  test('does not compile of a string that may have come from anywhere', () => {
    // @ts-expect-error a plain string in a template
    expect(() => prompt`a ${foreign}`).toThrow('invisible');
    // @ts-expect-error a template around a plain string
    expect(() => prompt`a ${`b ${foreign}`}`).toThrow('invisible');
    // @ts-expect-error a plain string among checked text
    expect(() => joinPrompt([NOTHING, foreign])).toThrow('invisible');
    // @ts-expect-error a template around a plain string
    expect(() => joinPrompt([NOTHING, `a ${foreign}`])).toThrow('invisible');
    // @ts-expect-error a plain string in a list
    expect(() => listed([foreign])).toThrow('invisible');
    // @ts-expect-error plain strings in what is sent
    const sent: Prompt = { shared: [NOTHING], own: [NOTHING], task: foreign };
    expect(sent.task).toBe(foreign);
  });
});
