/** The page of a run as a file and that of `serve` draw states, targets and times alike. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { pageStyle } from '../../src/base/page-style.ts';
import { runReport } from '../../src/report/page/page.ts';
import { doubtRun } from '../support/entries.ts';

/** The rules of a sheet, without those inside of @ rules: selector and declarations. */
async function rulesOf(text: string): Promise<Map<string, string[]>> {
  const { code } = await transform(text, { loader: 'css', minify: true });
  const plain = code.replaceAll(/@[^{]+\{(?:[^{}]|\{[^{}]*\})*\}/g, '');
  const found = new Map<string, string[]>();
  for (const [, selector = '', body = ''] of plain.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    found.set(selector, [...(found.get(selector) ?? []), body]);
  }
  return found;
}

async function servedSheet(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  const script = join(import.meta.dirname, '..', '..', '.ci', 'page.mjs');
  await promisify(execFile)(process.execPath, [script, folder]);
  const built = brotliDecompressSync(readFileSync(join(folder, 'page.br'))).toString('utf8');
  const files = JSON.parse(built) as Readonly<Record<string, string>>;
  return Object.entries(files).find(([name]) => name.endsWith('.css'))?.[1] ?? '';
}

test('both have the rules of every page, which neither writes again', async () => {
  const shared = await rulesOf(pageStyle());
  const [, report = ''] =
    /<style>([^]*?)<\/style>/.exec(runReport(doubtRun(), { program: 'deskhand' })) ?? [];
  const sheets = { report, served: await servedSheet() };
  expect(shared.size).toBeGreaterThan(20);
  for (const [name, sheet] of Object.entries(sheets)) {
    const rules = await rulesOf(sheet);
    const differing = [...shared].filter(
      ([selector, bodies]) =>
        selector !== ':root' && JSON.stringify(rules.get(selector)) !== JSON.stringify(bodies),
    );
    expect([name, differing]).toEqual([name, []]);
    for (const [variable] of pageStyle().matchAll(/^ {2}--[\w-]+:/gm)) {
      const times = sheet.split(variable.trim()).length - 1;
      expect([name, variable.trim(), times]).toEqual([name, variable.trim(), 1]);
    }
  }
});
