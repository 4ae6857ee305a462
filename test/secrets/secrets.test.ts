/** Everything done with marked secrets, well and badly; then every byte that was written is searched. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { verbs } from '../../src/cli/verbs/index.ts';
import { begin, folderWith } from '../cli/deskhand.ts';
import { selfSigned } from '../support/certificate.ts';
import { findings, marks, spellingsOf, writtenUnder } from './marks.ts';
import { leakyProgram, openPlace, playbook, type Place } from './place.ts';
import { exposedNow, manners } from './wire.ts';

const loud = ['-v', '--log-level', 'debug'];

test('no secret is in any byte that was written, whatever is done and fails', async () => {
  const place = await openPlace();
  for (const part of parts) await part(place);
  await place.wire.close();

  const left = verbs.map(({ name }) => name).filter((name) => !place.verbs.has(name));
  expect(left).toEqual([]);
  expect(place.wire.signatures.length).toBeGreaterThan(100);
  const secrets = { ...marks, ssh: seedOf(readFileSync(place.sshKey, 'utf8')) };
  const written = new Map([
    ...place.printed,
    ...place.searched.flatMap((one) => [...writtenUnder(one)]),
  ]);
  expect(written.size).toBeGreaterThan(200);
  expect(findings(written, secrets, place.wire.signatures)).toEqual([]);
  expect(place.wire.exposed).toEqual([]);
}, 600_000);

const parts = [
  lookAround,
  planAndRun,
  echoes,
  doubts,
  wrongKeys,
  mistakes,
  notices,
  approvals,
  states,
  accidents,
  servers,
];

/** The private half of an SSH key, as it is written in its file. */
function seedOf(file: string): string {
  const body = file.split('\n').slice(1, -2).join('');
  const bytes = Buffer.from(body, 'base64');
  const at = bytes.lastIndexOf(Buffer.from([0, 0, 0, 64])) + 4; // 32 bytes of it follow
  return body.slice(Math.ceil(at / 3) * 4, Math.floor((at + 32) / 3) * 4);
}

/** What only looks. */
async function lookAround({ at, cwd }: Place): Promise<void> {
  writeFileSync(join(cwd, 'more.yaml'), playbook('more'));
  await Promise.all(
    [
      ['help', 'environment'],
      ['completion', 'bash'],
      ['explain', 'futures/place-order'],
      ['init', 'fresh', '--github', '--gitlab'],
      ['validate', ...loud],
      ['validate', 'wrong.yaml', '-o', 'json'],
      ['fmt', 'more.yaml'],
      ['graph', 'all.yaml'],
      ['lsp'],
      ['doctor', ...loud],
      ['doctor', '-o', 'json'],
      ['keys', 'list', ...loud],
      ['runs', 'prune', ...loud],
      ['test', 'ask.test.yaml', '--config', 'embedded.yaml'],
      ['demo'],
      ['rehearse', 'reading.yaml', '--seeds', '2', '--config', 'embedded.yaml'],
      ['call', 'market/list-tickers', 'category=SPOT', '--show-request', ...loud],
      ['call', 'order/list-open', 'category=SPOT', '--show-request', '-o', 'json', ...loud],
      ['schedule', 'list'],
      ['schedule', 'next'],
      ['schedule', 'export', '--systemd', '--out', 'units'],
      ['schedule', 'export', '--cron'],
      ['schedule', 'export', '--github'],
    ].map((words) => at(words)),
  );
}

