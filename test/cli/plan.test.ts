import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { planSchema } from '../../src/engine/plan/plan-schema.ts';
import { deskhand, folderWith } from './deskhand.ts';
import { files, ladder, masked, resting } from './ladder.ts';

const ajv = new Ajv({ strict: false, logger: false });

describe('plan', () => {
  test('is shown and saved, and changes nothing', async () => {
    const cwd = folderWith(files);
    const { code, stdout, stderr } = await deskhand(['plan', 'ladder.yaml'], { cwd });
    expect([code, stderr]).toEqual([0, 'no deskhand.yaml: account main is the profile sandbox\n']);
    expect(stdout).toContain('3 to create');
    expect(stdout).toContain('+ BTCUSDT open long 0.010 @ 40,000.0, post_only, crossed');
    const [saved = ''] = readdirSync(join(cwd, '.deskhand', 'plans'));
    expect(stdout).toContain(`Next  deskhand run .deskhand/plans/${saved}`);
    expect(await resting(cwd)).toBe(0);
  });

  test('-o json prints a plan that fits its schema', async () => {
    const cwd = folderWith(files);
    const { stdout } = await deskhand(['plan', 'ladder.yaml', '-o', 'json'], { cwd });
    const isPlan = ajv.compile(planSchema.json);
    expect(isPlan(JSON.parse(stdout)) ? [] : isPlan.errors).toEqual([]);
  });

  test('--exit-code distinguishes changes from none', async () => {
    const cwd = folderWith(files);
    const words = ['plan', 'ladder.yaml', '--exit-code', '-q'];
    expect((await deskhand(words, { cwd })).code).toBe(10);
    await deskhand(['run', 'ladder.yaml'], { cwd });
    expect((await deskhand(words, { cwd })).code).toBe(0);
  });

  test('--offline makes no request', async () => {
    const cwd = folderWith(files);
    const env = { DESKHAND_BASE_URL: 'http://127.0.0.1:9' };
    const { code, stdout } = await deskhand(['plan', 'ladder.yaml', '--offline'], { cwd, env });
    expect([code, stdout.includes('made offline: nothing was read')]).toEqual([0, true]);
  });

  test('a violated guard exits with 5', async () => {
    const cwd = folderWith(files);
    const words = ['plan', 'ladder.yaml', '--var', 'rungs=20'];
    const { code, stdout } = await deskhand(words, { cwd });
    expect([code, stdout.includes('! guard max-writes')]).toEqual([5, true]);
    const run = await deskhand(['run', 'ladder.yaml', '--var', 'rungs=20'], { cwd });
    expect([run.code, await resting(cwd)]).toEqual([5, 0]);
  });

  test('an invalid input is named', async () => {
    const words = ['plan', 'ladder.yaml', '--var', 'rungs=many', '--var', 'rung=3'];
    const { code, stderr } = await deskhand(words, { cwd: folderWith(files) });
    expect(code).toBe(3);
    expect(stderr).toMatchSnapshot();
  });
});

test('inputs come from flags, files or the environment, in this order', async () => {
  const cwd = folderWith({ ...files, 'vars.yaml': 'rungs: 4\n' });
  const env = { DESKHAND_VAR_rungs: '5', DESKHAND_VAR_of_another: '1' };
  const created = async (...words: string[]): Promise<number> => {
    const all = ['plan', 'ladder.yaml', '-o', 'json', ...words];
    return JSON.parse((await deskhand(all, { cwd, env })).stdout).totals.create;
  };
  const ofFile = await created('--var-file', 'vars.yaml');
  const ofLine = await created('--var-file', 'vars.yaml', '--var', 'rungs=2');
  expect([await created(), ofFile, ofLine]).toEqual([5, 4, 2]);
});

describe('an empty variable counts as not set', () => {
  const using = (declared: string): string => `playbook: 1
name: using
inputs: { size: { type: decimal${declared} } }
steps:
  - { id: t, uses: market/list-tickers, with: { category: SPOT }, if: "{{ gt inputs.size 0 }}" }
`;
  const plan = (declared: string) =>
    deskhand(['plan', 'using.yaml'], {
      cwd: folderWith({ 'using.yaml': using(declared) }),
      env: { DESKHAND_VAR_size: '' },
    });

  test('so a default is used', async () => {
    expect((await plan(', default: "0.5"')).code).toBe(0);
  });

  test('and without a default, the message names it', async () => {
    const { code, stderr } = await plan('');
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(
        /size: a value is required[^]*--var size=… or DESKHAND_VAR_size; an empty variable counts as not\s+set/,
      ),
    ]);
  });
});

