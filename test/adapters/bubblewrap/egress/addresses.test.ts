/** Where an allowed host may be: no entry reaches link-local, and loopback only by its own name. */
import { expect, test } from 'vitest';
import { mayBeAt } from '../../../../src/adapters/bubblewrap/egress/addresses.ts';
import { parseSandboxHosts } from '../../../../src/domain/sandbox/sandbox-hosts.ts';

function reached(entry: string, addresses: readonly string[]): string[] {
  const [allowed] = parseSandboxHosts(entry);
  return addresses.filter((each) => allowed !== undefined && mayBeAt(allowed, each));
}

const PUBLIC = ['203.0.113.80', '8.8.8.8', '2606:4700::1', '::ffff:8.8.8.8', '64:ff9b::808:808'];
const PRIVATE = ['10.1.2.3', '172.20.0.1', '192.168.1.1', '100.64.0.1', 'fd12::1'];
const LOOPBACK = ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'];
const NEVER = [
  '169.254.169.254',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  'fe80::1',
  'fd00:ec2::254',
  '100.100.100.200',
  '168.63.129.16',
  '0.0.0.0',
  '::',
  '224.0.0.1',
  '255.255.255.255',
  '::127.0.0.1',
  '2002:7f00:1::',
];
const ALL = [...PUBLIC, ...PRIVATE, ...LOOPBACK, ...NEVER];

test('a host by its exact name may be public or in a private network', () => {
  expect(reached('registry.example', ALL)).toEqual([...PUBLIC, ...PRIVATE]);
});

test('a host below a wildcard may be public only', () => {
  expect(reached('*.company.example', ALL)).toEqual(PUBLIC);
});

test('loopback is reached by an entry that names it', () => {
  for (const entry of ['localhost:4873', '127.0.0.1:4873', '[::1]:4873'])
    expect(reached(entry, [...LOOPBACK, ...NEVER])).toEqual(LOOPBACK);
});

test('no entry reaches link-local, metadata, multicast or reserved addresses, not even by its number', () => {
  for (const entry of ['169.254.169.254:80', '[fe80::1]:80', '0.0.0.0:80'])
    expect(reached(entry, NEVER)).toEqual([]);
});
