/** Notices and programs are effects: shown, counted and approved; their requirements are checked first. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { limitOrder } from '../support/order.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { resting } from './ladder.ts';

const order = `
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '40000.0' })}`;
const notice = `
  - id: notice
    uses: notify/webhook
    with: { url: "{{ secrets.HOOK }}", text: "placed" }`;
const program = (command: string): string => `
  - id: program
    uses: shell/run
    with: { command: [${command}] }`;

const mail = 'from=a@x.org&to=b@x.org';
const hook = 'https://127.0.0.1:9/services/T0KEN-of-the-hook'; // no one listens there

interface Place {
  readonly cwd: string;
  readonly at: (...words: string[]) => Promise<Ended>;
}

interface PlaceOptions {
  /** Lines of the profile. */
  readonly profile?: string;
  /** Where notices go. */
  readonly secret?: string;
  /** Text below the playbook's steps. */
  readonly after?: string;
}

const usual = 'allow: { shell: [node, missing-program] }';

function place(
  steps: string,
  { profile = usual, secret = hook, after = '' }: PlaceOptions = {},
): Place {
  const cwd = folderWith({
    'p.yaml': `playbook: 1\nname: p\naccount: main\nsteps:${steps}\n${after}`,
    'deskhand.yaml': `profiles: { main: { ${profile} } }\n`,
  });
  const env = secret === '' ? {} : { DESKHAND_SECRET_HOOK: secret };
  return { cwd, at: (...words) => deskhand(words, { cwd, env: { ...env } }) };
}

describe('needs of a step are checked before anything is sent', () => {
  test.each([
    ['a secret', order + notice, '', { secret: '' }],
    ['a secret of on-failure', order, `on-failure:${notice}`, { secret: '' }],
    ['a secret of finally', order, `finally:${notice}`, { secret: '' }],
    ['a program', order + program('missing-program'), '', {}],
    ['a program of on-failure', order, `on-failure:${program('missing-program')}`, {}],
    ['a program that is not allowed', order + program('node'), '', { profile: 'allow: {}' }],
    ['an address without encryption', order + notice, '', { secret: 'http://hooks.example' }],
    ['an address that is none', order + notice, '', { secret: 'hooks.example' }],
    [
      'an e-mail whose password others could read',
      order + notice,
      '',
      { secret: `smtp://u:p@mail.example?tls=off&${mail}` },
    ],
    [
      'an address of another format',
      order + notice.replace('text:', 'format: email, text:'),
      '',
      { secret: 'https://hooks.example' },
    ],
  ])('%s', async (_name, steps, after, options) => {
    const { cwd, at } = place(steps, { ...options, after });
    const planned = await at('plan', 'p.yaml');
    expect([planned.code, planned.stderr]).toEqual([3, expect.stringContaining('error[config]')]);
    const run = await at('run', 'p.yaml', '-o', 'json');
    expect([run.code, await resting(cwd)]).toEqual([3, 0]);
  });

  test.each([
    ['http://127.0.0.1:9/T0KEN', '127.0.0.1:9'],
    [`smtp://T0KEN:p@127.0.0.1:9/?${mail}`, '127.0.0.1:9'],
    [`smtps://user:T0KEN@mail.example/?${mail}`, 'mail.example'],
    [`smtp://user:T0KEN@mail.example:587/?${mail}`, 'mail.example:587'],
    ['https://hooks.example/T0KEN', 'hooks.example'],
  ])('%s is planned for the sandbox, and only its host is shown', async (secret, host) => {
    const { at } = place(notice, { secret });
    const { code, stdout, stderr } = await at('plan', 'p.yaml', '-o', 'json');
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout).steps).toMatchObject([{ actions: [{ input: { host } }] }]);
    expect(stdout).not.toContain('T0KEN');
  });

  test('a step whose condition is false needs nothing', async () => {
    const never = notice.replace('    with', '    if: "{{ eq 1 2 }}"\n    with');
    const { cwd, at } = place(order + never, { secret: '' });
    expect((await at('run', 'p.yaml')).code).toBe(0);
    expect(await resting(cwd)).toBe(1);
  });

  test('a program that an earlier program may create is not searched', async () => {
    const makes = program('node, -e, "0"').replace('id: program', 'id: make');
    const { at } = place(makes + program('./made-by-it'), { profile: 'allow: { shell: true }' });
    expect((await at('plan', 'p.yaml')).code).toBe(0);
  });
});

