/** A plan that needs another person's signed approval, from the commit to the run. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keyOf, publicOf } from '../engine/approval/keys.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { ladder, masked, resting } from './ladder.ts';
import { webhook } from '../app/notification/recipients.ts';
import { limitOrder } from '../support/order.ts';
import { startSandbox } from './sandbox.ts';
import { dueNow, scheduled } from './scheduling.ts';
import { killedAtStart } from './under-way.ts';
import { commitByAnnForPipeline, gitIn } from '../support/repository.ts';

const ann = keyOf('cli-ann'); // writes the playbook
const ben = keyOf('cli-ben');
const cara = keyOf('cli-cara');
const stranger = keyOf('cli-stranger');
const signers = `ann@desk.example ${publicOf(ann)}
ben@desk.example ${publicOf(ben)}
cara@desk.example ${publicOf(cara)}
`;
const asking = 'approve: { by: other, signers: ./allowed_signers, records: approvals }';

interface Place {
  readonly cwd: string;
  readonly at: (...words: string[]) => Promise<Ended>;
}

/** A repository whose playbook Ann wrote, and whose plans need another person's approval. */
function repository(profile = `main: { ${asking} }`, env = {}, playbook = ladder): Place {
  const cwd = folderWith({
    'ladder.yaml': playbook,
    'deskhand.yaml': `profiles: { ${profile} }\n`,
    allowed_signers: signers,
  });
  commitByAnnForPipeline(cwd);
  return { cwd, at: (...words) => deskhand(words, { cwd, env }) };
}

