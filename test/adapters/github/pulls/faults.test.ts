/** Every call of a review, a reply and a check goes wrong once, on the embedded GitHub. */
import { describePullFaults } from '../../../contract/pulls-faults.ts';
import { openEmulatedPulls } from './world.ts';

describePullFaults('the emulator', openEmulatedPulls);
