/** The modes of the council as the command line offers them, without loading anything that knows more. */
import type { CouncilMode } from '../../domain/council.ts';

export type { CouncilMode };

export const COUNCIL_MODES: readonly CouncilMode[] = ['blind', 'sequential', 'single'];
