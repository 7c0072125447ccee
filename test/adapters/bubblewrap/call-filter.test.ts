/** The filter of system calls: its program, run here instruction by instruction, and what the kernel makes of it. */
import { existsSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  returnAction,
  encodeProgram,
  JUMP_IF_EQUAL,
} from '../../../src/adapters/bubblewrap/call-filter/bpf-program.ts';
import { callFilter } from '../../../src/adapters/bubblewrap/call-filter/call-filter.ts';
import {
  ERRNO,
  REFUSALS,
  type Refusal,
} from '../../../src/adapters/bubblewrap/call-filter/refused-calls.ts';
import {
  AUDIT_ARCH,
  LAST_JUDGED,
  numberOf,
  type FilteredArch,
} from '../../../src/adapters/bubblewrap/call-filter/system-calls.ts';
import { createCommands } from '../../../src/adapters/bubblewrap/sandboxed-commands.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { noBwrap } from '../../helpers/no-bwrap.ts';
import { temporaryFolder } from '../../hosts/cli/temporary-folder.ts';

const ARCHES = ['x64', 'arm64'] as const;
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const ERROR = 0x50000;

interface Call {
  audit: number;
  number: number;
  arguments: readonly bigint[];
}

/** What a program of classic BPF answers, as the kernel runs it. */
function run(program: Buffer, call: Call): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number, 0);
  data.writeUInt32LE(call.audit, 4);
  call.arguments.forEach((each, index) => data.writeBigUInt64LE(each, 16 + 8 * index));
  let value = 0;
  for (let at = 0; at < program.length; at += 8) {
    const operand = program.readUInt32LE(at + 4);
    const jump = (holds: boolean): void => void (at += 8 * (program[at + (holds ? 2 : 3)] ?? 0));
    switch (program.readUInt16LE(at)) {
      case 0x20:
        value = data.readUInt32LE(operand);
        break;
      case 0x15:
        jump(value === operand);
        break;
      case 0x25:
        jump(value > operand);
        break;
      case 0x45:
        jump((value & operand) !== 0);
        break;
      case 0x06:
        return operand;
      default:
        throw new Error('an unknown instruction');
    }
  }
  throw new Error('the program ran past its end');
}

/** The same by reading the list, without a program. */
function expected(call: Call, arch: FilteredArch): number {
  if (call.audit !== AUDIT_ARCH[arch]) return KILL;
  if (call.number > LAST_JUDGED) return ERROR + ERRNO.ENOSYS;
  const refusal = REFUSALS.find(
    ({ calls, when = [] }) =>
      calls.some((each) => numberOf(each, arch) === call.number) &&
      when.every(({ argument, is, values }) => {
        const low = Number((call.arguments[argument] ?? 0n) & 0xffffffffn);
        if (is === 'with-any-bit-of') return values.some((mask) => (low & mask) !== 0);
        return values.includes(low) === (is === 'one-of');
      }),
  );
  return refusal === undefined ? ALLOW : ERROR + ERRNO[refusal.errno];
}

const interesting = REFUSALS.flatMap(({ when = [] }) => when.flatMap(({ values }) => values));
const anArgument = fc.oneof(
  fc.constantFrom(...interesting.map(BigInt)),
  // The upper half must not hide what the kernel reads in the lower one.
  fc.constantFrom(...interesting.map((value) => BigInt(value) | (1n << 32n))),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
);
const aCall = (arch: FilteredArch): fc.Arbitrary<Call> =>
  fc.record({
    audit: fc.oneof(
      { weight: 9, arbitrary: fc.constant(AUDIT_ARCH[arch]) },
      { weight: 1, arbitrary: fc.constantFrom(0x40000003, 0x40000028, 0) },
    ),
    number: fc.oneof(
      { weight: 2, arbitrary: fc.nat(500) },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          ...REFUSALS.flatMap(({ calls }) => calls.map((each) => numberOf(each, arch) ?? 0)),
        ),
      },
      { weight: 1, arbitrary: fc.integer({ min: 0x40000000, max: 0x400001ff }) },
    ),
    arguments: fc.array(anArgument, { minLength: 6, maxLength: 6 }),
  });

