/** Which GitHub a process talks to, as its environment says. */
import { expect, test } from 'vitest';
import { readApiUrl } from '../../src/hosts/environment/host-settings.ts';

test.each([
  [{}, 'https://api.github.com'],
  [{ GITHUB_API_URL: ' ' }, 'https://api.github.com'],
  [{ GITHUB_API_URL: 'https://api.octo.ghe.com/' }, 'https://api.octo.ghe.com'],
  [{ GITHUB_API_URL: 'https://git.example.org/api/v3/' }, 'https://git.example.org/api/v3'],
  [{ GHE_HOST: 'git.example.org' }, 'https://git.example.org/api/v3'],
  [{ GHE_HOST: '127.0.0.1:4001', GHE_PROTOCOL: 'http' }, 'http://127.0.0.1:4001/api/v3'],
  [
    { GHE_HOST: 'git.example.org', GITHUB_API_URL: 'https://api.octo.ghe.com' },
    'https://git.example.org/api/v3',
  ],
])('finds the REST base of %j', (env, apiUrl) => {
  expect(readApiUrl(env)).toBe(apiUrl);
});

test.each(['octo.ghe.com', 'api.octo.ghe.com'])(
  'refuses %s as GHE_HOST, and names what to set',
  (host) => {
    expect(() => readApiUrl({ GHE_HOST: host })).toThrow(
      expect.objectContaining({
        code: 'ghe-host-invalid',
        message: expect.stringContaining('GITHUB_API_URL=https://api.octo.ghe.com'),
      }),
    );
  },
);

test.each(['octo.ghe.com', 'ftp://api.octo.ghe.com', 'https://api.octo.ghe.com?x=1'])(
  'refuses %s as GITHUB_API_URL',
  (url) => {
    expect(() => readApiUrl({ GITHUB_API_URL: url })).toThrow(
      expect.objectContaining({ code: 'github-api-url-invalid' }),
    );
  },
);
