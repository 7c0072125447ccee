/** Classic BPF as bytes: the few instructions that a filter of system calls needs, and their encoding. */

/** One instruction; `ifTrue` and `ifFalse` count the instructions that a jump skips. */
export interface Instruction {
  code: number;
  /** 32 bits, unsigned. */
  operand: number;
  ifTrue: number;
  ifFalse: number;
}

/** Operation codes of linux/bpf_common.h. */
export const LOAD = 0x20;
export const JUMP_IF_EQUAL = 0x15;
export const JUMP_IF_GREATER = 0x25;
export const JUMP_IF_ANY_BIT = 0x45;
export const RETURN = 0x06;

const MAX_SKIP = 255;
const INSTRUCTION_BYTES = 8;
/** The kernel takes no longer program (BPF_MAXINSNS). */
const MAX_INSTRUCTIONS = 4096;

/** Loads the 32 bits at `offset` of `struct seccomp_data`. */
export function load(offset: number): Instruction {
  return { code: LOAD, operand: offset, ifTrue: 0, ifFalse: 0 };
}

export function returnAction(action: number): Instruction {
  return { code: RETURN, operand: action, ifTrue: 0, ifFalse: 0 };
}

/** `struct sock_filter`, one after the other, little-endian. @throws RangeError for what cannot be encoded */
export function encodeProgram(program: readonly Instruction[]): Buffer {
  if (program.length === 0 || program.length > MAX_INSTRUCTIONS)
    throw new RangeError(`${program.length} instructions are no program`);
  const bytes = Buffer.alloc(program.length * INSTRUCTION_BYTES);
  program.forEach(({ code, operand, ifTrue, ifFalse }, index) => {
    const skip = Math.max(ifTrue, ifFalse);
    if (skip > MAX_SKIP || (skip > 0 && index + 1 + skip >= program.length))
      throw new RangeError(`instruction ${index} jumps too far`);
    const at = index * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(ifTrue, at + 2);
    bytes.writeUInt8(ifFalse, at + 3);
    bytes.writeUInt32LE(operand >>> 0, at + 4);
  });
  return bytes;
}