test('a loop without items is told as such on the screen, in reports and in the list', async () => {
  const cwd = folderWith({
    'empty.yaml': `playbook: 1
name: empty
inputs: { none: { type: list, items: { type: string }, default: [] } }
steps:
  - id: loop
    for-each: "{{ inputs.none }}"
    uses: market/list-tickers
    with: { category: SPOT, symbol: "{{ each.value }}" }
  - { id: after, needs: [loop], uses: market/list-tickers, with: { category: SPOT } }
`,
  });
  const { code, stdout, stderr } = await deskhand(['run', 'empty.yaml', '-v'], { cwd });
  expect(code).toBe(0);
  expect(stdout + stderr).toMatch(/Skipped +○ loop +no items/);
  expect(stdout + stderr).toMatch(/loop +done +no items/);
  const report = await deskhand(['run', 'empty.yaml', '-o', 'markdown'], { cwd });
  expect(report.stdout).toContain('| **loop** | no items |');
  expect(stdout + stderr + report.stdout).not.toContain('condition');
});

describe('--var-file -', () => {
  const created = async (input: string, ...words: string[]): Promise<unknown> => {
    const all = ['plan', 'ladder.yaml', '-o', 'json', ...words];
    const { stdout } = await deskhand(all, { cwd: folderWith(files), input });
    const { totals, error } = JSON.parse(stdout);
    return totals?.create ?? error.message;
  };

  test('reads inputs from stdin, as YAML or JSON', async () => {
    expect(await created('rungs: 4\n', '--var-file', '-')).toBe(4);
    expect(await created('{"rungs": 3}', '--var-file=-')).toBe(3);
    expect(await created('rungs: 4\n', '--var-file', '-', '--var', 'rungs=2')).toBe(2);
    expect(await created('[1]', '--var-file', '-')).toBe('stdin must contain a mapping of inputs');
  });

  test.each([
    ['plan -', 'an argument and --var-file'],
    ['plan ladder.yaml --var-file -', '--var-file and --var-file'],
    ['rehearse ladder.yaml --scenario -', '--scenario and --var-file'],
    ['validate - -', 'an argument and an argument'],
    ['approve - --record -', 'an argument and --record'],
  ])('%s with another reader of stdin is refused', async (line, both) => {
    const more = /^(?:plan|rehearse)/.test(line) ? ' --var-file -' : '';
    const words = `${line}${more}`.split(' ');
    const { code, stderr } = await deskhand(words, { cwd: folderWith(files), input: 'rungs: 4\n' });
    expect([code, stderr]).toEqual([
      2,
      `error[usage] stdin can be read once, but ${both} are "-"\n` +
        '  help  write one of them to a file, and name it\n',
    ]);
  });

  test('only where stdin is meant, - is not a file', async () => {
    const words = ['plan', 'ladder.yaml', '--config', '-'];
    const { code, stderr } = await deskhand(words, { cwd: folderWith(files) });
    expect([code, stderr]).toEqual([2, 'error[usage] file not found: -\n']);
  });
});

describe('a reviewed plan', () => {
  async function planned(cwd: string): Promise<string> {
    await deskhand(['plan', 'ladder.yaml', '--out', 'plan.json'], { cwd });
    return 'plan.json';
  }

  test('runs exactly as shown, and only once', async () => {
    const cwd = folderWith(files);
    const plan = await planned(cwd);
    const first = await deskhand(['run', plan], { cwd });
    expect([first.code, await resting(cwd)]).toEqual([0, 3]);
    const second = await deskhand(['run', plan], { cwd });
    expect([second.code, second.stderr.startsWith('error[stale-plan]')]).toEqual([5, true]);
  });

  test('is refused if the playbook was changed', async () => {
    const cwd = folderWith(files);
    const plan = await planned(cwd);
    writeFileSync(join(cwd, 'ladder.yaml'), ladder.replace('0.030', '0.060'));
    const { code, stderr } = await deskhand(['run', plan], { cwd });
    expect([code, masked(stderr)]).toMatchSnapshot();
  });

  test('is refused if its effects would differ now', async () => {
    const cwd = folderWith(files);
    const plan = await planned(cwd);
    await deskhand(['run', 'ladder.yaml'], { cwd });
    const { code, stderr } = await deskhand(['run', plan], { cwd });
    expect([code, masked(stderr)]).toMatchSnapshot();
  });

  test('is refused if its file was changed', async () => {
    const cwd = folderWith(files);
    const plan = join(cwd, await planned(cwd));
    writeFileSync(plan, readFileSync(plan, 'utf8').replaceAll('39000', '41000'));
    expect((await deskhand(['run', 'plan.json'], { cwd })).code).toBe(5);
  });

  test('does not accept other inputs', async () => {
    const cwd = folderWith(files);
    const plan = await planned(cwd);
    const { code } = await deskhand(['run', plan, '--var', 'rungs=1'], { cwd });
    expect(code).toBe(2);
  });
});
