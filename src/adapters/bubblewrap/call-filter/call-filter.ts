/** The seccomp filter of sandboxed programs, as the bytes that bwrap takes from a descriptor. */
import {
  returnAction,
  encodeProgram,
  JUMP_IF_ANY_BIT,
  JUMP_IF_EQUAL,
  JUMP_IF_GREATER,
  load,
  type Instruction,
} from './bpf-program.ts';
import { ERRNO, REFUSALS, type Condition, type Refusal } from './refused-calls.ts';
import { AUDIT_ARCH, LAST_JUDGED, numberOf, type FilteredArch } from './system-calls.ts';

/** Offsets in `struct seccomp_data`, and actions, of linux/seccomp.h. */
const NUMBER = 0;
const ARCH = 4;
const ARGUMENTS = 16;
const ARGUMENT_BYTES = 8;
const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const ERROR = 0x00050000;

/** Undefined on an architecture whose calls were not judged: there is no filter then, and the doctor says so. */
export function callFilter(arch: string = process.arch): Buffer | undefined {
  return arch === 'x64' || arch === 'arm64' ? encodeProgram(filterProgram(arch)) : undefined;
}

/** Programs of another architecture (i386 on x86_64, arm on aarch64) would have other numbers: they are ended. */
function filterProgram(arch: FilteredArch): Instruction[] {
  return [
    load(ARCH),
    { code: JUMP_IF_EQUAL, operand: AUDIT_ARCH[arch], ifTrue: 1, ifFalse: 0 },
    returnAction(KILL_PROCESS),
    load(NUMBER),
    { code: JUMP_IF_GREATER, operand: LAST_JUDGED, ifTrue: 0, ifFalse: 1 },
    returnAction(ERROR | ERRNO.ENOSYS),
    ...REFUSALS.flatMap((refusal) => refuse(refusal, arch)),
    returnAction(ALLOW),
  ];
}

function refuse({ calls, errno, when = [] }: Refusal, arch: FilteredArch): Instruction[] {
  const block = [...conditional(when), returnAction(ERROR | ERRNO[errno])];
  return calls.flatMap((call) => {
    const number = numberOf(call, arch);
    if (number === undefined) return [];
    return [
      load(NUMBER),
      { code: JUMP_IF_EQUAL, operand: number, ifTrue: 0, ifFalse: block.length },
      ...block,
    ];
  });
}

/** Goes on at their end where all conditions hold, and one instruction later, past the refusal, where one does not. */
function conditional(conditions: readonly Condition[]): Instruction[] {
  return conditions.reduceRight<Instruction[]>(
    (rest, condition) => [...test(condition, rest.length + 1), ...rest],
    [],
  );
}

/** `past`: how many instructions follow it up to the end of the refusal. */
function test({ argument, is, values }: Condition, past: number): Instruction[] {
  const last = values.length - 1;
  const jumps = values.map((operand, index): Instruction => {
    const after = last - index;
    switch (is) {
      case 'with-any-bit-of':
        return { code: JUMP_IF_ANY_BIT, operand, ifTrue: after, ifFalse: after === 0 ? past : 0 };
      case 'one-of':
        return { code: JUMP_IF_EQUAL, operand, ifTrue: after, ifFalse: after === 0 ? past : 0 };
      case 'none-of':
        return { code: JUMP_IF_EQUAL, operand, ifTrue: after + past, ifFalse: 0 };
    }
  });
  return [load(ARGUMENTS + ARGUMENT_BYTES * argument), ...jumps];
}
