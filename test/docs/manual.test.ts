/** The manual: complete, the same as the code prints, and valid for the formatters that are installed. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { manual } from '../../.ci/manual.ts';
import { exitMeanings } from '../../src/cli/exits.ts';
import { globalFlags } from '../../src/cli/verbs/flags.ts';
import { verbs } from '../../src/cli/verbs/index.ts';
import { longFlag } from '../../src/cli/verbs/verb.ts';

const root = join(import.meta.dirname, '..', '..');
const pages = manual();
const names = Object.keys(pages).toSorted();
const files = names.map((name) => join(root, 'man', name));
const read = (file: string): string => readFileSync(file, 'utf8');

test('has the pages that the code prints, and no others', () => {
  expect(readdirSync(join(root, 'man')).toSorted()).toEqual(names);
  for (const name of names) expect(read(join(root, 'man', name))).toBe(pages[name]);
});

test('is a part of the package', () => {
  const { man, files: published } = JSON.parse(read(join(root, 'package.json')));
  expect(man.toSorted()).toEqual(names.map((name) => `man/${name}`));
  expect(published).toContain('man');
});

test('has every command with its flags and arguments, and every exit code', () => {
  const escaped = (text: string): string => text.replaceAll('-', '\\-');
  for (const { name, flags, positionals } of verbs) {
    const page = pages[`deskhand-${name.split(' ')[0]}.1`] ?? '';
    expect(page).toContain(escaped(`deskhand ${name}\\fR`));
    for (const word of positionals.split(' ')) expect(page).toContain(escaped(word));
    for (const flag of flags) expect(page).toContain(escaped(longFlag(flag.flags)));
  }
  const program = pages['deskhand.1'] ?? '';
  for (const { flags } of globalFlags) expect(program).toContain(escaped(longFlag(flags)));
  for (const [code] of exitMeanings) expect(program).toContain(`\\fB${code}\\fR`);
});

test('has only known requests, and only ASCII', () => {
  const lines = Object.values(pages).flatMap((page) => page.split('\n'));
  const requests = lines.filter((line) => /^[.']/.test(line)).map((line) => line.split(' ')[0]);
  expect(new Set(requests)).toEqual(new Set(['.\\"', '.TH', '.SH', '.SS', '.TP', '.PP', '.br']));
  expect(lines.filter((line) => /[^ -~]/.test(line))).toEqual([]);
});

/** CI installs both. */
function isInstalled(program: string): boolean {
  const isThere = spawnSync(program, ['--version']).error === undefined;
  if (!isThere) console.warn(`${program} is not installed: it did not check the manual`);
  return isThere;
}

/** Bold letters are printed twice, with a backspace between them. */
const overstruck = new RegExp(`.${String.fromCharCode(8)}`, 'g');

describe.runIf(isInstalled('mandoc'))('mandoc', () => {
  test('has nothing to report, but that pages have no date: they are printed from the code', () => {
    const { stdout } = spawnSync('mandoc', ['-Tlint', ...files], { encoding: 'utf8' });
    const reported = stdout.split('\n').filter((line) => line !== '');
    expect(reported.filter((line) => !line.endsWith(': missing date, using "": TH'))).toEqual([]);
    expect(reported).toHaveLength(files.length);
  });

  test('shows the text of the table', () => {
    const words = ['-Tutf8', join(root, 'man', 'deskhand-plan.1')];
    const { stdout } = spawnSync('mandoc', words, { encoding: 'utf8' });
    const shown = stdout.replaceAll(overstruck, '').replaceAll(/\s+/g, ' ');
    const plan = verbs.find(({ name }) => name === 'plan');
    expect(plan?.flags.length).toBeGreaterThan(5);
    for (const { flags, description } of plan?.flags ?? []) {
      expect(shown).toContain(`${flags} ${description}`);
    }
  });
});

test.runIf(isInstalled('groff'))('groff has no warnings', () => {
  for (const file of files) {
    const { stderr, status } = spawnSync('groff', ['-man', '-Tutf8', '-wall', '-z', file], {
      encoding: 'utf8',
    });
    expect([file, stderr, status]).toEqual([file, '', 0]);
  }
});
