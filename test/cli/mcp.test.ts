/** `mcp` for agents: what its tools return, and how it starts and ends. */
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { tools } from '../../src/agents/mcp/tools/index.ts';
import { begin, deskhand, folderWith } from './deskhand.ts';
import { ladder } from './ladder.ts';
import { agentIn } from './mcp-client.ts';

const reading =
  'playbook: 1\nname: reading\nsteps: [{ id: a, uses: market/list-tickers, with: { category: SPOT } }]\n';
const program = `playbook: 1
name: program
steps: [{ id: a, uses: shell/run, with: { command: [touch, started] } }]
`;
const files = {
  'playbooks/ladder.yaml': ladder.replace('account: main\n', ''),
  'playbooks/reading.yaml': reading,
  'program.yaml': program,
  'wrong.yaml': 'playbook: 1\nname: wrong\nsteps: [{ id: a, uses: b }]\n',
  'deskhand.yaml': 'profiles: { sandbox: { allow: { shell: true } } }\n',
};
const named = { file: 'playbooks/ladder.yaml' };

test('every tool returns what its schema describes', async () => {
  const cwd = folderWith(files);
  await deskhand(['run', 'playbooks/reading.yaml'], { cwd });
  const { call } = await agentIn({ cwd });
  const calls: readonly [string, Record<string, unknown>?][] = [
    ['list_operations'],
    ['list_operations', { name: 'futures/place-order' }],
    ['explain'],
    ['explain', { topic: 'config-changed' }],
    ['explain', { topic: 'futures/place-order', field: 'price' }],
    ['validate'],
    ['validate', { files: ['wrong.yaml'] }],
    ['validate', { text: reading }],
    ['plan', { ...named, inputs: { rungs: 2 }, save: 'plans/ladder.json' }],
    ['plan', { ...named, only: ['tickers'], offline: true }],
    ['propose', named],
    ['propose', { run: 'last' }],
    ['list_runs', { status: 'done', since: '1d' }],
    ['show_run', { run: 'last' }],
    ['show_run', { run: 'last', after: 1, limit: 1 }],
    ['compare_runs', { run: 'last', other: 'last' }],
  ];
  const results = new Map<string, unknown>();
  for (const [name, args = {}] of calls) {
    const { isError, text: shown, value } = await call(name, args);
    expect([name, args, isError && shown]).toEqual([name, args, false]);
    expect(value).toMatchObject({ version: expect.any(Number) });
    results.set(`${name} ${JSON.stringify(args)}`, value);
  }
  expect(new Set(calls.map(([name]) => name))).toEqual(new Set(tools.map(({ name }) => name)));
  expect(results.get('validate {"files":["wrong.yaml"]}')).toMatchObject({
    files: [{ file: 'wrong.yaml', problems: [{ level: 'error', line: 3 }] }],
  });
  expect(results.get('explain {"topic":"futures/place-order","field":"price"}')).toMatchObject({
    fields: [{ in: 'input', name: 'price' }],
  });
  expect(results.get('show_run {"run":"last","after":1,"limit":1}')).toMatchObject({
    entries: [{ seq: 2 }],
    next: 2,
  });
  expect(existsSync(join(cwd, 'plans', 'ladder.json'))).toBe(true);
});

test('a tool has hints that it only reads, or adds files', async () => {
  const { client } = await agentIn({ cwd: folderWith(files) });
  const { tools: all } = await client.listTools();
  const hints = all.map(({ name, annotations }) => [name, annotations?.readOnlyHint]);
  expect(hints).toEqual([
    ['list_operations', true],
    ['explain', true],
    ['validate', true],
    ['plan', false],
    ['propose', false],
    ['list_runs', true],
    ['show_run', true],
    ['compare_runs', true],
  ]);
  for (const { annotations } of all) expect(annotations?.destructiveHint).toBe(false);
});

test('a proposed command runs exactly the plan that was proposed', async () => {
  const cwd = folderWith(files);
  const { call } = await agentIn({ cwd });
  const { value, text: shown } = await call('propose', { ...named, inputs: { rungs: 2 } });
  expect(value).toMatchObject({ plan: { isKept: true, target: 'sandbox', approvals: [] } });
  const [{ command }] = value['commands'] as [{ command: string }];
  expect(shown).toContain(command);
  expect(await call('list_runs')).toMatchObject({ value: { runs: [] } });
  const { plan } = value as { plan: { id: string; file: string } };
  expect(command).toBe(`deskhand run ${plan.file}`);
  const run = await deskhand([...command.split(' ').slice(1), '-o', 'json'], { cwd });
  expect([run.code, run.stderr]).toEqual([0, expect.any(String)]);
  expect(JSON.parse(run.stdout)).toMatchObject({ plan: plan.id, orders: [{}, {}] });
});

