/** Completion scripts, executed by the real shells where they are installed. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { globalFlags } from '../../src/cli/verbs/flags.ts';
import { verbs } from '../../src/cli/verbs/index.ts';
import { operationNames } from '../../src/exchange/api/operations/index.ts';
import { deskhand, folderWith } from './deskhand.ts';
import { ladder } from './ladder.ts';

const config = 'profiles:\n  main: {}\n  "odd name": {}\n';
const files = {
  'deskhand.yaml': config.replace('  "odd name": {}\n', '  mirror: {}\n'),
  'playbooks/ladder.yaml': ladder,
  'playbooks/ladder.test.yaml': 'playbook-test: 1\n',
  'playbooks/my own.yaml': ladder,
  'notes.txt': '',
};

const scripts = new Map<string, string>();
beforeAll(async () => {
  for (const name of ['bash', 'zsh', 'fish']) {
    scripts.set(name, (await deskhand(['completion', name], { cwd: folderWith() })).stdout);
  }
});

/** A folder with a `deskhand` to call and files to complete. */
function place(): { readonly cwd: string; readonly bin: string } {
  const cwd = folderWith(files);
  const bin = join(cwd, '.bin');
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'deskhand'),
    `#!/bin/sh\nexec '${process.execPath}' '${inject('launcher')}' "$@"\n`,
  );
  chmodSync(join(bin, 'deskhand'), 0o755);
  return { cwd, bin };
}

function shell(name: string, script: string, { cwd, bin }: ReturnType<typeof place>): string {
  const { HOME = '', PATH = '' } = process.env;
  const env = {
    HOME: cwd,
    XDG_CONFIG_HOME: join(cwd, '.config'),
    PATH: `${bin}:${PATH}`,
    LANG: 'C.UTF-8',
    REAL_HOME: HOME,
    TMPDIR: tmpdir(),
  };
  const words =
    name === 'bash'
      ? ['--norc', '--noprofile', '-c', script]
      : name === 'zsh'
        ? ['-f', '-c', script]
        : ['--no-config', '-c', script];
  const { stdout, stderr, status } = spawnSync(name, words, { cwd, env, encoding: 'utf8' });
  expect([stderr, status]).toEqual(['', 0]);
  return stdout;
}

