/** Our OpenAPI descriptions, as linters of other people read them. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { deskhand } from '../cli/deskhand.ts';

const here = import.meta.dirname;
const tool = (name: string): string => join(here, 'node_modules', '.bin', name);

/** What a tool says, and how it ends. */
function said(
  name: string,
  words: readonly string[],
  cwd = here,
): { code: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(tool(name), words, { cwd, encoding: 'utf8' });
  return { code: status, text: stdout + stderr };
}

describe.each(['openapi.json', 'server.openapi.json'])('%s', (name) => {
  const file = join(here, '..', '..', 'schemas', name);

  test('has no error and no warning by the recommended rules of Redocly', () => {
    const { code, text } = said('redocly', [
      'lint',
      '--extends=recommended',
      '--format=json',
      file,
    ]);
    expect(text).toContain('"errors": 0');
    expect(text).toContain('"warnings": 0');
    expect(code).toBe(0);
  });

  test('has no result by the rules of Spectral', () => {
    const rules = join(mkdtempSync(join(tmpdir(), 'spectral-')), 'rules.yaml');
    writeFileSync(rules, 'extends: ["spectral:oas"]\n');
    const { code, text } = said('spectral', [
      'lint',
      '--ruleset',
      rules,
      '--fail-severity=hint',
      file,
    ]);
    expect([code, text]).toEqual([0, "No results with a severity of 'hint' or higher found!\n"]);
  });
});

test('each workflow is a valid Arazzo description, with no result by Redocly and Spectral', async () => {
  const workflows = join(here, '..', '..', 'workflows');
  const folder = mkdtempSync(join(tmpdir(), 'arazzo-'));
  copyFileSync(join(here, '..', '..', 'schemas', 'openapi.json'), join(folder, 'openapi.json'));
  const names = readdirSync(workflows).filter((name) => /(?<!\.test)\.yaml$/.test(name));
  for (const name of names) {
    const { stdout, code } = await deskhand(['graph', join(workflows, name), '-o', 'arazzo'], {
      cwd: folder,
    });
    expect([name, code]).toEqual([name, 0]);
    writeFileSync(join(folder, name), stdout);
  }
  const { code, text } = said(
    'redocly',
    ['lint', '--extends=recommended', '--format=json', ...names],
    folder,
  );
  expect(text).toContain('"errors": 0');
  expect(text).toContain('"warnings": 0');
  expect(code).toBe(0);
  writeFileSync(join(folder, 'rules.yaml'), 'extends: ["spectral:arazzo"]\n');
  const words = ['lint', '--ruleset', 'rules.yaml', '--fail-severity=hint', ...names];
  expect(said('spectral', words, folder)).toEqual({
    code: 0,
    text: "No results with a severity of 'hint' or higher found!\n",
  });
});