/** From the plan to the run, its report, and all that is said of it later. */
async function planAndRun({ at, cwd }: Place): Promise<void> {
  await at(['plan', 'all.yaml', '--out', 'all.json', '--full', ...loud]);
  await at(['plan', 'all.yaml', '-o', 'markdown']);
  const ran = await at([
    'run',
    'all.json',
    '--report',
    'report',
    '--json-into',
    'all.result.json',
    ...loud,
  ]);
  const failed = await at(['run', 'failing.yaml', '-o', 'ndjson', ...loud]);
  expect([ran.code, failed.code]).toEqual([1, 1]); // no webhook listens, and a program ends with 3
  const { stdout } = await at(['runs', 'list', '-o', 'json']);
  const runs: string[] = JSON.parse(stdout).runs.map(({ run }: { run: string }) => run);
  expect(runs).toHaveLength(3); // with that of the demo
  const journals = runs.map((run) => join(cwd, '.deskhand', 'runs', run, 'journal.ndjson'));
  // Its program printed a secret, and what it printed was kept.
  const hidden = journals.filter((path) => readFileSync(path, 'utf8').includes('•••'));
  expect(hidden).toHaveLength(2);
  for (const run of runs) {
    await Promise.all(
      [
        ['runs', 'show', run, '--requests'],
        ['runs', 'show', run, '-o', 'ndjson'],
        ['runs', 'verify', run],
        ['runs', 'replay', run, ...loud],
        ['runs', 'set-aside', run, '--comment', 'nothing is open', ...loud],
        ['resume', run, '-o', 'markdown', ...loud],
      ].map((words) => at(words)),
    );
  }
  await at(['drift', 'all.yaml', '-o', 'markdown']);
  const rows = ['export', 'order/list-history', 'category=USDT-FUTURES', '--file'];
  await at([...rows, 'out/rows.csv.gz', '--report', 'report', ...loud]);
  await at([...rows, 'out/rows.xlsx']);
  await at(['verify', 'out/rows.csv.gz']);
}

const order = `call futures/place-order symbol=BTCUSDT productType=USDT-FUTURES marginMode=crossed
  marginCoin=USDT side=buy tradeSide=open orderType=limit price=20001 size=0.001`.split(/\s+/);

/** Every call to a server that says back what it was reported: a read, and a write that is in doubt. */
async function echoes({ at, wire }: Place): Promise<void> {
  for (const [name, says] of Object.entries(manners)) {
    wire.behave({ path: '/place-order', says, times: 5 });
    const write = await at([...order, '--show-request', ...loud]);
    expect([name, write.code]).not.toEqual([name, 0]);
    wire.behave({ path: '/unfilled-orders', says, times: 1 });
    await at(['call', 'order/list-open', 'category=USDT-FUTURES', '-o', 'json', ...loud]);
  }
  for (const name of ['a refusal', 'a text'] as const) {
    wire.behave({ path: '/api/', says: manners[name] });
    await at(['doctor', '-o', 'json', ...loud]);
    wire.behave({ path: '/api/', says: manners[name], times: 3 });
    await at(['run', 'more.yaml', '--report', 'report', ...loud]);
  }
  wire.behave();
}

/** A write in doubt, resumed and resolved. */
async function doubts({ at, wire }: Place): Promise<void> {
  for (const name of ['a refusal', 'an unknown code', 'a text', 'names of fields'] as const) {
    wire.behave({ path: '/create-sub', says: manners[name] });
    const ended = await at(['run', 'doubtful.yaml', '-o', 'json', ...loud]);
    const { run, exit } = JSON.parse(ended.stdout);
    expect([1, 4, 6]).toContain(exit); // refused, or in doubt
    wire.behave();
    await at(['resume', run, ...loud]);
    await at(['resolve', run, 'sub', '--abandon', '--comment', 'not there', ...loud]);
    await at(['runs', 'show', run, '--requests']);
  }
}