test('a schedule that waits for a signature names what to type, and its record gets the outcome', async () => {
  const { cwd, at } = repository();
  scheduled({ folder: () => cwd }, dueNow());
  const author = 'Ann <ann@desk.example>';
  execFileSync('git', ['commit', '-qam', 'Every day', '--author', author], { cwd });
  const asked = await at('-p', 'main', 'schedule', 'run-due', 'ladder.yaml');
  expect(asked.code).toBe(5);
  const [approve = '', run = ''] = [...asked.stderr.matchAll(/`deskhand ([^`]+)`/g)].map(
    ([, command = '']) => command,
  );
  expect([approve, run]).toEqual([
    expect.stringMatching(/^approve p-\w+$/),
    expect.stringMatching(/^run p-\w+$/),
  ]);
  expect((await at(...approve.split(' '), '--key', ben)).code).toBe(0);
  expect(await at(...run.split(' '))).toMatchObject({ code: 0 });
  const settled = await at('-p', 'main', 'schedule', 'run-due', 'ladder.yaml');
  expect([settled.code, settled.stderr]).toEqual([0, expect.stringMatching(/✔ done .* as r-/)]);
});

test('a plan runs only after another person has signed it', async () => {
  const { cwd, at } = repository();
  const planned = await at('plan', 'ladder.yaml', '--out', 'plan.json', '-o', 'json');
  const { id, authors, commit } = JSON.parse(planned.stdout);
  expect(authors).toEqual(['ann@desk.example', 'pipeline@desk.example']);
  expect(commit).toMatch(/^[0-9a-f]{40}$/);

  const shown = await at('plan', 'ladder.yaml');
  expect(shown.stdout).toMatch(
    /^Next {2}get it signed with deskhand approve (\S+), then deskhand run \1$/m,
  );

  const early = await at('run', 'plan.json');
  expect([early.code, early.stderr]).toEqual([
    5,
    expect.stringMatching(/requires 1 approval of plan p-\w+ by a person who did not write it/),
  ]);
  const byId = await at('run', 'ladder.yaml', '--approve', id);
  expect(byId.code).toBe(5);

  const own = await at('approve', 'plan.json', '--key', ann);
  expect([own.code, own.stderr]).toEqual([5, expect.stringContaining('ann@desk.example wrote it')]);
  const unknown = await at('approve', 'plan.json', '--key', stranger);
  expect([unknown.code, unknown.stderr]).toEqual([5, expect.stringContaining('an unknown key')]);

  const approved = await at('approve', 'plan.json', '--key', ben, '--comment', 'looks right');
  expect([approved.code, approved.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^approved p-\w+ as ben@desk.example \(SHA256:.*\)\nsaved .*approvals\/p-/,
    ),
  ]);
  const run = await at('run', 'plan.json', '-o', 'ndjson');
  expect([run.code, await resting(cwd)]).toEqual([0, 3]);
  const [started = ''] = run.stdout.split('\n');
  expect(JSON.parse(started).commit).toMatch(/^[0-9a-f]{40}$/);
  expect(JSON.parse(started).approvals).toEqual([
    { who: 'ben@desk.example', key: expect.stringMatching(/^SHA256:/), at: expect.any(Number) },
  ]);
});

test('a playbook that differs from its commit cannot be approved by another person', async () => {
  const { cwd, at } = repository();
  const git = gitIn(cwd);
  writeFileSync(join(cwd, 'new.yaml'), ladder);
  await at('plan', 'new.yaml', '--out', 'plan.json');
  const untracked = await at('approve', 'plan.json', '--key', ann);
  expect([untracked.code, untracked.stderr]).toEqual([
    5,
    expect.stringContaining('new.yaml of plan'),
  ]);
  rmSync(join(cwd, 'new.yaml')); // its author is unknown
  expect((await at('approve', 'plan.json', '--key', ann)).code).toBe(5);
  writeFileSync(join(cwd, 'new.yaml'), ladder);
  git('add', 'new.yaml');
  git('commit', '-qm', 'Another', '--author', 'Ann <ann@desk.example>');
  const own = await at('approve', 'plan.json', '--key', ann);
  expect([own.code, own.stderr]).toEqual([5, expect.stringContaining('ann@desk.example wrote it')]);
  expect((await at('approve', 'plan.json', '--key', ben)).code).toBe(0);
  writeFileSync(join(cwd, 'new.yaml'), `${ladder}# later\n`);
  expect((await at('run', 'plan.json')).code).toBe(5);
  git('commit', '-qam', 'Later', '--author', 'Cara <cara@desk.example>');
  writeFileSync(join(cwd, 'new.yaml'), ladder);
  const other = await at('run', 'plan.json');
  expect([other.code, other.stderr]).toEqual([
    5,
    expect.stringContaining('is committed with another text'),
  ]);
});

test('whoever committed the plan file cannot approve it', async () => {
  const { cwd, at } = repository();
  const git = gitIn(cwd);
  await at('plan', 'ladder.yaml', '--out', 'plans/plan.json');
  git('add', 'plans');
  git('commit', '-qm', 'A plan', '--author', 'Ben <ben@desk.example>');
  const own = await at('approve', 'plans/plan.json', '--key', ben);
  expect([own.code, own.stderr]).toEqual([5, expect.stringContaining('ben@desk.example wrote it')]);
  expect((await at('approve', 'plans/plan.json', '--key', cara)).code).toBe(0);
  expect((await at('run', 'plans/plan.json')).code).toBe(0);
});

