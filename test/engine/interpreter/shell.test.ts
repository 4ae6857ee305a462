/** Local programs: run without a shell, with a minimal environment, only where allowed. */
import { readdirSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { replay } from '../../../src/engine/journal/replay.ts';
import { loadPlaybook } from '../../../src/language/load.ts';
import { ProgramError, runProgram, type Printed } from '../../../src/engine/effects/shell.ts';
import {
  entriesOf,
  live,
  openHarness,
  planOn,
  playbookFrom,
  type Life,
} from '../../support/harness.ts';

const node = JSON.stringify(process.execPath);
const program = (code: string, more = ''): string => `
playbook: 1
name: program
inputs:
  word: { type: string, default: "$(touch nobody) ; * \\"x\\" -rf" }
steps:
  - id: it
    uses: shell/run
    with:
      command: [${node}, -e, ${JSON.stringify(code)}, "{{ inputs.word }}", 7]
${more}
`;

async function ran(code: string, more = '', life: Life = {}) {
  const harness = await openHarness();
  const playbook = playbookFrom(program(code, more));
  const result = await live(harness, playbook, { programs: true, ...life });
  return { result, outcome: replay(entriesOf(harness)).get('it')?.outcome, disk: harness.disk };
}

describe('shell/run', () => {
  test('passes the arguments unchanged and records the output', async () => {
    const { outcome } = await ran('console.log(JSON.stringify(process.argv.slice(1)))');
    expect(outcome).toMatchObject({
      kind: 'done',
      output: { exit: 0, stdout: '["$(touch nobody) ; * \\"x\\" -rf","7"]\n', stderr: '' },
    });
  });

  test('passes only the environment variables needed to start', async () => {
    process.env['DESKHAND_API_SECRET'] = 'not for programs';
    const { outcome } = await ran(
      'console.log(Object.keys(process.env).sort().join())',
      '      env: { WORD: "{{ inputs.word }}" }',
    );
    delete process.env['DESKHAND_API_SECRET'];
    const { stdout } = Object(outcome).output;
    expect(stdout.trim().split(',')).toEqual(
      ['HOME', 'LANG', 'PATH', 'TZ', 'WORD'].filter(
        (name) => name === 'WORD' || process.env[name] !== undefined,
      ),
    );
  });

  test('masks a secret it was given, in any encoding', async () => {
    const more = '      env: { TOKEN: "{{ secrets.LONG_TOKEN }}" }';
    const code =
      'const t = process.env.TOKEN; console.log(t, Buffer.from(t).toString("hex")); console.error(t)';
    const { outcome, disk } = await ran(code, more);
    expect(outcome).toMatchObject({ output: { stdout: '••• •••\n', stderr: '•••\n' } });
    expect(disk).not.toContain('LONG_TOKEN,');
  });

  test.each([
    ['process.stderr.write("bad\\nworse"); process.exit(3)', 'ended with 3: worse', '60s'],
    ['setTimeout(() => {}, 60000)', 'did not end within 0.5 s', '500ms'],
    ['process.stdout.write("x".repeat(300 * 1024))', 'printed more than 256 KiB', '60s'],
  ])('%s fails the step', async (code, message, timeout) => {
    const { outcome, result } = await ran(code, `    timeout: ${timeout}`);
    expect(outcome).toMatchObject({ kind: 'failed', code: 'program' });
    expect(Object(outcome).message).toContain(message);
    expect(result.exit).toBe(1);
  });

  test.each([[false], [['jq']]])('is refused if the profile allows %j', async (programs) => {
    const harness = await openHarness();
    const playbook = playbookFrom(program('0'));
    await expect(planOn(harness, playbook)).rejects.toThrow(/does not allow shell.run to start/);
    const { outcome } = await ran('0', '', { programs });
    expect(outcome).toMatchObject({ kind: 'failed', code: 'config', exit: 3 });
  });

  test.each([
    ['command: [a]', 'command: a b', 'command expects a list of words, found one of a b'],
    ['command: [a]', 'command: [a]\n      stdin: x', 'shell/run has no field "stdin"'],
    ['command: [a]', 'command: ["{{ secrets.KEY }}"]', 'secrets'],
    ['command: [a]', 'env: { A: b }', 'command is missing'],
  ])('%s as %s is reported', (good, bad, message) => {
    const text = `playbook: 1\nname: p\nsteps:\n  - id: it\n    uses: shell/run\n    with:\n      ${good}\n`;
    expect(loadPlaybook(text, 'p.yaml').problems).toEqual([]);
    const found = loadPlaybook(text.replace(good, bad), 'p.yaml').problems;
    expect(found.map((problem) => problem.message).join()).toContain(message);
  });
});

/** Runs a command in an empty folder. */
async function printed(
  words: readonly string[],
  cwd?: string,
  timeoutMs = 20_000,
): Promise<Printed> {
  const folder = cwd ?? (await mkdtemp(join(tmpdir(), 'shell-')));
  const signal = new AbortController().signal;
  return runProgram({ words, env: {}, cwd: folder, timeoutMs, signal, secrets: [] });
}

describe('the arguments of a program', () => {
  const echo = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
  const hostile = fc.constantFrom(
    ...[
      '',
      ' ',
      '-',
      '--',
      '-rf',
      '--help',
      '$(touch a)',
      '`touch a`',
      '$HOME',
      '${IFS}',
      '*',
      '~',
    ].concat(
      [
        '; touch a',
        '&& touch a',
        '| cat',
        '> a',
        "'",
        '"',
        `'"'"'`,
        '\\',
        '\n',
        '\r\n',
        '\t',
        '!!',
      ],
      [
        "$'x'",
        '%PATH%',
        '#',
        '{a,b}',
        '[a-z]',
        '\u202e',
        '\u{1f980}',
        '\ufeff',
        '\u0085',
        'é',
        'e\u0301',
      ],
    ),
  );
  const word = fc.oneof(
    hostile,
    fc.array(hostile, { minLength: 2, maxLength: 6 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
  );

  test('arrive byte by byte', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'shell-'));
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 60 }), async (words) => {
        const { stdout } = await printed([process.execPath, '-e', echo, '--', ...words], cwd);
        expect(JSON.parse(stdout)).toEqual(words);
      }),
      { numRuns: 25 },
    );
    expect(readdirSync(cwd)).toEqual([]);
  });

  test.each(['sh -c touch', 'true; touch a', '$(touch a)', ''])(
    'a program named %j is searched by exactly that name',
    async (name) => {
      const cwd = await mkdtemp(join(tmpdir(), 'shell-'));
      await expect(printed([name, 'a'], cwd)).rejects.toThrow(ProgramError);
      expect(readdirSync(cwd)).toEqual([]);
    },
  );

  test('cannot contain a NUL', async () => {
    await expect(printed(['true', 'a\0b'])).rejects.toThrow('an argument has a NUL');
  });
});