/** Keys that do not fit, each in its own way. */
async function wrongKeys({ at, vault, wire }: Place): Promise<void> {
  const leaky = leakyProgram(vault);
  const open = join(vault, 'open.env');
  writeFileSync(open, `API_KEY=${marks.key}\nAPI_SECRET=${marks.secret}\n`);
  chmodSync(open, 0o644);
  const half = join(vault, 'half.env');
  writeFileSync(half, `API_KEY='${marks.wrong}'\n${marks.secret}\nAPI_SECRET\n`);
  chmodSync(half, 0o600);
  const address = `base-url: "${wire.baseUrl}"`;
  const profiles = [
    `{ ${address}, secrets: { exec: ["${leaky}"] } }`,
    `{ ${address}, secrets: { file: "${open}" } }`,
    `{ ${address}, secrets: { file: "${half}" } }`,
    `{ ${address}, secrets: { env: NOBODY } }`,
  ];
  const configs = profiles.map((profile, place) => {
    const path = join(vault, `keys-${place}.yaml`);
    writeFileSync(path, `profile: main\nprofiles: { main: ${profile} }\n`);
    return ['--config', path];
  });
  const wrong = [
    { DESKHAND_API_SECRET: marks.wrong },
    { DESKHAND_API_KEY: marks.wrong },
    { DESKHAND_API_PASSPHRASE: marks.wrong },
    { DESKHAND_API_KEY: `${marks.key} ` },
    { DESKHAND_API_PASSPHRASE: `${marks.passphrase}\n` },
    {
      DESKHAND_API_SECRET: `-----BEGIN PRIVATE KEY-----\n${marks.wrong}\n-----END PRIVATE KEY-----`,
    },
    { DESKHAND_API_SECRET: '', DESKHAND_API_SECRET_FILE: open },
  ];
  for (const words of [
    ['doctor', ...loud],
    ['run', 'more.yaml', ...loud],
  ]) {
    for (const config of configs) expect((await at([...words, ...config])).code).not.toBe(0);
    for (const env of wrong) expect((await at(words, env)).code).not.toBe(0);
  }
}

/** Secrets given where none belongs. */
async function mistakes({ at, vault }: Place): Promise<void> {
  const { secret, hook } = marks;
  const texts = [
    `profiles: { main: { secrets: "${hook}" } }`,
    `profiles: { main: { secrets: { key: "${hook}" } } }`,
    `profiles: { main: { secrets: { exec: "run '${hook}'" } } }`,
    `profiles: { main: { api-secret: "${hook}" } }`,
    `profiles: { main: { notify: "https://hooks.example/${hook}" } }`,
    `profiles: { main: { base-url: "https://ann:${hook}@example.com" } }`,
    `profiles: { main: { base-url: "https//${hook}" } }`,
    `state: { store: git, remote: "https://ann:${hook}@example.com/x" }`,
    `profiles: "${hook}"`,
    `profiles: { main: { secrets: { file: "${hook}" `,
    `profiles:\n\t- ${hook}: ${hook}\n  ${hook}`,
    `profiles: { main: { target: ${hook} } }`,
  ];
  for (const [place, text] of texts.entries()) {
    const path = join(vault, `mistake-${place}.yaml`);
    writeFileSync(path, text);
    const { code } = await at(['doctor', '--config', path, '-o', 'json', ...loud]);
    expect([text, code]).not.toEqual([text, 0]);
  }
  for (const words of [
    ['--api-secret', secret],
    [`--api-secret=${secret}`],
    [`--secret=${secret}`],
    ['--passphrase', secret],
    ['-o', 'json', '--api-key', secret],
  ]) {
    const ended = await at(['run', 'all.yaml', ...words]);
    expect([words, ended.code]).toEqual([words, 2]);
  }
  for (const decision of ['former', 'other']) {
    expect(await at(['keys', decision, marks.key, ...loud])).toMatchObject({ code: 2 });
  }
  await at(['doctor', ...loud], { DESKHAND_BASE_URL: `https://ann:${hook}@example.com` });
  await at(['doctor', ...loud], { DESKHAND_BASE_URL: `http://example.com/${hook}` });
}

const hosts: Server[] = [];
afterEach(() => {
  for (const host of hosts.splice(0)) {
    host.closeAllConnections();
    host.close();
  }
});

