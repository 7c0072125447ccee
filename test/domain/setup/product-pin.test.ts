import { describe, expect, test } from 'vitest';
import {
  callsQuorum,
  findPins,
  isPin,
  movePins,
  schemaAddress,
  workflowAddress,
} from '../../../src/domain/setup/product-pin.ts';

const SHA = '3d3c42e5aac5ba805825da76410c181273ba90b1';
const V1 = { repository: 'acme/quorum', ref: 'v1' };

describe('a pin', () => {
  test.each([
    { repository: 'acme/quorum', ref: 'v1' },
    { repository: 'acme/quorum', ref: SHA },
    { repository: 'a-b.c/q_r', ref: 'release/1.x' },
  ])('takes $repository@$ref', (pin) => expect(isPin(pin)).toBe(true));

  test.each([
    { repository: 'acme', ref: 'v1' },
    { repository: 'acme/quorum/evil', ref: 'v1' },
    { repository: 'acme/quorum', ref: '' },
    { repository: 'acme/quorum', ref: 'v1\n      run: x' },
    { repository: 'acme/quorum', ref: 'v1 # x' },
    { repository: 'acme/quorum', ref: '../main' },
    { repository: 'acme/quorum', ref: '-x' },
    { repository: 'acme/quorum', ref: '${{ github.head_ref }}' },
  ])('refuses $repository@$ref', (pin) => expect(isPin(pin)).toBe(false));
});

const WORKFLOW = `jobs:
  quorum:
    uses: ${workflowAddress(V1)} # v1.2.3
  other:
    uses: acme/other/.github/workflows/deploy.yml@v1
    # uses: ${workflowAddress(V1)}
`;

describe('pins in a text', () => {
  test('are found in a workflow and in the line for editors, and nowhere else', () => {
    expect(findPins(WORKFLOW)).toEqual([V1]);
    expect(findPins(`# yaml-language-server: $schema=${schemaAddress(V1)}\n`)).toEqual([V1]);
    expect(findPins('# see acme/quorum/.github/workflows/quorum.yml@v1\n')).toEqual([]);
    expect([callsQuorum(WORKFLOW), callsQuorum('jobs: {}\n')]).toEqual([true, false]);
  });

  test('move, with the comment that named the old version removed and all else as it was', () => {
    const moved = movePins(WORKFLOW, { ...V1, ref: SHA });
    expect(moved).toBe(WORKFLOW.replace('quorum.yml@v1 # v1.2.3', `quorum.yml@${SHA}`));
    expect(findPins(moved)).toEqual([{ ...V1, ref: SHA }]);
  });

  test('move in files with Windows line ends, which stay', () => {
    const text = `a: 1\r\n    uses: ${workflowAddress(V1)}\r\n`;
    expect(movePins(text, { ...V1, ref: 'v2' })).toBe(text.replace('@v1', '@v2'));
  });

  test('are found again wherever they were moved to', () => {
    for (const ref of ['v2', 'v2.0.1', SHA, 'release/2']) {
      const pin = { repository: 'other/place', ref };
      expect(findPins(movePins(WORKFLOW, pin))).toEqual([pin]);
    }
  });
});
