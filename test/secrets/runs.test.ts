/** Secrets while plans are made, approved and run, and notices sent; also where the process dies. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { selfSigned } from '../support/certificate.ts';
import { marks } from './marks.ts';
import { playbook, type Place } from './place.ts';
import { loud, playAndSearch, verbsIn } from './search.ts';
import { exposedNow } from './wire.ts';

// Most of it waits before a notice is sent again: next to each other, they wait once.
test.concurrent.each([
  ['plans and runs', planAndRun, verbsIn.runs, { signatures: 30, written: 200 }],
  ['notices', notices, ['run'], { signatures: 20, written: 100 }],
  ['approvals', approvals, verbsIn.approvals, { signatures: 5, written: 100 }],
  ['shared state', states, verbsIn.states, { signatures: 5, written: 100 }],
  ['accidents', accidents, ['run'], { signatures: 5, written: 100 }],
] as const)(
  'no secret is written by runs, whatever is done and fails: %s',
  async (_, part, verbs, amount) => {
    await playAndSearch([part], verbs, amount);
  },
  300_000,
);

/** From the plan to the run, its report, and all that is said of it later. */
async function planAndRun({ at, cwd }: Place): Promise<void> {
  await at(['demo']);
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
  const printed = `${ran.stdout}${ran.stderr}${failed.stderr}`;
  expect([ran.code, failed.code], printed).toEqual([1, 1]); // no webhook listens, and a program ends with 3
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
        ['runs', 'diff', run, 'last'],
        ['runs', 'show', run, '-o', 'ndjson'],
        ['runs', 'verify', run],
        ['runs', 'metrics'],
        ['orders', '-o', 'csv'],
        ['runs', 'replay', run, ...loud],
        ['runs', 'logs', run, ...loud],
        ['runs', 'files', run, '--into', 'fetched', ...loud],
        ['runs', 'outputs', run, '-o', 'json', ...loud],
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

const hosts: Server[] = [];
afterAll(() => {
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
  expect(ran.code, ran.stdout + ran.stderr).toBe(1); // its webhook
  const run = /\br-[a-z2-7]{12}\b/.exec(ran.stdout + ran.stderr)?.[0] ?? '';
  await at(['runs', 'unlock', run, '--comment', 'gone', ...kept, ...loud], env);
  wire.behave({
    path: '/git/',
    respond: ({ authorization }) =>
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
