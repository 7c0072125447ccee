/** Pull requests by the GitHub adapter on the embedded GitHub, over HTTP. */
import { expect, test } from 'vitest';
import { describePulls } from '../../../contract/pulls.ts';
import { openEmulatedPulls, type EmulatedPulls } from './world.ts';

let opened: EmulatedPulls | undefined;

describePulls('the emulator', async () => {
  opened = await openEmulatedPulls();
  return opened;
});

test('every exchange of the contract fits GitHub’s own description', () => {
  expect(opened?.openApi.checked()).toBeGreaterThan(100);
  expect(opened?.openApi.violations).toEqual([]);
});
