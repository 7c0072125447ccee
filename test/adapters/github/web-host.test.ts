/** Hosts of github.com, of GHE.com with data residency, and of Enterprise Servers. */
import { expect, test } from 'vitest';
import { accountHost, webUrl } from '../../../src/adapters/github/web-host.ts';

test.each([
  ['https://api.github.com', 'https://github.com', 'github.com'],
  ['https://api.octo.ghe.com', 'https://octo.ghe.com', 'octo.ghe.com'],
  ['https://git.example.org/api/v3', 'https://git.example.org', 'git.example.org'],
  ['https://git.example.org:8443/api/v3/', 'https://git.example.org:8443', 'git.example.org'],
  ['http://127.0.0.1:4001/api/v3', 'http://127.0.0.1:4001', 'github.com'],
])('finds the pages and the accounts of %s', (apiUrl, web, accounts) => {
  expect([webUrl(apiUrl), accountHost(apiUrl)]).toEqual([web, accounts]);
});