test('a profile that requires approvals has the command to approve first', async () => {
  const config = `profiles:
  sandbox: { approve: { by: anyone, signers: ./allowed_signers, records: approvals } }
`;
  const cwd = folderWith({ ...files, 'deskhand.yaml': config, allowed_signers: '' });
  const { call } = await agentIn({ cwd });
  const { value } = await call('propose', { ...named, save: 'plans/a.json' });
  expect(value).toMatchObject({
    commands: [
      { command: 'deskhand approve plans/a.json' },
      { command: 'deskhand run plans/a.json' },
    ],
    plan: { approvals: ['sandbox'] },
  });
});

test('a plan over a guard has no command', async () => {
  const cwd = folderWith(files);
  const { call } = await agentIn({ cwd });
  const { value } = await call('propose', { ...named, inputs: { rungs: 11 } });
  expect(value).toMatchObject({ commands: [], plan: { isKept: false } });
});

test('a plan starts no program of the playbook', async () => {
  const cwd = folderWith(files);
  const { call } = await agentIn({ cwd });
  expect((await call('plan', { file: 'program.yaml' })).isError).toBe(false);
  expect((await call('propose', { file: 'program.yaml' })).isError).toBe(false);
  expect(existsSync(join(cwd, 'started'))).toBe(false);
  expect((await deskhand(['run', 'program.yaml'], { cwd })).code).toBe(0); // a run does
  expect(existsSync(join(cwd, 'started'))).toBe(true);
});

test('the resources are the documents and schemas of this version', async () => {
  const { client } = await agentIn({ cwd: folderWith() });
  const { resources } = await client.listResources();
  const root = join(import.meta.dirname, '..', '..');
  for (const { name, uri } of resources) {
    const { contents } = await client.readResource({ uri });
    expect([name, contents]).toEqual([
      name,
      [expect.objectContaining({ uri, text: readFileSync(join(root, name), 'utf8') })],
    ]);
  }
  expect(resources.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['docs/glossary.md', 'schemas/playbook.schema.json']),
  );
  await expect(client.readResource({ uri: 'deskhand://docs/../package.json' })).rejects.toThrow();
});

test('stdout has messages of the protocol and nothing else', async () => {
  const env = { GITHUB_ACTIONS: 'true', DESKHAND_LOG: 'debug', DESKHAND_LOG_FORMAT: 'json' };
  const cwd = folderWith(files);
  const child = begin(['mcp', '-v', '--log-level', 'debug'], { cwd, env });
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'a', version: '1' },
  };
  const messages = [
    { id: 1, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'validate', arguments: {} } },
    { id: 3, method: 'tools/call', params: { name: 'plan', arguments: named } },
    { id: 4, method: 'tools/call', params: { name: 'no', arguments: { a: 1 } } },
    { id: 5, method: 'no/method' },
  ];
  const ended = text(child.stdout);
  let heard = '';
  const answered = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      heard += chunk.toString();
      if ([1, 2, 3, 4, 5].every((id) => heard.includes(`"id":${id}`))) resolve();
    });
  });
  child.stdin.write('this is not JSON\n');
  for (const message of messages) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
  await answered;
  child.stdin.end();
  const [code] = await once(child, 'exit');
  for (const line of (await ended).trimEnd().split('\n')) {
    expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  }
  expect(code).toBe(0);
});

test('two calls at once have their own results', async () => {
  const { call } = await agentIn({ cwd: folderWith(files) });
  const [first, second, third] = await Promise.all([
    call('plan', { ...named, inputs: { rungs: 2 } }),
    call('plan', { ...named, inputs: { rungs: 5 } }),
    call('validate', { files: ['wrong.yaml'] }),
  ]);
  expect(first.value).toMatchObject({ totals: { create: 2 } });
  expect(second.value).toMatchObject({ totals: { create: 5 } });
  expect(third.value).toMatchObject({ files: [{ file: 'wrong.yaml' }] });
});

/** An exchange that accepts requests and never answers. */
async function silentExchange() {
  let onClosed = (): void => undefined;
  let onAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => (onAsked = resolve));
  const closed = new Promise<void>((resolve) => (onClosed = resolve));
  let requests = 0;
  const server = createServer((request) => {
    requests++;
    request.on('close', onClosed);
    onAsked();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const env = {
    DESKHAND_BASE_URL: `http://127.0.0.1:${port}`,
    DESKHAND_API_KEY: 'a-key-of-nobody',
    DESKHAND_API_SECRET: 'a-secret-of-nobody',
    DESKHAND_API_PASSPHRASE: 'a-passphrase',
  };
  return { asked, closed, env, requests: () => requests };
}

/** Ids of the processes that a process started. */
function childrenOf(pid: number): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
}

