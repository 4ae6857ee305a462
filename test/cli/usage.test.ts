import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { version } from '../../src/base/version.ts';
import { helpTopics } from '../../src/cli/commands/help.ts';
import { subjects } from '../../src/app/explain/subjects.ts';
import { verbs } from '../../src/cli/verbs/index.ts';
import { deskhand, folderWith } from './deskhand.ts';

/** The error of a command line, as a person sees it. */
async function errorOf(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await deskhand(words, { cwd: folderWith() });
  expect(stdout).toBe('');
  return `exit ${code}\n${stderr}`;
}

describe('an invalid command line', () => {
  test('an unknown command gets a suggestion', async () => {
    expect(await errorOf('pln')).toMatchInlineSnapshot(`
      "exit 2
      error[usage] unknown command "pln"
        help  did you mean plan?
      "
    `);
  });

  test('an unknown flag gets a suggestion', async () => {
    expect(await errorOf('plan', 'x.yaml', '--ful')).toMatchInlineSnapshot(`
      "exit 2
      error[usage] unknown flag "--ful"
        help  did you mean --full?
      "
    `);
  });

  test('a missing argument is named', async () => {
    expect(await errorOf('run')).toMatchInlineSnapshot(`
      "exit 2
      error[usage] <file> is missing
        help  see \`deskhand run --help\`
      "
    `);
  });

  test('a flag without its value is named', async () => {
    expect(await errorOf('plan', 'x.yaml', '--out')).toMatchInlineSnapshot(`
      "exit 2
      error[usage] --out needs a value
        help  see \`deskhand plan --help\`
      "
    `);
  });

  test('an empty flag or argument is named before anything is done', async () => {
    expect(await errorOf('plan', 'x.yaml', '--scheduled-for', '')).toMatchInlineSnapshot(`
      "exit 2
      error[usage] --scheduled-for is empty
        help  give it a value or omit it; see \`deskhand plan --help\`
      "
    `);
    expect(await errorOf('-C', '', 'plan', 'x.yaml')).toContain('--dir is empty');
    expect(await errorOf('plan', 'x.yaml', '--var', '')).toContain('--var is empty');
    expect(await errorOf('run', '')).toContain('an argument is empty');
  });

  test('--out-dir is refused for a single plan', async () => {
    expect(await errorOf('plan', 'x.yaml', '--out-dir', 'plans')).toContain(
      '--out-dir is for --changed-since',
    );
  });

  test('a missing plan file is reported', async () => {
    expect(await errorOf('approve', 'plan.json')).toContain('file not found: plan.json');
  });

  test('a command group without a subcommand asks for one', async () => {
    expect(await errorOf('runs')).toMatchInlineSnapshot(`
      "exit 2
      error[usage] a subcommand is required
        help  see \`deskhand runs --help\`
      "
    `);
  });

  test('a secret as a flag is refused, and its value is not repeated', async () => {
    const said = await errorOf('call', 'tax/list-p2p', '--api-secret=hunter2hunter2');
    expect(said).not.toContain('hunter2');
    expect(said).toMatchInlineSnapshot(`
      "exit 2
      error[usage] unknown flag --api-secret: secrets are never flags
        help  set DESKHAND_API_KEY, DESKHAND_API_SECRET and DESKHAND_API_PASSPHRASE, or name a file with …_FILE
      "
    `);
  });

  test('a missing file gets a suggestion', async () => {
    const cwd = folderWith({ 'playbook.yaml': '' });
    const { code, stderr } = await deskhand(['validate', 'playbok.yaml'], { cwd });
    expect(`exit ${code}\n${stderr}`).toMatchInlineSnapshot(`
      "exit 2
      error[usage] file not found: playbok.yaml
        help  did you mean playbook.yaml?
      "
    `);
  });

  test('an unsupported output format is refused', async () => {
    expect(await errorOf('validate', '-o', 'sariff')).toMatchInlineSnapshot(`
      "exit 2
      error[usage] --output is text, json, github, sarif, gitlab, junit or markdown, not "sariff"
        help  did you mean sarif?
      "
    `);
  });

  test('a missing folder is refused', async () => {
    expect(await errorOf('-C', 'nowhere', 'runs', 'list')).toContain('exit 2');
  });
});

