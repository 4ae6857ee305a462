/** Runs the commands of the documents in order, with the files that the documents define. */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { $ } from 'zx';
import { documents } from '../.ci/documents.ts';
import { verbs } from '../src/cli/verbs/index.ts';

const root = join(import.meta.dirname, '..');
const { PATH = '', HOME = '' } = process.env;
const program = inject('launcher');

/** A file to write, or a command line to run. */
type Act =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'command'; readonly words: string };

/** Blocks that begin with `# name.yaml` are files; lines `npx deskhand …` of `sh` are commands. */
function actsOf(page: string): Act[] {
  return [...page.matchAll(/^```(yaml|sh)\n([\s\S]*?)^```/gm)].flatMap(
    ([, kind, body = '']): Act[] => {
      const [, name] = /^# (\S+\.yaml)\n/.exec(body) ?? [];
      if (kind === 'yaml') {
        const isWritten = name !== undefined && name !== 'deskhand.yaml'; // needs a live account
        return isWritten ? [{ kind: 'file', name, text: body }] : [];
      }
      return [...body.matchAll(/^npx deskhand ([^#\n]+?)\s*(?:#.*)?$/gm)].map(([, words = '']) => ({
        kind: 'command',
        words,
      }));
    },
  );
}

describe.each([
  ['README.md', 6],
  ['docs/sandbox.md', 7],
  ['docs/schedules.md', 5],
  ['docs/reports.md', 2],
  ['docs/plans.md', 5],
])('%s', (name, least) => {
  const acts = actsOf(readFileSync(join(root, name), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'docs-'));
  const shell = $({
    cwd: folder,
    nothrow: true,
    quiet: true,
    env: { PATH, HOME, TMPDIR: tmpdir() },
  });
  cpSync(join(root, 'workflows'), join(folder, 'workflows'), { recursive: true });

  test('has commands to run', () => {
    expect(acts.filter(({ kind }) => kind === 'command').length).toBeGreaterThan(least);
  });

  for (const act of acts) {
    if (act.kind === 'file') {
      test(`writes ${act.name}`, () => {
        writeFileSync(join(folder, act.name), act.text);
      });
      continue;
    }
    test(`deskhand ${act.words}`, async () => {
      const { exitCode, stdout, stderr } = await shell`node ${program} ${act.words.split(/\s+/)}`;
      expect(stderr + stdout).not.toMatch(/^\s+at .*\.(js|ts):\d+/m);
      expect(exitCode, stderr).toBe(0);
      expect(stdout).not.toContain('\u001b');
    }, 30_000);
  }
});

test.each(Object.entries(documents()))('docs/%s is printed from the code', (name, text) => {
  expect(readFileSync(join(root, 'docs', name), 'utf8')).toBe(text);
});

test.each(verbs.map(({ name }) => name))('the command reference has %s', (name) => {
  expect(documents()['commands.md']).toContain(`\n### ${name}\n`);
});
