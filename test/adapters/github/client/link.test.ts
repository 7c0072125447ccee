/** GitHub's link header. */
import { describe, expect } from 'vitest';
import { lastPage, nextPage } from '../../../../src/adapters/github/client/link.ts';
import { verifies } from '../../../verifies.ts';

const OWN = 'https://ghe.example/api/v3/repositories/1/issues?per_page=100';
const answer = (link: string) => ({ status: 200, headers: { link }, data: [] });

describe('nextPage', () => {
  verifies(
    'LIM-06',
    'follows the page that GitHub names on our own origin, at our own address',
    () => {
      const link =
        '<https://ghe.example/api/v3/repositories/1/issues?page=2>; rel="next", <https://ghe.example/x?page=9>; rel="last"';
      expect(nextPage(answer(link), OWN)).toBe(
        'https://ghe.example/api/v3/repositories/1/issues?page=2',
      );
      expect(lastPage(answer(link))).toBe(9);
      const byName = '<https://ghe.example/api/v3/repos/a/b/issues?page=2>; rel="next"';
      expect(nextPage(answer(byName), OWN)).toBe(
        'https://ghe.example/api/v3/repositories/1/issues?page=2',
      );
    },
  );

  verifies('LIM-06', 'never names another origin: only the page number is taken over', () => {
    const link = '<https://evil.example/steal?page=2&token=1>; rel="next"';
    expect(nextPage(answer(link), OWN)).toBe(`${OWN}&page=2`);
    expect(nextPage(answer('<https://evil.example/steal>; rel="next"'), OWN)).toBeUndefined();
    expect(lastPage(answer(link))).toBeUndefined();
  });

  verifies('LIM-06', 'ends where the header names no next page or is garbage', () => {
    for (const link of [
      '',
      'nonsense',
      '<:::>; rel="next"',
      '<https://ghe.example/x?page=1>; rel="prev"',
    ])
      expect([nextPage(answer(link), OWN)]).toEqual([undefined]);
  });
});