/** A webhook that takes the notice, one that says it all back, one no one vouches for. */
async function notices({ at, cwd, vault, wire }: Place): Promise<void> {
  const { key, cert } = selfSigned('localhost');
  const ca = join(vault, 'ca.pem');
  writeFileSync(ca, cert);
  let status = 200;
  const host = createServer({ key, cert }, (request, response) => {
    wire.exposed.push(...exposedNow());
    const { url = '', headers } = request;
    response.writeHead(status, { location: `https://127.0.0.1:9${url}` });
    response.end(`${url} ${JSON.stringify(headers)}`);
  }).listen(0, '127.0.0.1');
  hosts.push(host);
  await once(host, 'listening');
  const address = host.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `https://127.0.0.1:${port}/hook/${marks.hook}?token=${marks.hook}`;
  const trusted = { NODE_EXTRA_CA_CERTS: ca };
  for (const [place, more] of [trusted, trusted, trusted, {}].entries()) {
    status = [200, 500, 307, 200][place] ?? 200;
    const name = `notice${'abcd'[place]}`;
    writeFileSync(join(cwd, `${name}.yaml`), playbook(name));
    const env = { DESKHAND_SECRET_OPS_WEBHOOK: url, ...more };
    const { code } = await at(['run', `${name}.yaml`, ...loud], env);
    expect([place, code]).toEqual([place, place === 0 ? 0 : 1]);
  }
  for (const address of [`http://hooks.example/${marks.hook}`, marks.hook]) {
    await at(['run', 'noticed.yaml', ...loud], { DESKHAND_SECRET_OPS_WEBHOOK: address });
  }
}

const adopting = `playbook: 1
name: adopt
steps:
  - { id: sub, uses: account/create-sub, once-per: playbook, with: { username: adopted } }
`;

/** Words that are signed, with a key of SSH that must stay where it is. */
async function approvals({ at, cwd, vault, sshKey, wire }: Place): Promise<void> {
  await at(['plan', 'planned.yaml', '-p', 'signed', '--out', 'planned.json', ...loud]);
  const broken = join(vault, 'broken');
  writeFileSync(broken, readFileSync(sshKey, 'utf8').replace('END', 'EMD'), { mode: 0o600 });
  const bad = await at(['approve', 'planned.json', '--key', broken, ...loud]);
  const approved = await at(['approve', 'planned.json', '--key', sshKey, '-o', 'json', ...loud]);
  expect([bad.code === 0, approved.code, approved.stderr]).toEqual([false, 0, expect.anything()]);
  await at(['decline', 'planned.json', '--key', sshKey, '--out', 'declined.json', ...loud]);
  writeFileSync(join(cwd, 'adopt.yaml'), adopting);
  const words = ['import', 'adopt.yaml', 'sub', '--id', '7100000009'];
  expect((await at([...words, ...loud])).code).toBe(5);
  const signed = ['--statement', 'seen on the page', '--key', sshKey, '-o', 'json', ...loud];
  expect((await at([...words, ...signed])).code).toBe(0);
  wire.exposed.push(...exposedNow());
  await at(['run', 'planned.json', ...loud]);
}

/** State kept in a repository: one that works, one that says the token back. */
async function states({ at, cwd, wire }: Place): Promise<void> {
  writeFileSync(join(cwd, 'kept.yaml'), playbook('kept'));
  const kept = ['--config', 'git.yaml'];
  const env = { DESKHAND_STATE_DIR: join(cwd, 'state') };
  const ran = await at(['run', 'kept.yaml', ...kept, ...loud], env);
  expect(ran.code).toBe(1); // its webhook
  const run = /\br-[a-z2-7]{12}\b/.exec(ran.stdout + ran.stderr)?.[0] ?? '';
  await at(['runs', 'unlock', run, '--comment', 'gone', ...kept, ...loud], env);
  wire.behave({
    path: '/git/',
    says: ({ authorization }) =>
      authorization === undefined
        ? { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' }, body: 'who?' }
        : {
            status: 500,
            headers: { 'content-type': 'text/plain' },
            body: `error: ${authorization}\nfatal: ${marks.state} ${authorization}\n`,
          },
  });
  const refused = await at(['run', 'kept.yaml', '--config', 'remote.yaml', ...loud], env);
  expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('git ls-remote')]);
  await at(['runs', 'list', '--config', 'remote.yaml', '-o', 'json', ...loud], env);
  wire.behave();
}

