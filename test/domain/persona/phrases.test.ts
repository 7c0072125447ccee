import { describe, expect, test } from 'vitest';
import {
  BUILT_IN_PHRASES,
  phraseFault,
  PhraseName,
  renderPhrase,
} from '../../../src/domain/persona/phrases.ts';

const values = {
  number: '3',
  title: 'Undo',
  url: 'https://x.example/3',
  details: 'why',
  username: 'ana',
};

describe('phrases', () => {
  test.each(PhraseName.options)(
    'the built-in %s has its placeholders and leaves none open',
    (name) => {
      expect(phraseFault(name, BUILT_IN_PHRASES[name])).toBeUndefined();
      expect(renderPhrase({}, name, values)).not.toMatch(/[{}]/);
    },
  );

  test('an own sentence is used when it keeps its placeholders, else the built-in', () => {
    expect(renderPhrase({ claim: 'Mine: {{ title }} ({{number}})' }, 'claim', values)).toBe(
      'Mine: Undo (3)',
    );
    for (const bad of [
      'Mine!',
      '{{number}} {{title}} {{evil}}',
      `{{number}} {{title}} ${'x'.repeat(300)}`,
    ]) {
      expect(renderPhrase({ claim: bad }, 'claim', values)).toBe('Taking task 3: Undo.');
    }
  });

  test('what a value contains is not filled in again', () => {
    expect(renderPhrase({}, 'claim', { number: '1', title: '{{url}} $& {{number}}' })).toBe(
      'Taking task 1: {{url}} $& {{number}}.',
    );
  });
});