test('the difference to the last approved plan is shown', async () => {
  const { cwd, at } = repository();
  const git = gitIn(cwd);
  const first = await at('plan', 'ladder.yaml', '--out', 'plan.json');
  expect(first.stdout).not.toContain('Since p-');
  expect((await at('approve', 'plan.json', '--key', ben)).code).toBe(0);
  const same = await at('plan', 'ladder.yaml');
  expect(same.stdout).toMatch(
    /^Since p-\w+, approved by ben@desk\.example at .*: nothing differs$/m,
  );
  writeFileSync(join(cwd, 'ladder.yaml'), ladder.replace('total=0.030', 'total=0.060'));
  git('commit', '-qam', 'Twice as much', '--author', 'Ann <ann@desk.example>');
  const line = 'BTCUSDT open long 0.020 @ 40,000.0, post_only, crossed';
  const was = line.replace('0.020', '0.010');
  const { stdout } = await at('plan', 'ladder.yaml', '--out', 'next.json');
  expect(stdout).toContain('  ~  the text of the playbook');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`~ orders[40000.0]: ${line} (was ${was})`);
  const page = await at('plan', 'ladder.yaml', '-o', 'markdown');
  expect(page.stdout).toContain(`| \`~\` | \`orders[40000.0]: ${line}\` | \`${was}\` |`);
  const differs = {
    approvedLast: {
      plan: expect.stringMatching(/^p-/),
      who: 'ben@desk.example',
      at: expect.any(Number),
      changes: expect.arrayContaining([
        { sign: '~', text: 'the text of the playbook' },
        { sign: '~', text: `orders[40000.0]: ${line}`, was },
      ]),
    },
  };
  const json = await at('plan', 'ladder.yaml', '-o', 'json');
  expect(JSON.parse(json.stdout)).toMatchObject(differs);
  const branch = ['plan', '--changed-since', 'HEAD~1'];
  const all = await at(...branch, '-o', 'markdown', '--json-into', 'out/all.json');
  expect(all.stdout).toContain(`| \`~\` | \`orders[40000.0]: ${line}\` | \`${was}\` |`);
  const written = JSON.parse(readFileSync(join(cwd, 'out/all.json'), 'utf8'));
  expect(written.plans).toMatchObject([{ file: 'ladder.yaml', ...differs }]);
  const offline = await at('plan', 'ladder.yaml', '--offline'); // starts no program
  expect(offline.stdout).not.toContain('Since p-');
  const seen = await at('approve', 'next.json', '--key', cara);
  expect(seen.stderr.replaceAll(/\s+/g, ' ')).toContain(`${line} (was ${was})`);
  rmSync(join(cwd, 'approvals'), { recursive: true });
  expect((await at('plan', 'ladder.yaml')).stdout).not.toContain('Since p-');
});

test('writes of finally also require the approval', async () => {
  const bid = `  - id: bid\n    uses: futures/place-order\n    with:${limitOrder({ price: '40000.0' })}\n`;
  const reads = '  - { id: look, uses: market/list-tickers, with: { category: SPOT } }\n';
  for (const section of ['on-failure', 'finally']) {
    const playbook = `playbook: 1\nname: late\naccount: main\nguards: { max-notional: 100 }\nsteps:\n${reads}${section}:\n${bid}`;
    const { cwd, at } = repository(undefined, {}, playbook);
    const { code, stderr } = await at('run', 'ladder.yaml');
    expect([code, stderr]).toEqual([5, expect.stringContaining('requires 1 approval')]);
    expect(await resting(cwd)).toBe(0);
  }
});

test('a notification also requires the approval, and the approver needs no secret', async () => {
  const notice = `playbook: 1
name: ladder
account: main
steps:
  - id: notice
    uses: notify/webhook
    with: { url: "{{ secrets.HOOK }}", text: hello }
`;
  const { cwd, at } = repository(undefined, {}, notice);
  const env = { DESKHAND_SECRET_HOOK: 'https://127.0.0.1:9/token' }; // no one listens there
  const withSecret = (...words: string[]): Promise<Ended> => deskhand(words, { cwd, env });
  await withSecret('plan', 'ladder.yaml', '--out', 'plan.json');
  expect((await withSecret('run', 'plan.json')).code).toBe(5);
  const approved = await at('approve', 'plan.json', '--key', ben);
  expect([approved.code, approved.stderr]).toEqual([
    0,
    expect.stringContaining('POST to 127.0.0.1:9: "hello"'),
  ]);
  expect((await withSecret('run', 'plan.json')).code).toBe(1); // it was sent, and not delivered
});

