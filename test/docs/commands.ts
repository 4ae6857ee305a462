/** The commands of a document, run in order, with the files that it defines. */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { $ } from 'zx';

const root = join(import.meta.dirname, '..', '..');
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

/** Defines a test for each file and command of a document. @param least fewer commands than it has */
export function testCommandsOf(name: string, least: number): void {
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
    });
  }
}