test('a cancelled call ends its process, and the next call works', async () => {
  const exchange = await silentExchange();
  const { call, pid } = await agentIn({ cwd: folderWith(files), env: exchange.env });
  const cancelling = new AbortController();
  const pending = call('plan', named, cancelling.signal);
  await exchange.asked;
  cancelling.abort();
  await expect(pending).rejects.toThrow();
  await exchange.closed;
  while (childrenOf(pid) !== '') await setImmediate();
  expect(exchange.requests()).toBe(1); // a process that works on sends it again before it ends
  expect((await call('validate', { text: reading })).isError).toBe(false);
});

test('a cancelled call that waits leaves its place to others', async () => {
  const exchange = await silentExchange();
  const { call } = await agentIn({ cwd: folderWith(files), env: exchange.env });
  const calls = (count: number, signal: AbortSignal): Promise<unknown>[] =>
    Array.from({ length: count }, () => call('plan', named, signal).catch(() => 'cancelled'));
  const [most, two] = [new AbortController(), new AbortController()];
  const cancelled = [...calls(34, most.signal), ...calls(2, two.signal)];
  while (exchange.requests() < 4) await setImmediate(); // four work, so 32 wait, and no more may
  two.abort();
  const late = Array.from({ length: 3 }, () => call('list_runs'));
  await Promise.race(late); // the one that is refused
  most.abort();
  const refused = (await Promise.all(late)).filter(({ isError }) => isError);
  expect(refused.map(({ text: shown }) => JSON.parse(shown).error.code)).toEqual(['tool-limit']);
  expect(new Set(await Promise.all(cancelled))).toEqual(new Set(['cancelled']));
});

test('the end of its input ends the server and what it started', async () => {
  const exchange = await silentExchange();
  const cwd = folderWith(files);
  const agent = await agentIn({ cwd, env: exchange.env });
  const pending = agent.call('plan', named).catch(() => undefined);
  await exchange.asked;
  await agent.client.close();
  await exchange.closed;
  await pending;
  expect(() => process.kill(agent.pid, 0)).toThrow();
});

test('a signal ends the server', async () => {
  const child = begin(['mcp'], { cwd: folderWith(files) });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([143, null]);
});

test('--profile limits plans to one profile, also of their steps', async () => {
  const other = `${reading.replace('category: SPOT }', 'category: SPOT }, account: other')}`;
  const config = 'profiles: { other: { as: hedge } }\n';
  const cwd = folderWith({ 'reading.yaml': reading, 'other.yaml': other, 'deskhand.yaml': config });
  const limited = await agentIn({ cwd }, ['--profile', 'sandbox']);
  expect(await limited.refusal('plan', { file: 'other.yaml' })).toMatchObject({
    where: 'file',
    what: 'the playbook uses the profile other, and this server only sandbox',
  });
  expect((await limited.call('plan', { file: 'reading.yaml' })).isError).toBe(false);
  expect((await limited.call('plan', { file: 'other.yaml', offline: true })).isError).toBe(false);
  const free = await agentIn({ cwd });
  expect((await free.call('plan', { file: 'other.yaml' })).isError).toBe(false);
  const unknown = await deskhand(['mcp', '--profile', 'nobody'], { cwd });
  expect([unknown.code, unknown.stdout]).toEqual([3, '']);
});

test('--offline makes no request', async () => {
  const exchange = await silentExchange();
  const { call, refusal } = await agentIn({ cwd: folderWith(files), env: exchange.env }, [
    '--offline',
  ]);
  expect((await call('plan', named)).value).toMatchObject({ isOffline: true });
  expect(await refusal('propose', named)).toMatchObject({ code: 'usage', where: 'file' });
});

test('a changed configuration is not used', async () => {
  const cwd = folderWith(files);
  const { call, refusal } = await agentIn({ cwd });
  expect((await call('plan', named)).isError).toBe(false);
  writeFileSync(join(cwd, 'deskhand.yaml'), `${files['deskhand.yaml']}# changed\n`);
  for (const [name, args] of [
    ['plan', named],
    ['propose', named],
    ['list_runs', {}],
    ['show_run', { run: 'last' }],
    ['compare_runs', { run: 'last', other: 'last' }],
  ] as const) {
    expect([name, (await refusal(name, args)).code]).toEqual([name, 'config-changed']);
  }
  expect((await call('validate', { files: [named.file] })).isError).toBe(false);
});