test('one person who declines blocks the plan despite approvals', async () => {
  const { at } = repository();
  await at('plan', 'ladder.yaml', '--out', 'plan.json');
  await at('approve', 'plan.json', '--key', ben);
  expect((await at('decline', 'plan.json', '--key', cara, '--comment', 'too near')).code).toBe(0);
  const { code, stderr } = await at('run', 'plan.json');
  expect([code, masked(stderr.slice(stderr.indexOf('error[')))]).toMatchSnapshot();
});

const elsewhere = ladder.replace(
  'outputs:',
  '  - { id: look, account: other, uses: order/list-open, with: { category: USDT-FUTURES } }\noutputs:',
);

test.each([
  ['its account', `main: { ${asking} }`, ladder],
  ['another account of it', `main: {}, other: { as: oneway, ${asking} }`, elsewhere],
])(
  'a run does not continue after its plan was declined for %s',
  async (_whose, profile, playbook) => {
    const { cwd, at } = repository(profile, {}, playbook);
    await at('plan', 'ladder.yaml', '--out', 'plan.json');
    await at('approve', 'plan.json', '--key', ben);
    await killedAtStart(['run', 'plan.json'], { cwd });
    const [run = ''] = readdirSync(join(cwd, '.deskhand', 'runs'));
    await at('decline', 'plan.json', '--key', cara);
    const { code, stderr } = await at('resume', run);
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining('was declined by cara@desk.example'),
    ]);
    rmSync(join(cwd, 'allowed_signers'));
    const lost = await at('resume', run);
    expect([lost.code, lost.stderr]).toEqual([
      3,
      expect.stringContaining('allowed signers not found'),
    ]);
  },
);

test('a resume that waits for an approval notifies whom its profile names, once it is refused', async () => {
  const hook = await webhook();
  onTestFinished(hook.close);
  const env = { HOOK: `http://127.0.0.1:${hook.port}/` };
  const profile = `main: { ${asking}, notify: { webhook: { url: { env: HOOK }, on: [approval-wanted] } } }`;
  const { cwd, at } = repository(profile, env);
  await at('plan', 'ladder.yaml', '--out', 'plan.json');
  await at('approve', 'plan.json', '--key', ben);
  await killedAtStart(['run', 'plan.json'], { cwd, env });
  const [run = ''] = readdirSync(join(cwd, '.deskhand', 'runs'));
  rmSync(join(cwd, 'approvals'), { recursive: true }); // as in a checkout without them
  const { code } = await at('resume', run);
  expect([code, hook.posted.map(({ body }) => JSON.parse(body))]).toEqual([
    5,
    [
      expect.objectContaining({
        event: 'approval-wanted',
        playbook: 'ladder',
        run,
        facts: expect.arrayContaining([{ name: 'run', value: run }]),
      }),
    ],
  ]);
});

test('two of three approvals are required, and a record changed by one byte is refused', async () => {
  const of = 'of: [ben@desk.example, cara@desk.example, ann@desk.example]';
  const { cwd, at } = repository(`main: { ${asking.replace(' }', `, count: 2, ${of} }`)} }`);
  await at('plan', 'ladder.yaml', '--out', 'plan.json');
  await at('approve', 'plan.json', '--key', ben);
  const one = await at('run', 'plan.json');
  expect([one.code, masked(one.stderr.slice(one.stderr.indexOf('error[')))]).toMatchSnapshot();
  await at('approve', 'plan.json', '--key', cara);
  const [name = ''] = readdirSync(join(cwd, 'approvals'));
  const file = join(cwd, 'approvals', name);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('"orders": 3', '"orders": 2'));
  const changed = await at('run', 'plan.json');
  expect([changed.code, changed.stderr]).toEqual([5, expect.stringContaining('cannot be trusted')]);
  writeFileSync(file, text);
  expect([(await at('run', 'plan.json')).code, await resting(cwd)]).toEqual([0, 3]);
});