test('an empty environment variable counts as not set', async () => {
  const cwd = folderWith({ 'deskhand.yaml': 'profiles: { sandbox: {} }\n' });
  const names = ['PROFILE', 'CONFIG', 'STATE_DIR', 'LOG', 'API_KEY_FILE'];
  const env = Object.fromEntries(names.map((name) => [`DESKHAND_${name}`, '']));
  const words = ['call', 'market/list-tickers', 'category=SPOT', 'symbol=BTCUSDT'];
  expect(await deskhand(words, { cwd, env })).toMatchObject({ code: 0 });
  expect(existsSync(join(cwd, '.deskhand', 'sandbox'))).toBe(true);
});

describe('help', () => {
  test('every command has a help page', async () => {
    const cwd = folderWith();
    const { code, stdout } = await deskhand(['--help'], { cwd });
    expect(code).toBe(0);
    for (const verb of ['demo', 'init', 'validate', 'plan', 'run', 'resume', 'runs', 'call']) {
      expect(stdout).toContain(`\n  ${verb}`);
    }
  });

  test('a command shows its own flags and the global ones', async () => {
    const { stdout } = await deskhand(['help', 'runs', 'show'], { cwd: folderWith() });
    expect(stdout).toContain('--requests');
    expect(stdout).toContain('--profile');
  });

  test('exit codes have a page', async () => {
    const { stdout } = await deskhand(['help', 'exit-codes'], { cwd: folderWith() });
    expect(stdout).toMatchInlineSnapshot(`
      "Exit codes
        0    done
        1    stopped: a step failed or was refused; every outcome is known
        2    the command line is not valid
        3    the playbook or the configuration is not valid; nothing was sent
        4    a key, passphrase or permission is missing, or the exchange refused it or the clock
        5    blocked by a guard, a stale plan, a lock or a missing approval; nothing was sent
        6    in doubt: the outcome of at least one request is unknown
        10   changes or differences: plan --exit-code, drift, call --strict
        130  interrupted (Ctrl-C); the journal is intact
        143  terminated; the journal is intact
      "
    `);
  });

  test('topics are listed, and each has a page', async () => {
    const cwd = folderWith();
    const { stdout } = await deskhand(['help', 'topics'], { cwd });
    const names = [...stdout.matchAll(/^  ([a-z-]+)  /gm)].map(([, name = '']) => name);
    expect(names).toEqual([...helpTopics, ...Object.keys(subjects)]);
    for (const name of names) {
      expect((await deskhand(['help', name], { cwd })).stdout.length).toBeGreaterThan(100);
    }
  });

  test.each(['futures/place-order', 'expressions', 'PB304', 'pb304', 'ladder', '40762', 'usage'])(
    '%s has the page of explain',
    async (topic) => {
      const cwd = folderWith();
      const explained = await deskhand(['explain', topic], { cwd });
      expect(await deskhand(['help', topic], { cwd })).toEqual(explained);
      expect(explained.code).toBe(0);
    },
  );

  test('a command comes before a topic of the same name', async () => {
    const { stdout } = await deskhand(['help', 'export'], { cwd: folderWith() });
    expect(stdout).toContain('Usage: deskhand export');
  });

  test('an unknown topic gets a suggestion', async () => {
    expect(await errorOf('help', 'expresions')).toBe(
      'exit 2\nerror[usage] unknown help topic "expresions"\n  help  did you mean expressions?\n',
    );
    expect(await errorOf('help', 'qqqqqqqqqqqq')).toContain('`deskhand help topics` lists');
  });

  test.each(['--version', '-V'])('%s is that of the package', async (flag) => {
    const { stdout } = await deskhand([flag], { cwd: folderWith() });
    const path = join(import.meta.dirname, '..', '..', 'package.json');
    const { version: packaged }: { version: string } = JSON.parse(readFileSync(path, 'utf8'));
    expect([stdout.trim(), version]).toEqual([packaged, packaged]);
  });
});

