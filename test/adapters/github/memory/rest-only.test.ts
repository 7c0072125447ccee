/** The memory branch on a GitHub whose GraphQL this token may not use. */
import { describeMemoryBranch } from '../../../contract/memory-branch.ts';
import { openMemoryWorld } from './memory-world.ts';

describeMemoryBranch('the emulator without GraphQL', () => openMemoryWorld({ hasGraphql: false }));
