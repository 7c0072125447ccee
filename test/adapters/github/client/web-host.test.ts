/** Hosts of github.com, of GHE.com with data residency, and of Enterprise Servers. */
import { expect, test } from 'vitest';
import {
  accountHost,
  apiUrlOf,
  isEnterpriseServer,
  webUrl,
} from '../../../../src/adapters/github/client/web-host.ts';

test.each([
  ['https://api.github.com', 'https://github.com', 'github.com'],
  ['https://api.octo.ghe.com', 'https://octo.ghe.com', 'octo.ghe.com'],
  ['https://git.example.org/api/v3', 'https://git.example.org', 'git.example.org'],
  ['https://git.example.org:8443/api/v3/', 'https://git.example.org:8443', 'git.example.org'],
  ['http://127.0.0.1:4001/api/v3', 'http://127.0.0.1:4001', 'github.com'],
])('finds the pages and the accounts of %s', (apiUrl, web, accounts) => {
  expect([webUrl(apiUrl), accountHost(apiUrl)]).toEqual([web, accounts]);
});

test.each([
  ['https://github.com', 'https://api.github.com', false],
  ['https://octo.ghe.com', 'https://api.octo.ghe.com', false],
  ['https://git.example.org', 'https://git.example.org/api/v3', true],
  ['https://ghe.com.example.org', 'https://ghe.com.example.org/api/v3', true],
  ['http://127.0.0.1:4001', 'http://127.0.0.1:4001/api/v3', true],
])('finds the REST API of %s, and whether it is an Enterprise Server', (web, apiUrl, isServer) => {
  expect([apiUrlOf(web), isEnterpriseServer(apiUrl)]).toEqual([apiUrl, isServer]);
});