test('a run on two accounts needs the approvals of both profiles', async () => {
  const by = (name: string): string => asking.replace(' }', `, of: [${name}@desk.example] }`);
  const profiles = `main: { ${by('ben')} }, other: { as: oneway, ${by('cara')} }`;
  const { cwd, at } = repository(profiles, {}, elsewhere);
  await at('plan', 'ladder.yaml', '--out', 'plan.json');
  const foreign = await at('approve', 'plan.json', '--key', ann);
  expect([foreign.code, foreign.stderr]).toEqual([5, expect.stringContaining('would not count')]);
  expect((await at('approve', 'plan.json', '--key', cara)).code).toBe(0);
  const early = await at('run', 'plan.json');
  expect([early.code, early.stderr]).toEqual([5, expect.stringContaining('profile main requires')]);
  expect((await at('approve', 'plan.json', '--key', ben)).code).toBe(0);
  expect([(await at('run', 'plan.json')).code, await resting(cwd)]).toEqual([0, 3]);
});

test('without a terminal, --confirm names the plan of a live account and no prompt follows', async () => {
  const sandbox = await startSandbox();
  const { DESKHAND_BASE_URL: _url, ...env } = sandbox.env('hedge');
  const live = `main: { target: live, base-url: "${sandbox.baseUrl}", account-id: desk, ${asking} }`;
  const { at } = repository(live, env);
  const planned = await at('plan', 'ladder.yaml', '--out', 'plan.json', '-o', 'json');
  const { id } = JSON.parse(planned.stdout);
  const unconfirmed = await at('approve', 'plan.json', '--key', ben);
  expect([unconfirmed.code, unconfirmed.stderr]).toEqual([
    5,
    expect.stringContaining(`add --confirm ${id}`),
  ]);
  const wrong = await at('approve', 'plan.json', '--key', ben, '--confirm', 'p-00000000');
  expect(wrong.code).toBe(5);
  expect((await at('approve', id, '--key', ben, '--confirm', id)).code).toBe(0);
  const run = await at('run', 'plan.json');
  expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('LIVE main')]);
  const call = await at('-p', 'main', 'call', 'account/create-sub', 'username=alpha');
  expect([call.code, call.stderr]).toEqual([5, expect.stringContaining('requires approvals')]);
});

test('a profile without approvals has nothing to sign', async () => {
  const { at } = repository('main: {}');
  await at('plan', 'ladder.yaml', '--out', 'plan.json');
  const { code, stderr } = await at('approve', 'plan.json', '--key', ben);
  expect([code, stderr.includes('profile main requires no signed approval')]).toEqual([3, true]);
});

const twoOrders = `playbook: 1
name: ladder
account: main
steps:
  - id: first
    uses: futures/place-order
    with:${limitOrder({ price: '40000.0' })}
  - id: second
    uses: futures/place-order
    with:${limitOrder({ price: '39000.0' })}
`;

test('a plan that reuses steps is approved, run, killed and resumed as any other', async () => {
  const { cwd, at } = repository(`main: { ${asking} }`, {}, twoOrders);
  const approved = async (...words: string[]): Promise<void> => {
    expect(await at('plan', 'ladder.yaml', '--out', 'plan.json', ...words)).toMatchObject({
      code: 0,
    });
    expect(await at('approve', 'plan.json', '--key', ben)).toMatchObject({ code: 0 });
  };
  await approved();
  expect(await at('run', 'plan.json')).toMatchObject({ code: 0 });
  const [first = ''] = readdirSync(join(cwd, '.deskhand', 'runs'));
  await approved('--from', 'second', '--of', first);
  await killedAtStart(['run', 'plan.json'], { cwd, env: {} });
  const second = readdirSync(join(cwd, '.deskhand', 'runs')).find((run) => run !== first) ?? '';
  expect(await at('resume', second)).toMatchObject({ code: 0 });
  expect(await resting(cwd)).toBe(3);
});
