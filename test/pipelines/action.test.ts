/** The commands of action.yml, read line by line. */
import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { commandsIn } from '../../.ci/action/commands.ts';
import { readFileSync } from 'node:fs';
import { scratch, step } from './host.ts';

const root = join(import.meta.dirname, '..', '..');

test.each([
  ['validate', [['validate']]],
  ['validate -o github\ntest\n', [['validate', '-o', 'github'], ['test']]],
  ['\n  # first\nvalidate  # all\r\n\n\ttest\t', [['validate'], ['test']]],
  ['run "a b.yaml" \'c "d".yaml\'', [['run', 'a b.yaml', 'c "d".yaml']]],
  [
    String.raw`run a\ b.yaml "say \"so\"" 'back\slash' "back\slash"`,
    [['run', 'a b.yaml', 'say "so"', String.raw`back\slash`, String.raw`back\slash`]],
  ],
  ['plan --input note=""', [['plan', '--input', 'note=']]],
  ["plan ''", [['plan', '']]],
  ['plan a\\\n  b', [['plan', 'a', 'b']]],
  ['validate\\', [['validate']]],
  ['validate \\', [['validate']]],
  ['plan "two\nlines"\ntest', [['plan', 'two\nlines'], ['test']]],
  ['run a#b.yaml', [['run', 'a#b.yaml']]],
  [
    'run $HOME `id` $(id) *.yaml ; id | id && id > x',
    [['run', '$HOME', '`id`', '$(id)', '*.yaml', ';', 'id', '|', 'id', '&&', 'id', '>', 'x']],
  ],
  ['', []],
])('%j is read as commands', (text, commands) => {
  expect(commandsIn(text)).toEqual(commands);
});

test.each([
  ['validate\nrun "a', 'line 2: a " is not closed'],
  ["run 'a", "line 1: a ' is not closed"],
])('%j is refused', (text, because) => {
  expect(() => commandsIn(text)).toThrow(because);
});

test('the action starts before any package is installed, and imports none', async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['.ci/action/install.ts', '.ci/action/run.ts'],
    outdir: 'out',
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    write: false,
    metafile: true,
  });
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports);
  const packages = imported.filter(({ path, external }) => external && !isBuiltin(path));
  expect(packages).toEqual([]);
});

test('words in the quotes of a shell are read as bash reads them', () => {
  const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const double = (word: string): string => `"${word.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  const word = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', "'", '"', '\\', '#', '\n', '-', '=', 'é'),
  });
  const line = fc.array(fc.tuple(word, fc.boolean()), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(line, (pairs) => {
      const text = pairs.map(([each, isSingle]) => (isSingle ? quoted : double)(each)).join(' ');
      const script = `printf '%s\\0' ${text}`;
      const shown = execFileSync('bash', ['-c', script], { encoding: 'utf8' });
      expect(commandsIn(text)).toEqual([shown.split('\0').slice(0, -1)]);
    }),
    { numRuns: 100 },
  );
});

interface Action {
  readonly runs: {
    readonly steps: readonly {
      readonly name?: string;
      readonly run?: string;
      readonly env?: object;
    }[];
  };
}

/** The step, with a `deskhand` that prints its words, and fails at the word `fail`. */
async function run(commands: string): Promise<{ code: number; text: string }> {
  const action: Action = parse(readFileSync(join(root, 'action.yml'), 'utf8'));
  const { run: script = '', env } =
    action.runs.steps.find(({ name }) => name === 'Run deskhand') ?? {};
  expect(env).toEqual({ COMMANDS: '${{ inputs.run }}' });
  const bin = scratch();
  const node = join(bin, 'node');
  // The Node of the tests may be older than that of the action, which reads TypeScript itself.
  const loader = join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs');
  writeFileSync(
    node,
    `#!/bin/sh\nshift\nexec '${process.execPath}' --import 'file://${loader}' "$@"\n`,
  );
  const program = join(bin, 'deskhand');
  writeFileSync(program, '#!/bin/sh\nprintf "<%s>" "$@"\necho\n[ "$1" != fail ] || exit 4\n');
  for (const path of [node, program]) chmodSync(path, 0o755);
  const given = { COMMANDS: commands, GITHUB_ACTION_PATH: root };
  return step(script, { cwd: scratch(), env: given, bin });
}

test('the action runs every line of the step in docs/gitops.md, with its quotes', async () => {
  const page = readFileSync(join(root, 'docs', 'gitops.md'), 'utf8');
  const block = /^```yaml host\n(?<text>.*?)^```/ms.exec(page)?.groups?.['text'] ?? '';
  const [used]: [{ with: { run: string } }] = parse(block);
  expect(await run(used.with.run)).toEqual({
    code: 0,
    text: '<validate><-o><github>\n<test><playbooks/month end.test.yaml>\n',
  });
});

test('the action stops at the first command that fails, with its exit code', async () => {
  expect(await run('validate\nfail\ntest')).toEqual({ code: 4, text: '<validate>\n<fail>\n' });
});

test('the action runs nothing when a line cannot be read, or there is none', async () => {
  expect(await run('validate\ntest "a')).toEqual({
    code: 2,
    text: '::error::line 2: a " is not closed\n',
  });
  expect(await run('\n')).toEqual({ code: 2, text: '::error::the input "run" has no command\n' });
});
