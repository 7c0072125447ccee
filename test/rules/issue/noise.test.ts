/** Noise is distinguished from everything that people and programs write. */
import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decideEvidence } from '../../../src/rules/issue/decide-evidence.ts';
import { isNoise, isMeaningful } from '../../../src/rules/issue/noise.ts';
import { aView } from './small-repository.ts';

/** Bytes that look random and are the same each time. */
function bytes(length: number, seed = 'a'): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at * 32 < length; at += 1)
    blocks.push(createHash('sha256').update(`${seed}${at}`).digest());
  return Buffer.concat(blocks).subarray(0, length);
}

function letters(alphabet: string, length: number): string {
  return Array.from(bytes(length), (byte) => alphabet[byte % alphabet.length]).join('');
}

const AZ = 'abcdefghijklmnopqrstuvwxyz';
const SHA = createHash('sha256').update('x').digest('hex');

const NOISE: Readonly<Record<string, string>> = {
  'base64 in one run': bytes(3000).toString('base64'),
  'base64 in lines': bytes(3000).toString('base64').replaceAll(/.{76}/g, '$&\n'),
  'a megabyte of base64': bytes(750_000).toString('base64'),
  hex: bytes(900).toString('hex'),
  'hex in lines': bytes(900).toString('hex').replaceAll(/.{60}/g, '$&\n'),
  '600 random letters': letters(AZ, 600),
  'random letters with spaces': letters(`${AZ}     `, 600),
  'random letters and digits': letters(`${AZ}${AZ.toUpperCase()}0123456789`, 600),
  'random printable characters': letters(
    Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join(''),
    600,
  ),
  'bytes read as text': bytes(1000).toString('utf8'),
};

const WRITTEN: Readonly<Record<string, string>> = {
  German:
    'Beim Einlesen der Datei werden Anführungszeichen nicht entfernt. Die Spaltenüberschriften bleiben dadurch falsch, und die Rechtsschutzversicherungsgesellschaften fehlen in der Ausgabe.',
  Japanese:
    '空のファイルを読み込むとクラッシュします。ヘッダーがない場合はエラーメッセージを表示してください。それから終了コードも必要です。',
  Chinese:
    '读取空文件时程序会崩溃。如果没有标题行，请显示错误消息。希望以后的版本可以修复这个问题，并且返回正确的退出代码，谢谢大家。',
  Russian: 'При чтении пустого файла программа падает. Нужно показать сообщение об ошибке.',
  Arabic: 'يتعطل البرنامج عند قراءة ملف فارغ ويجب عرض رسالة خطأ واضحة للمستخدم',
  Polish:
    'Program przestaje działać, gdy plik jest pusty; proszę wyświetlić wszystkie błędy od początku.',
  Czech: 'Program spadne při čtení prázdného souboru. Prosím zobrazte chybovou zprávu uživateli.',
  Finnish: 'Ohjelma kaatuu, kun tyhjä tiedosto luetaan. Virheilmoitus pitäisi näyttää käyttäjälle.',
  Turkish:
    'Boş dosya okunduğunda program çöküyor; kullanıcıya anlaşılır bir hata iletisi gösterilmeli.',
  'a log': [
    '2026-05-01T10:00:00.123Z INFO  [main] com.acme.tabular.Server - listening on 0.0.0.0:8080',
    '2026-05-01T10:00:01.456Z ERROR [pool-1] com.acme.tabular.Store - connect ECONNREFUSED 127.0.0.1:5432',
    'May  1 10:00:02 host kernel: [12345.678] usb 1-1: device descriptor read/64, error -71',
  ].join('\n'),
  'a stack trace': [
    'TableError: row has 3 cells',
    '    at parseTable (/x/src/parse.ts:15:13)',
    '    at Module._compile (node:internal/modules/cjs/loader:1241:14)',
    '0x00007ffde4b3c1a0 in __libc_start_main () from /lib64/libc.so.6',
  ].join('\n'),
  code: 'for(let i=0;i<rows.length;i++){const r=rows[i];if(r.cells!==header.length)throw new TableError(r)}',
  assembler:
    'mov rax, rbx\npush rbp\nlea rdi, [rip+0x2004]\ncall 0x401136 <printf@plt>\nxor eax, eax\nret',
  'a table':
    '| id | name | price |\n|---|---|---|\n| 1 | apples | 2.50 |\n| 2 | pears | 3.75 |\n| 3 | plums | 1.20 |',
  numbers: '1.5;2.5;3.5\n4.5;5.5;6.5\n'.repeat(10),
  'hashes inside prose': `The checksum of the release is ${SHA} but the page shows ${SHA.toUpperCase()} and that is wrong.`,
  'a data address inside prose': `The logo data:image/png;base64,${bytes(600).toString('base64')} is not shown on the start page.`,
};

describe('isNoise', () => {
  for (const [name, text] of Object.entries(NOISE))
    test(`${name} is noise`, () => {
      expect(isNoise(text)).toBe(true);
    });
  for (const [name, text] of Object.entries(WRITTEN))
    test(`${name} is not`, () => {
      expect(isNoise(text)).toBe(false);
    });

  test('a few characters are too few to judge, and any text gives an answer', () => {
    expect(isNoise('xkq vjz')).toBe(false);
    expect(isMeaningful('Crash on start')).toBe(true);
    expect(isMeaningful(SHA)).toBe(false);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(typeof isNoise(text)).toBe('boolean');
      }),
    );
  });
});

describe('gibberish', () => {
  const rulesOf = (title: string, body: string): string[] =>
    decideEvidence(aView({ title, body })).signals.map(({ ruleId }) => ruleId);
  const noise = bytes(900).toString('base64');

  test('noise is found in a fence as well', () => {
    expect(rulesOf(noise.slice(0, 60), noise)).toContain('gibberish');
    expect(rulesOf(noise.slice(0, 60), `\`\`\`\n${noise}\n\`\`\``)).toContain('gibberish');
  });

  test('a title in words, or a thing that exists, makes it a report with a dump', () => {
    expect(rulesOf('The image of the header is cut', noise)).not.toContain('gibberish');
    expect(rulesOf('x1', `\`parseTable\` ${noise}`)).not.toContain('gibberish');
  });
});
