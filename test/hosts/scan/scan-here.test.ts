/** A job of GitHub Actions scans in its own thread: its looks bring their scan as those of a server do. */
import { expect, test } from 'vitest';
import { SCAN_HERE } from '../../../src/hosts/scan/scan-here.ts';
import { runScan } from '../../../src/rules/run-scan.ts';
import { aPullView } from '../../helpers/a-finding.ts';
import { aView } from '../../helpers/an-issue.ts';

test('a scan here brings what the rules find', async () => {
  const issue = { view: aView(), about: 'quiet' };
  const change = aPullView();
  expect(await SCAN_HERE.scan('issue', issue)).toEqual({
    kind: 'read',
    found: runScan('issue', issue),
  });
  const scanned = await SCAN_HERE.scan('change', change);
  expect(scanned).toEqual({ kind: 'read', found: runScan('change', change) });
  expect(scanned).toMatchObject({ found: { findings: [{ ruleId: 'js-eval' }] } });
});