test('validate reports programs that cannot be run, as far as it can know', async () => {
  const never = program('./up.sh').replace('    with', `    if: "{{ ne run.id 'x' }}"\n    with`);
  const made = program('node') + program('./up.sh').replace('id: program', 'id: then');
  const others = {
    'refused.yaml': program('bash'),
    'missing.yaml': program('./up.sh, x'),
    'finally.yaml': `${program('./is-there.sh')}\nfinally:${program('bash').replace('id: program', 'id: end')}`,
    'elsewhere.yaml': program('/no/such/program'),
    'there.yaml': program('./is-there.sh'),
    'by-name.yaml': program('missing-program'),
    'never.yaml': never,
    'made.yaml': made,
  };
  const allow = 'node, ./up.sh, ./is-there.sh, /no/such/program, missing-program';
  const { cwd, at } = place(order, { profile: `allow: { shell: [${allow}] }` });
  writeFileSync(join(cwd, 'is-there.sh'), '#!/bin/sh\n', { mode: 0o755 });
  for (const [file, steps] of Object.entries(others)) {
    const text = `playbook: 1\nname: p\naccount: main\nsteps:${steps}\n`;
    writeFileSync(join(cwd, file), text);
  }
  const { code, stdout } = await at('validate', ...Object.keys(others), '-o', 'json');
  const problemLines = JSON.parse(stdout).files.flatMap(
    ({ file, problems }: { file: string; problems: { code: string; message: string }[] }) =>
      problems.map(({ code: rule, message }) => `${file} ${rule} ${message}`),
  );
  expect([code, problemLines]).toEqual([
    3,
    [
      'refused.yaml PB423 program: profile main does not allow shell/run to start "bash"',
      'missing.yaml PB423 program: program "./up.sh" is missing or not executable',
      'finally.yaml PB423 end: profile main does not allow shell/run to start "bash"',
      'elsewhere.yaml PB423 program: program "/no/such/program" is missing or not executable on this machine',
    ],
  ]);
});

test('once something was sent, no run exits with 3', async () => {
  const later = `
  - id: market
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    outputs: { price: "{{ response.0.lastPrice }}" }
  - id: program
    uses: shell/run
    with:
      command: [node, "{{ div 1 (sub steps.market.outputs.price steps.market.outputs.price) }}"]`;
  const { cwd, at } = place(order + later);
  const { code, stdout } = await at('run', 'p.yaml', '-o', 'json');
  expect([code, await resting(cwd)]).toEqual([1, 1]);
  const { exit, run } = JSON.parse(stdout);
  expect(exit).toBe(1);
  writeFileSync(join(cwd, 'deskhand.yaml'), 'profiles: { other: {} }\n');
  const resumed = await at('resume', run, '-o', 'json');
  expect([resumed.code, JSON.parse(resumed.stdout).exit]).toEqual([1, 1]);
  expect(resumed.stderr).toContain('unknown profile "main"');
  writeFileSync(join(cwd, 'deskhand.yaml'), 'profiles: [');
  expect((await at('resolve', run, 'program', '--absent')).code).toBe(1);
  const alone = place(later);
  expect((await alone.at('run', 'p.yaml')).code).toBe(3);
});

test('a report that cannot be written does not change how the run ended', async () => {
  const spoils = program(`node, -e, "fs.writeFileSync('reports', '')"`);
  const { cwd, at } = place(order + spoils);
  const { code, stdout, stderr } = await at('run', 'p.yaml', '--report', 'reports');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^error\[.*reports/m)]);
  expect(stdout).toContain('1 of 1 order');
  expect(await resting(cwd)).toBe(1);
});

describe('a plan shows notifications and programs', () => {
  test('with host or command, and never as "nothing to change"', async () => {
    const { at } = place(notice + program('node, --version'));
    const { code, stdout } = await at('plan', 'p.yaml', '--exit-code');
    expect(code).toBe(10);
    expect(stdout).toContain('! notice  POST to 127.0.0.1:9: "placed"');
    expect(stdout).toContain('! program  runs node --version');
    expect(stdout).toContain('2 notices or programs');
    expect(stdout).not.toContain('nothing to change');
    const { stdout: page } = await at('plan', 'p.yaml', '-o', 'markdown');
    expect(page).toContain('| `!` | `notice` | `POST to 127.0.0.1:9: "placed"` |  |  |');
    const { stdout: json } = await at('plan', 'p.yaml', '-o', 'json');
    expect(JSON.parse(json).totals.outbound).toBe(2);
    for (const text of [stdout, page, json]) expect(text).not.toContain('T0KEN');
  });

  test('of on-failure and finally, too', async () => {
    const after = `on-failure:${notice}\nfinally:${program('node, --version')}\n`;
    const { stdout } = await place(order, { after }).at('plan', 'p.yaml');
    expect(stdout).toContain('POST to 127.0.0.1:9: "placed"  runs only if the run stops');
    expect(stdout).toContain('runs node --version');
  });

  test('a notification to another host than shown is refused', async () => {
    const { cwd, at } = place(order + notice);
    await at('plan', 'p.yaml', '--out', 'plan.json');
    const env = { DESKHAND_SECRET_HOOK: 'https://stranger.example/x' };
    const moved = await deskhand(['run', 'plan.json'], { cwd, env });
    expect([moved.code, await resting(cwd)]).toEqual([5, 0]);
    expect(moved.stderr).toContain('stranger.example');
    const { code } = await at('run', 'plan.json');
    expect([code, await resting(cwd)]).toEqual([1, 1]); // sent, but nothing receives the notice
  });
});

describe('guards count notifications and programs', () => {
  const steps = order + program('node, --version');
  const guarded = (writes: number): string =>
    `allow: { shell: [node] }, guards: { writes: ${writes} }`;

  test('as writes', async () => {
    const { cwd, at } = place(steps, { profile: guarded(1) });
    expect((await at('run', 'p.yaml')).code).toBe(5);
    expect(await resting(cwd)).toBe(0);
  });

  test('and allow up to the limit', async () => {
    const { cwd, at } = place(steps, { profile: guarded(2) });
    expect((await at('run', 'p.yaml')).code).toBe(0);
    expect(await resting(cwd)).toBe(1);
  });
});