test('child processes of a program end with it', async () => {
  // The grandchild keeps the output open: if it were alive, the output would never end.
  const child = 'setInterval(() => {}, 1000)';
  const parent = `require('child_process').spawn(process.execPath, ['-e', '${child}'], { stdio: 'inherit' })`;
  const ending = printed([process.execPath, '-e', parent], undefined, 1_000);
  await expect(ending).rejects.toThrow('did not end within 1 s');
});

test('a child process that left its group and holds the output open is not waited for', async () => {
  const child = 'setTimeout(() => {}, 8000)';
  const parent = `require('child_process').spawn(process.execPath, ['-e', '${child}'], { stdio: 'inherit', detached: true }).unref()`;
  const ending = printed([process.execPath, '-e', parent], undefined, 1_000);
  await expect(ending).rejects.toThrow('did not end within 1 s');
});

test('a shell named in the environment is not used', async () => {
  process.env['ZX_SHELL'] = '/bin/false';
  process.env['ZX_PREFIX'] = 'touch a;';
  process.env['ZX_VERBOSE'] = 'true';
  try {
    expect(await printed(['echo', 'x'])).toEqual({ exit: 0, stdout: 'x\n', stderr: '' });
  } finally {
    for (const name of ['ZX_SHELL', 'ZX_PREFIX', 'ZX_VERBOSE']) delete process.env[name];
  }
});
