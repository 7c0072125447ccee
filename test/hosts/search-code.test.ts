/** Searches of several repositories in one process. */
import { expect, test } from 'vitest';
import { createCodeSearch } from '../../src/hosts/search-code.ts';
import { aRepository } from '../decide/watch/a-repository.ts';

const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';

test('wait for each other, and one that fails holds up nobody', async () => {
  const search = createCodeSearch();
  const ended: string[] = [];
  const note = (name: string) => () => void ended.push(name);
  const code = aRepository({ 'src/a.ts': EVAL });
  const broken = { ...code, files: undefined as never };
  const first = search(code, 5);
  const second = search(broken, 5);
  const third = search(code, 5);
  await Promise.all([
    first.then(note('first')),
    second.catch(note('second')),
    third.then(note('third')),
  ]);
  expect(ended).toEqual(['first', 'second', 'third']);
  expect((await third).candidates).toHaveLength(1);
});

test('let other work through between two steps', async () => {
  const files = Array.from({ length: 60 }, (_, at) => [`src/f${at}.ts`, `run${at}();\n`] as const);
  let turns = 0;
  let isOver = false;
  const others = (): void => {
    turns += 1;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  await createCodeSearch()(aRepository(Object.fromEntries(files)), 5);
  isOver = true;
  // Six parts of ten files, and a step for each rule of its own.
  expect(turns).toBeGreaterThan(6);
});
