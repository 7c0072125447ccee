/** The modes of the council as the command line offers them, without loading anything that knows more. */
import type { CouncilMode } from '../../domain/run/state/run-base.ts';

export type { CouncilMode };

export const COUNCIL_MODES: readonly CouncilMode[] = ['blind', 'sequential', 'single'];