test.each(ARCHES)('on %s the program answers what the list says, for any call', (arch) => {
  const program = callFilter(arch);
  if (program === undefined) throw new Error('no program');
  fc.assert(
    fc.property(aCall(arch), (call) => {
      expect(run(program, call) >>> 0).toBe(expected(call, arch) >>> 0);
    }),
    { numRuns: 5000 },
  );
});

test('is undefined for an architecture whose calls were not judged', () => {
  expect(callFilter('riscv64')).toBeUndefined();
});

test('a program that jumps past its end is not encoded', () => {
  const jump = { code: JUMP_IF_EQUAL, operand: 1, ifTrue: 1, ifFalse: 0 };
  expect(() => encodeProgram([jump, returnAction(ALLOW)])).toThrow('instruction 0 jumps too far');
  expect(() => encodeProgram([])).toThrow('0 instructions');
});

const HEADERS: Readonly<Record<FilteredArch, string>> = {
  x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h',
  arm64: '/usr/include/asm-generic/unistd.h',
};

test.each(ARCHES.filter((arch) => existsSync(HEADERS[arch])))(
  'numbers of %s are those of the kernel’s own header, as far as this machine’s goes',
  (arch) => {
    const header = readFileSync(HEADERS[arch], 'utf8');
    const defined = new Map(
      [...header.matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)$/gm)].map(
        ([, name = '', number]) => [name, Number(number)] as const,
      ),
    );
    const newest = Math.max(...defined.values());
    const calls = REFUSALS.flatMap((each) => each.calls);
    const judged = calls.filter((call) => (numberOf(call, arch) ?? 0) <= newest);
    expect(judged.map((call) => [call, numberOf(call, arch)])).toEqual(
      judged.map((call) => [call, defined.get(call)]),
    );
  },
);

/** Numbers and arguments that fit the conditions of a refusal. */
function asked({ calls, when = [] }: Refusal): number[][] {
  const given = [0, 0, 0, 0, 0, 0];
  // 38 is AF_ALG; 16 as a protocol of netlink is a generic one.
  for (const { argument, is, values } of when)
    given[argument] = is === 'none-of' ? (argument === 0 ? 38 : 16) : (values[0] ?? 0);
  return calls.flatMap((call) => {
    const number = numberOf(call, process.arch === 'arm64' ? 'arm64' : 'x64');
    return number === undefined ? [] : [[number, ...given]];
  });
}

const isFiltered = callFilter() !== undefined;

describe.skipIf(noBwrap !== undefined || !isFiltered)(
  'in the sandbox (skipped without bwrap or a filter)',
  () => {
    const inside = async (script: string): Promise<string> => {
      const { output } = await createCommands({ sandbox: 'on', clock: systemClock }).run(
        {
          folder: temporaryFolder({ 'try.py': script }),
          readable: [],
          script: 'python3 try.py',
          env: {},
          timeoutMs: 120_000,
          network: false,
        },
        new AbortController().signal,
      );
      return output;
    };

    test('the kernel refuses each call of the list with the error that is listed', async () => {
      const tried = REFUSALS.flatMap((refusal) =>
        asked(refusal).map((call) => ({ call, errno: ERRNO[refusal.errno] })),
      );
      const output = await inside(`import ctypes, json
libc = ctypes.CDLL(None, use_errno=True)
found = []
for call in json.loads('${JSON.stringify(tried.map(({ call }) => call))}'):
    ctypes.set_errno(0)
    libc.syscall(*[ctypes.c_ulong(each) for each in call])
    found.append(ctypes.get_errno())
print(json.dumps(found))`);
      expect(JSON.parse(output)).toEqual(tried.map(({ errno }) => errno));
    });

    test('calls that the list has never seen, and those of x32, are not there', async () => {
      const output = await inside(`import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for number in (${LAST_JUDGED + 1}, 0x40000000 + 39):
    libc.syscall(ctypes.c_ulong(number))
    print(ctypes.get_errno())`);
      expect(output).toBe('38\n38\n');
    });

    test.skipIf(process.arch !== 'x64')(
      'a call by the gate of i386 ends the process (skipped on other architectures)',
      async () => {
        const output = await inside(`import ctypes, mmap, os
memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
memory.write(bytes.fromhex('b814000000cd80c3'))
call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
child = os.fork()
if child == 0:
    call()
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))`);
        expect(Number(output)).toBeLessThan(0);
      },
    );
  },
);