/** A process that dies where no one expected it, and one that is made to tell all it knows. */
async function accidents({ at, cwd, vault }: Place): Promise<void> {
  const bomb = join(vault, 'bomb.mjs');
  writeFileSync(
    bomb,
    `const what = { headers: process.argv };
     setTimeout(() => { throw Object.assign(new Error('planted'), what) }, Number(process.env.BOMB));`,
  );
  const reports = '--report-on-fatalerror --report-uncaught-exception --report-on-signal';
  for (const [place, ms] of [0, 300, 450, 600].entries()) {
    const name = `accident${'abcd'[place]}`;
    writeFileSync(join(cwd, `${name}.yaml`), playbook(name));
    const options = `--import=${bomb} --trace-uncaught --trace-warnings ${place % 2 ? reports : ''}`;
    await at(['run', `${name}.yaml`, ...loud], { NODE_OPTIONS: options, BOMB: String(ms) });
  }
  await at(['run', 'more.yaml', ...loud], {
    DEBUG: '*',
    NODE_DEBUG: 'undici,fetch,tls,net',
  });
  await at(['run', 'more.yaml', ...loud], {
    ZX_VERBOSE: 'true',
    DESKHAND_LOG: 'debug',
    CI: 'true',
  });
}

/** What stays up until it is stopped, and what talks to it. */
async function servers({ at, cwd, env, note, verbs: used, vault, wire }: Place): Promise<void> {
  const github = {
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: 'desk/books',
    GITHUB_API_URL: `${wire.baseUrl}/github`,
    GITHUB_EVENT_PATH: join(vault, 'event.json'),
  };
  writeFileSync(join(vault, 'event.json'), JSON.stringify({ pull_request: { number: 1 } }));
  await at(['plan', 'reading.yaml', '-o', 'markdown']).then(({ stdout }) =>
    writeFileSync(join(cwd, 'plan.md'), stdout),
  );
  for (const status of [200, 401, 500]) {
    wire.behave({
      path: '/github/',
      says: ({ authorization }) => ({
        status,
        headers: { 'content-type': 'application/json', location: `/${authorization}` },
        body: JSON.stringify([{ id: 1, body: authorization, message: authorization }]),
      }),
    });
    await at(['comment', 'plan.md', ...loud], github);
  }
  wire.behave();
  await at(['schedule', 'run-due', ...loud]);
  await at(['schedule', 'log', '-o', 'ndjson']);
  for (const words of [
    ['sandbox', 'start', '--port', '0', '--state', join(cwd, 'world'), ...loud],
    ['schedule', 'serve', '-o', 'ndjson', ...loud],
  ]) {
    used.add(words.slice(0, 2).join(' '));
    const child = begin(words, { cwd, env });
    const said = Promise.all([text(child.stdout), text(child.stderr)]);
    await once(words[0] === 'sandbox' ? child.stdout : child.stderr, 'data');
    await at(['sandbox', 'control', 'requests']);
    child.kill('SIGTERM');
    const [stdout, stderr] = await said;
    note(words.join(' '), { stdout, stderr });
  }
  for (const words of [
    ['advance', '1h'],
    ['load', 'scenario.yaml'],
    ['control', 'faults'],
    ['reset'],
  ]) {
    await at(['sandbox', ...words, ...loud]);
  }
}

test('the search finds every encoding, in files, names, compressed files and output', () => {
  const folder = folderWith({ [`${marks.hook}.txt`]: 'by its name' });
  const spellings = [...spellingsOf(marks.key)];
  for (const [place, [, spelling]] of spellings.entries()) {
    writeFileSync(join(folder, String(place)), Buffer.from(`…${spelling}…`, 'latin1'));
  }
  writeFileSync(join(folder, 'rows.csv.gz'), gzipSync(marks.secret));
  const signature = 'jV0k+Zb3/PqX9w==';
  const written = new Map([...writtenUnder(folder), ['stderr', `it was ${signature}`]]);
  const found = findings(written, marks, [signature]);
  for (const [place, [how]] of spellings.entries())
    expect(found).toContain(`${join(folder, String(place))}: key, ${how}`);
  for (const what of [
    'stderr: signature 0',
    `${join(folder, 'rows.csv.gz')}, unpacked: secret, as it is, plain`,
    `the name ${join(folder, `${marks.hook}.txt`)}: hook, as it is, plain`,
  ]) {
    expect(found).toContain(what);
  }
});
