/** Every write's intent is durable before it is sent, as traced by strace in the built program. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { limitOrder } from '../support/order.ts';

const playbook = `playbook: 1
name: every-write
steps:
  - id: leverage
    uses: futures/set-all-leverage
    with: { productType: USDT-FUTURES, leverage: "7" }
  - id: ladder
    for-each: ["41000.0", "40990.0", "40980.0", "40970.0"]
    parallel: 2
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}
  - id: sub
    uses: account/create-sub
    with: { username: traced }
`;

/** A system call, in order of its start; `by` is when it had ended. */
interface Call {
  readonly name: string;
  readonly from: number;
  readonly by: number;
  readonly text: string;
}

test('every intent is written and synced before the first byte of its request, and every outcome before it is shown', async () => {
  const calls = callsIn(await traced(playbook));
  const journal = calls.filter(({ text }) => text.includes('/journal.ndjson>'));
  const synced = (text: string): number => {
    const written = journal.find(
      (call) => call.name.startsWith('write') && call.text.includes(text),
    );
    expect(written, `${text} is in the journal`).toBeDefined();
    const sync = journal.find(
      ({ name, from }) => /^f(data)?sync$/.test(name) && from > (written?.by ?? Infinity),
    );
    return sync?.by ?? Infinity;
  };
  const sent = calls.filter(({ text }) => text.includes('"POST /api/'));
  const marks = sent.map(({ text }) => markOf(text));
  expect(marks.map(({ path }) => path).sort()).toEqual([
    '/api/v2/mix/account/set-all-leverage',
    ...Array(4).fill('/api/v2/mix/order/place-order'),
    '/api/v3/user/create-sub',
  ]);
  for (const [index, { from }] of sent.entries()) {
    expect(synced(marks[index]?.intent ?? ''), marks[index]?.path).toBeLessThan(from);
  }
  for (const price of ['41000.0', '40990.0', '40980.0', '40970.0']) {
    const address = `ladder[${price}]`;
    const doneLine = calls.find(({ text }) => new RegExp(`^2<.*${price}\\]\\s+done`).test(text));
    const end = String.raw`\"kind\":\"settled\",\"address\":\"${address}\"`;
    expect(synced(end), address).toBeLessThan(doneLine?.from ?? -1);
  }
});

test('orders one after another take one sync each', async () => {
  const count = 8; // fewer than a second allows: none waits for the rate limit
  const calls = callsIn(
    await traced(`playbook: 1
name: orders
steps:
  - id: ladder
    for-each: "{{ range 41000 ${41_000 + count - 1} }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}
`),
  );
  const syncs = calls.filter(
    ({ name, text }) => /^f(data)?sync$/.test(name) && text.includes('/journal.ndjson>'),
  );
  expect(calls.filter(({ text }) => text.includes('"POST /api/'))).toHaveLength(count);
  expect(syncs.length).toBeGreaterThanOrEqual(count);
  expect(syncs.length).toBeLessThan(2 * count); // with those of its start and its end
});

/** The strace output of a run on the built-in sandbox. */
async function traced(text: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'traced-'));
  const sandbox = await openSandbox({ clock: systemClock });
  const server = await startServer(sandbox, { port: 0 });
  const { apiKey, secretKey, passphrase } = sandbox.accounts.hedge;
  const profile = `{ main: { target: sandbox, base-url: "${server.baseUrl}" } }`;
  writeFileSync(join(folder, 'deskhand.yaml'), `profile: main\nprofiles: ${profile}\n`);
  writeFileSync(join(folder, 'every.yaml'), text);
  const seen = 'trace=write,writev,pwrite64,pwritev,sendto,sendmsg,fsync,fdatasync';
  const options = ['-f', '-y', '-s', '100000', '-o', 'trace', '-e', seen];
  const words = [...options, process.execPath, inject('launcher'), 'run', 'every.yaml'];
  const { PATH = '', HOME = '' } = process.env;
  const env = {
    PATH,
    HOME,
    LANG: 'C.UTF-8',
    XDG_CONFIG_HOME: join(folder, '.config'),
    DESKHAND_API_KEY: apiKey.reveal(),
    DESKHAND_API_SECRET: secretKey.reveal(),
    DESKHAND_API_PASSPHRASE: passphrase.reveal(),
  };
  try {
    await promisify(execFile)('strace', words, { cwd: folder, env });
    return readFileSync(join(folder, 'trace'), 'utf8');
  } finally {
    await server.close();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Calls of all threads; one that another thread's interrupts ends on a later line. */
function callsIn(trace: string): readonly Call[] {
  const calls: Call[] = [];
  const open = new Map<string, Omit<Call, 'by'>>();
  for (const [at, line] of trace.split('\n').entries()) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const [, name, text = ''] = /^(\w+)\((.*)$/.exec(rest) ?? [];
    const isEnd = rest.startsWith('<... ') && !rest.endsWith('<unfinished ...>');
    const began = open.get(thread);
    if (name !== undefined && text.endsWith('<unfinished ...>')) {
      open.set(thread, { name, from: at, text });
    } else if (name !== undefined && isDone(text)) calls.push({ name, from: at, by: at, text });
    else if (isEnd && began !== undefined && isDone(rest)) calls.push({ ...began, by: at });
  }
  return calls.toSorted((a, b) => a.from - b.from);
}

/** The run did what it should. */
function isDone(text: string): boolean {
  return / = \d+$/.test(text);
}

/** The path of a request, and the part of its intent that the journal must contain. */
function markOf(text: string): { readonly path: string; readonly intent: string } {
  const path = /"POST (\S+) /.exec(text)?.[1] ?? '';
  const named = /\\"(?:clientOid|username)\\":\\"\w+\\"/.exec(text)?.[0];
  return { path, intent: named ?? String.raw`\"operation\":\"futures/set-all-leverage\"` };
}
