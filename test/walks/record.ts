/** `node test/walks/record.ts FOLDER TEST…`: runs scenarios and writes down what was decided and carried out, into FOLDER. */
import path from 'node:path';
import { createVitest } from 'vitest/node';

/** Which function of a file is wrapped, and by what of `recorders.ts`. */
const WRAPPED = [
  { file: 'src/decide/route.ts', name: 'decide', by: 'recordDecide' },
  { file: 'src/act/perform.ts', name: 'createPerform', by: 'recordPerform' },
];

const wrapping = {
  name: 'recorders',
  enforce: 'pre' as const,
  transform(code: string, id: string): string | undefined {
    const wrapped = WRAPPED.find(({ file }) => id.endsWith(file));
    if (wrapped === undefined) return undefined;
    const { name, by } = wrapped;
    const recorders = path.join(import.meta.dirname, 'recorders.ts');
    return `import { ${by} } from ${JSON.stringify(recorders)};
      ${code.replace(`export function ${name}(`, `function real_${name}(`)}
      export const ${name} = ${by}(real_${name});`;
  },
};

const [folder = '', ...tests] = process.argv.slice(2);
process.env['WALKS_OUT'] = path.resolve(folder);
const setup = path.join(import.meta.dirname, 'record-setup.ts');
const vitest = await createVitest(
  'test',
  { watch: false, setupFiles: [setup] },
  { plugins: [wrapping] },
);
await vitest.start(tests);
await vitest.close();