describe('the version', () => {
  const object = { version: 1, deskhand: version, node: process.versions.node };

  test('as JSON has the versions, the system, and the commit of the build', async () => {
    const cwd = folderWith();
    const lines = [
      ['version', '--json'],
      ['version', '-o', 'json'],
      ['--version', '--json'],
      ['--json', '-V'],
      ['-o', 'json', '--version'],
      ['--no-color', '--version', '--output=json'],
    ];
    for (const words of lines) {
      const { code, stdout } = await deskhand(words, { cwd });
      const { commit, ...found } = JSON.parse(stdout);
      expect([words, code, found]).toEqual([
        words,
        0,
        { ...object, platform: process.platform, arch: process.arch },
      ]);
      expect(commit ?? commitHere()).toBe(commitHere());
    }
  });

  test('as text is one line each', async () => {
    const { stdout } = await deskhand(['version'], { cwd: folderWith() });
    expect(stdout).toMatch(
      new RegExp(`^deskhand  ${version}\nnode      ${process.versions.node}\n`),
    );
  });
});

/** Of this repository when the command line under test was built. */
function commitHere(): unknown {
  const loader = readFileSync(join(dirname(inject('launcher')), 'cli.cjs'), 'utf8');
  return /"([0-9a-f]{40}(?:-dirty)?)"/.exec(loader)?.[1];
}

describe('--json', () => {
  test('is -o json for every command that has it', async () => {
    const cwd = folderWith({ 'a.yaml': 'playbook: 1\nname: a\nsteps: []\n' });
    for (const words of [
      ['runs', 'list'],
      ['validate', 'a.yaml'],
      ['explain', 'nothing'],
    ]) {
      const short = await deskhand([...words, '--json'], { cwd });
      expect(short).toEqual(await deskhand([...words, '-o', 'json'], { cwd }));
      expect(JSON.parse(short.stdout)).toMatchObject({ version: 1 });
      expect((await deskhand(['--json', ...words], { cwd })).stdout).toBe(short.stdout);
    }
  });

  test('is refused for a command without that format', async () => {
    for (const verb of verbs.filter(({ formats }) => formats?.includes('json') !== true)) {
      const words = [...verb.name.split(' '), ...(verb.positionals.match(/<\w+/g) ?? [])];
      const { code, stderr } = await deskhand([...words, '--json'], { cwd: folderWith() });
      expect([verb.name, code, stderr]).toEqual([
        verb.name,
        2,
        expect.stringContaining(`--json: ${verb.name} does not print one JSON object`),
      ]);
    }
  });

  test('does not contradict --output', async () => {
    const { code, stderr } = await deskhand(['runs', 'list', '--json', '-o', 'text'], {
      cwd: folderWith(),
    });
    expect([code, stderr]).toEqual([
      2,
      'error[usage] --json and --output text contradict\n  help  give one of them\n',
    ]);
    const both = ['runs', 'list', '--json', '-o', 'json'];
    expect((await deskhand(both, { cwd: folderWith() })).code).toBe(0);
  });
});

describe('streams', () => {
  test('only plain text is written to a stream that is not a terminal', async () => {
    const cwd = folderWith();
    for (const words of [
      ['--help'],
      ['explain'],
      ['explain', 'futures/place-order'],
      ['nonsense'],
    ]) {
      const { stdout, stderr } = await deskhand(words, { cwd });
      expect(stdout + stderr).not.toContain('\u001b');
    }
  });

  test('colors can be forced, and disabled again by the flag', async () => {
    const cwd = folderWith();
    const env = { FORCE_COLOR: '1' };
    const { stdout } = await deskhand(['explain'], { cwd, env });
    expect(stdout).toContain('\u001b[');
    const plain = await deskhand(['explain', '--no-color'], { cwd, env });
    expect(plain.stdout).not.toContain('\u001b');
  });

  test('a usage error under -o json is one object on stdout', async () => {
    const { code, stdout } = await deskhand(['explain', 'nothing', '-o', 'json'], {
      cwd: folderWith(),
    });
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, exit: 2, error: { code: 'usage' } });
  });
});