/** Completions in bash, which splits words at spaces, = and :. */
function inBash(line: string, at = place()): readonly string[] {
  const words = line.split(/\s+|(?<=[=:])|(?=[=:])/);
  const script = `
${scripts.get('bash')}
compopt() { echo "$*" >&3; } 3>&1
COMP_LINE=$1; COMP_POINT=\${#COMP_LINE}
COMP_WORDS=(${words.map(quoted).join(' ')}); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
_deskhand
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const lines = shell('bash', `set -- ${quoted(line)}\n${script}`, at)
    .trimEnd()
    .split('\n');
  return lines.filter((word) => word !== '');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

describe('bash completes', () => {
  test('commands and subcommands', () => {
    const first = new Set(verbs.map(({ name }) => name.split(' ')[0]));
    expect(inBash('deskhand ')).toEqual([...first]);
    expect(inBash('deskhand va')).toEqual(['validate']);
    const ofRuns = verbs.flatMap(({ name }) => /^runs (\S+)$/.exec(name)?.[1] ?? []);
    expect(inBash('deskhand runs ')).toEqual(ofRuns);
    expect(inBash('deskhand -q sandbox st')).toEqual(['start']);
  });

  test('flags of the command and global flags', () => {
    const offered = inBash('deskhand plan --');
    expect(offered).toEqual(expect.arrayContaining(['--offline', '--profile', '--help']));
    expect(offered).not.toContain('--junit');
    expect(inBash('deskhand test --j')).toEqual(['--junit', '--json', '--json-into']);
    expect(inBash('deskhand fmt --j')).toEqual(['--json-into']);
    expect(inBash('deskhand --v')).toEqual(['--verbose', '--version']);
    expect(inBash('deskhand plan --v')).toEqual(['--var', '--var-file', '--verbose']);
  });

  test('playbooks, and folders to descend into', () => {
    expect(inBash('deskhand plan p')).toEqual(['-o filenames', '-o nospace', 'playbooks/']);
    expect(inBash('deskhand validate a.yaml playbooks/l')).toEqual([
      '-o filenames',
      'playbooks/ladder.yaml',
    ]);
    expect(inBash('deskhand test playbooks/')).toEqual([
      '-o filenames',
      'playbooks/ladder.test.yaml',
    ]);
    expect(inBash('deskhand graph playbooks/m')).toEqual(['-o filenames', 'playbooks/my own.yaml']);
  });

  test('steps and inputs of the given playbook', () => {
    expect(inBash('deskhand run playbooks/ladder.yaml --only ')).toEqual(['orders', 'tickers']);
    expect(inBash('deskhand run playbooks/ladder.yaml --only=t')).toEqual(['tickers']);
    expect(inBash('deskhand plan playbooks/ladder.yaml --var ')).toEqual(['-o nospace', 'rungs=']);
  });

  test('profiles from the configuration of the given folder', () => {
    const at = place();
    expect(inBash('deskhand plan -p ma', at)).toEqual(['main']);
    expect(inBash('deskhand run --profile=mi', at)).toEqual(['mirror']);
    mkdirSync(join(at.cwd, 'other'));
    writeFileSync(join(at.cwd, 'other', 'deskhand.yaml'), 'profiles: { elsewhere: {} }\n');
    expect(inBash('deskhand -C other -p e', at)).toEqual(['elsewhere']);
    expect(inBash('deskhand --config other/deskhand.yaml -p e', at)).toEqual(['elsewhere']);
  });

  test('operations, their fields and values', () => {
    expect(inBash('deskhand call ')).toEqual(operationNames);
    expect(inBash('deskhand call futures/place-order si')).toEqual([
      '-o nospace',
      'size=',
      'side=',
    ]);
    expect(inBash('deskhand call futures/place-order symbol=BTCUSDT side=')).toEqual([
      'buy',
      'sell',
    ]);
  });

  test('enumerated values', () => {
    expect(inBash('deskhand validate -o ')).toEqual([
      'text',
      'json',
      'github',
      'sarif',
      'gitlab',
      'junit',
      'markdown',
    ]);
    expect(inBash('deskhand fmt -o ')).toEqual(['text']);
    expect(inBash('deskhand graph x.yaml --format m')).toEqual(['mermaid']);
    expect(inBash('deskhand completion ')).toEqual(['bash', 'zsh', 'fish']);
    expect(inBash('deskhand explain PB00')).toContain('PB006');
    expect(inBash('deskhand help ex')).toEqual([
      'export',
      'explain',
      'exit-codes',
      'expressions',
      'exports',
      'expectation',
    ]);
    expect(inBash('deskhand sandbox control clock/')).toEqual(['clock/advance']);
  });

  test('all runs for runs show, unfinished ones for resume', async () => {
    const at = place();
    const done = await deskhand(['run', 'playbooks/ladder.yaml', '-o', 'json'], { cwd: at.cwd });
    const { run } = JSON.parse(done.stdout);
    expect(inBash('deskhand runs show ', at)).toEqual([run]);
    expect(inBash('deskhand resume ', at)).toEqual([]);
    const journal = join(at.cwd, '.deskhand', 'runs', run, 'journal.ndjson');
    const lines = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, `${lines.slice(0, -2).join('\n')}\n`);
    expect(inBash('deskhand resume ', at)).toEqual([run]);
  });

  test('plans for approve', async () => {
    const at = place();
    await deskhand(['plan', 'playbooks/ladder.yaml'], { cwd: at.cwd });
    expect(inBash('deskhand run playbooks/ladder.yaml --approve ', at)).toEqual([
      expect.stringMatching(/^p-[0-9a-f]{8}$/),
    ]);
  });

  test('nothing if there are no candidates', () => {
    for (const line of [
      'deskhand nonsense ',
      'deskhand plan --out=missing/',
      'deskhand run missing.yaml --only ',
      'deskhand runs show r',
      'deskhand plan -- --',
    ]) {
      expect([line, inBash(line)]).toEqual([line, []]);
    }
  });
});

describe('the completion query', () => {
  test.each([
    [[]],
    [['bash']],
    [['nonsense', 'x']],
    [['bash', 'run', '\u0000']],
    [['bash', '-C', '/nowhere', 'run', '']],
    [['bash', 'plan', '/etc/passwd/']],
    [['bash', '--config', 'missing.yaml', '-p', '']],
    [['bash', 'run', 'folder', '--only', '']],
  ])('%j is never an error', async (words) => {
    const given = words.map((word) => word.replaceAll('\u0000', ''));
    const { code, stderr } = await deskhand(['__complete', ...given], {
      cwd: folderWith({ 'folder/x': '' }),
    });
    expect([code, stderr]).toEqual([0, '']);
  });

  test('a broken configuration or playbook gives no candidates', async () => {
    const cwd = folderWith({ 'deskhand.yaml': 'profiles: [', 'a.yaml': 'steps: [{ id: one' });
    const ask = (...words: string[]) => deskhand(['__complete', 'bash', ...words], { cwd });
    expect(await ask('-p', '')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await ask('run', 'a.yaml', '--only', '')).stderr).toBe('');
  });

  test('names with control characters are omitted', async () => {
    const cwd = folderWith({ 'a\u001b[31m.yaml': '', 'a\n.yaml': '', 'ab.yaml': '' });
    const { stdout } = await deskhand(['__complete', 'bash', 'plan', 'a'], { cwd });
    expect(stdout).toBe(':files\nab.yaml\n');
  });

  const traps = [
    '$(touch${IFS}PWNED)',
    '`touch${IFS}PWNED`',
    'a;touch${IFS}PWNED;',
    'a|touch${IFS}PWNED',
    'a&touch${IFS}PWNED&',
    '>PWNED',
    '!!',
    '~root',
    '*',
    'a\u202eb',
    'a\u{e0041}b',
    "'a",
    '"a',
    'a#b c',
  ];

  test('a step or input name that a shell would execute is not offered', () => {
    const at = place();
    const steps = traps.map((trap) => `  - id: ${JSON.stringify(trap)}\n`).join('');
    const inputs = traps.map((trap) => `  ${JSON.stringify(trap)}: {}\n`).join('');
    const text = `inputs:\n${inputs}  good: {}\nsteps:\n${steps}  - id: good\n`;
    writeFileSync(join(at.cwd, 'a.yaml'), text);
    expect(inBash('deskhand run a.yaml --only ', at)).toEqual(['good']);
    expect(inBash('deskhand run a.yaml --var ', at)).toEqual(['-o nospace', 'good=']);
  });

  test('nor is such a file name', () => {
    const at = place();
    for (const trap of traps) writeFileSync(join(at.cwd, `x${trap}.yaml`), '');
    for (const line of ['deskhand plan x', 'deskhand plan --config=x']) {
      expect(inBash(line, at)).toEqual([]);
    }
  });

  test('brackets of an address are escaped for bash', async () => {
    const cwd = folderWith({ 'a.yaml': 'inputs: { "a[1]": {} }' });
    const ask = (typed: string) =>
      deskhand(['__complete', 'bash', 'run', 'a.yaml', '--var', typed], { cwd });
    expect((await ask('')).stdout).toBe(':open\n' + String.raw`a\[1\]=` + '\n');
    expect((await ask(String.raw`a\[`)).stdout).toBe(':open\n' + String.raw`a\[1\]=` + '\n');
  });

  test('is hidden from the list of commands', async () => {
    const { stdout } = await deskhand(['--help'], { cwd: folderWith() });
    expect(stdout).not.toContain('__complete');
  });
});

describe.runIf(isThere('zsh'))('zsh', () => {
  test('gets candidates with descriptions', () => {
    const script = (line: string): string => `
compdef() { : }
${scripts.get('zsh')}
compadd() { print -r -- "$@"; print -rl -- $shown }
words=(${line.split(' ').map(quoted).join(' ')}); CURRENT=$#words
_deskhand; true`;
    const verb = shell('zsh', script('deskhand va'), place());
    expect(verb).toContain(`-- validate\nvalidate  -- ${descriptionOf('validate')}\n`);
    expect(shell('zsh', script('deskhand plan playbooks/my'), place())).toContain(
      '-f -l -d shown -- playbooks/my own.yaml',
    );
    expect(shell('zsh', script('deskhand plan p'), place())).toContain(
      '-f -S  -l -d shown -- playbooks/',
    );
    expect(shell('zsh', script('deskhand nonsense x'), place())).toBe('');
  });
});

describe.runIf(isThere('fish'))('fish', () => {
  test('offers the same candidates', () => {
    const ask = (line: string): string =>
      shell(
        'fish',
        `${scripts.get('fish')}
complete -C ${quoted(line)}`,
        place(),
      );
    expect(ask('deskhand va')).toBe(`validate\t${descriptionOf('validate')}\n`);
    expect(ask('deskhand run playbooks/ladder.yaml --only ')).toBe('orders\ntickers\n');
    expect(ask('deskhand validate -o g')).toBe('github\ngitlab\n');
    expect(ask('deskhand nonsense x')).toBe('');
  });
});

function descriptionOf(verb: string): string {
  return verbs.find(({ name }) => name === verb)?.description ?? '';
}

function isThere(name: string): boolean {
  return spawnSync(name, ['--version']).status === 0;
}

test('an unknown shell is a usage error that lists the supported ones', async () => {
  const { code, stderr } = await deskhand(['completion', 'bsh'], { cwd: folderWith() });
  expect([code, stderr]).toEqual([
    2,
    'error[usage] the shell is bash, zsh or fish, not "bsh"\n  help  did you mean bash?\n',
  ]);
});

test('every argument defines its candidates, unless it is free text', () => {
  const open = verbs.flatMap(({ name, positionals: words, choices, flags }) => [
    ...(words !== '' && choices === undefined ? [`${name} ${words}`] : []),
    ...[...globalFlags, ...flags]
      .filter((flag) => flag.flags.includes('<') && flag.choices === undefined)
      .map((flag) => flag.flags),
  ]);
  expect([...new Set(open)].sort()).toEqual([
    '--account-id <id>',
    '--columns <names>',
    '--comment <text>',
    '--count <number>',
    '--days <number>',
    '--from <time>',
    '--id <id>',
    '--identity-key <key>',
    '--listen <address>',
    '--max-notional <dollars>',
    '--package <spec>',
    '--placed <id>',
    '--port <number>',
    '--reason <text>',
    '--schedule <cron>',
    '--scheduled-for <time>',
    '--seed <number>',
    '--seeds <number>',
    '--sort <names>',
    '--statement <text>',
    '--stream <address>',
    '--symbol <symbol>',
    '--timezone <name>',
    '--to <time>',
    '--type <field=type>',
    '--unique <names>',
    '--with <field=value>',
    '-o, --output <format>', // as the verb has them
    'new [name]',
    'sandbox advance <time>',
  ]);
});
