/** `mcp` against an agent that wants more: other files, secrets, large answers, and writes. */
import {
  existsSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operations } from '../../src/exchange/api/operations/index.ts';
import { fieldOf } from '../../src/base/json.ts';
import { redactor } from '../../src/base/secret.ts';
import { answerOf, refusalOf } from '../../src/agents/mcp/answer.ts';
import { readingCommands } from '../../src/agents/mcp/command.ts';
import { ArgumentError, CommandError } from '../../src/agents/mcp/refusal.ts';
import { yamlFile } from '../../src/agents/mcp/common-arguments.ts';
import { readable } from '../../src/agents/mcp/paths.ts';
import { knownSecrets } from '../../src/agents/mcp/masked.ts';
import { tools } from '../../src/agents/mcp/tools/index.ts';
import { loadConfig } from '../../src/app/config/load.ts';
import { hostile } from '../support/hostile.ts';
import { limitOrder } from '../support/order.ts';
import { deskhand, envOf, folderWith } from './deskhand.ts';
import { agentIn } from './mcp-client.ts';
import { startSandboxIn } from './sandbox.ts';

const root = join(import.meta.dirname, '..', '..');
const reading =
  'playbook: 1\nname: reading\nsteps: [{ id: a, uses: market/list-tickers, with: { category: SPOT } }]\n';
const secret = 'hR8"kP\\2w+Tn/5=Vb';

test('a tool starts five commands, and this program has no client and no interpreter', () => {
  expect(readingCommands).toEqual(['validate', 'plan', 'runs list', 'runs show', 'runs diff']);
  const reached = new Set<string>();
  const waiting = ['src/cli/commands/mcp.ts'];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    waiting.push(...importsOf(file));
  }
  expect(reached.size).toBeGreaterThan(150);
  const mayWrite = ['exchange/client', 'engine/effects', 'engine/interpreter', 'engine/runtime'];
  for (const folder of mayWrite) {
    expect(existsSync(join(root, 'src', folder))).toBe(true);
    expect([...reached].filter((file) => file.startsWith(`src/${folder}/`))).toEqual([]);
  }
  const commands = [...reached].filter((file) => file.startsWith('src/cli/commands/'));
  expect(commands).toEqual(['src/cli/commands/mcp.ts']);
  const used = [...reached].filter((file) => /^src\/app\/(?!config|documents|explain)/.test(file));
  expect(used.toSorted()).toEqual([
    'src/app/app-context.ts',
    'src/app/approval/asked.ts',
    'src/app/doctor/finding.ts',
    'src/app/machine/interrupt.ts',
    'src/app/machine/output-file.ts',
    'src/app/machine/own-program.ts',
    'src/app/machine/start-process.ts',
    'src/app/notification/event.ts',
    'src/app/running/damaged.ts',
    'src/app/running/describe.ts',
  ]);
});

/** Imports of modules of this repository that load code, lazy ones included. */
function importsOf(file: string): readonly string[] {
  const source = readFileSync(join(root, file), 'utf8');
  const found = source.matchAll(
    /^(?:import|export) (?!type\b)[^;]*?from '([^']+)';|import\('([^']+)'\)/gms,
  );
  return [...found]
    .map(([, named, lazy]) => named ?? lazy ?? '')
    .filter((target) => target.startsWith('.'))
    .map((target) => normalize(join(dirname(file), target)));
}

test('arguments that do not fit are refused with their place', async () => {
  const manyInputs = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`k${at}`, at]));
  const { refusal, client } = await agentIn({ cwd: folderWith({ 'a.yaml': reading }) });
  const cases: readonly (readonly [string, Record<string, unknown>, string?])[] = [
    ['nothing', {}],
    ['run', { file: 'a.yaml' }],
    ['__proto__', {}],
    ['plan', {}, 'file'],
    ['plan', { file: 1 }, 'file'],
    ['plan', { file: '' }, 'file'],
    ['plan', { file: `${'a/'.repeat(200)}a.yaml` }, 'file'],
    ['plan', { file: 'a.yaml', approve: true }, 'approve'],
    ['plan', { file: 'a.yaml', only: ['--queue'] }, 'only.0'],
    ['plan', { file: 'a.yaml', inputs: [] }, 'inputs'],
    ['plan', { file: 'a.yaml', inputs: manyInputs }, 'inputs'],
    ['plan', { file: 'a.yaml', only: Array.from({ length: 101 }, () => 'a') }, 'only'],
    ['plan', { file: 'a.yaml', offline: 'no' }, 'offline'],
    ['plan', { file: 'a.yaml', inputs: { nobody: 1 } }],
    ['plan', { file: 'missing.yaml' }],
    ['validate', { files: ['a.yaml'], text: '' }, 'text'],
    ['validate', { files: [] }, 'files'],
    ['validate', { text: 'x'.repeat(512 * 1024 + 1) }, 'text'],
    ['explain', { topic: 'nothing-like-it' }],
    ['explain', { field: 'price' }],
    ['explain', { topic: 'futures/place-order', field: 'toString' }],
    ['explain', { topic: 'constructor' }],
    ['list_operations', { name: 'futures/cancel-all' }],
    ['list_runs', { since: '2h --status=done' }, 'since'],
    ['list_runs', { status: 'nothing' }, 'status'],
    ['list_runs', { playbook: 'a\0b' }, 'playbook'],
    ['show_run', {}, 'run'],
    ['show_run', { run: '../../a' }, 'run'],
    ['show_run', { run: '--output=text' }, 'run'],
    ['show_run', { run: 'r-nothing' }],
    ['show_run', { run: 'last', limit: 1e9 }, 'limit'],
    ['compare_runs', { run: 'last' }, 'other'],
    ['compare_runs', { run: 'last', other: '--output=text' }, 'other'],
    ['propose', {}, 'file'],
    ['propose', { file: 'a.yaml', run: 'last' }, 'file'],
    ['propose', { run: 'last' }],
  ];
  for (const [name, args, where] of cases) {
    const refused = await refusal(name, args);
    const of = [name, args];
    expect([of, refused]).toEqual([
      of,
      expect.objectContaining({
        code: expect.stringMatching(/^[a-z-]+$/),
        what: expect.stringMatching(/./),
        help: expect.stringMatching(/./),
      }),
    ]);
    if (where !== undefined) expect([of, refused.where]).toEqual([of, where]);
  }
  expect((await client.listTools()).tools).toHaveLength(tools.length);
});

test('only ordinary files of the folder are read or written', async () => {
  const outside = folderWith({ 'other.yaml': `${secret}\n`, 'other.json': '{}' });
  const cwd = folderWith({
    'a.yaml': reading,
    '.env': `KEY=${secret}\n`,
    '.hidden/b.yaml': `${secret}: 1\n`,
    'node_modules/b.yaml': `${secret}: 1\n`,
    'keys.yaml': `API_KEY='${secret}'\n`,
    'uses-keys.yaml': `playbook: 1\nname: b\nsteps: [{ id: a, uses: ./keys.yaml }]\n`,
    'uses-hidden.yaml': `playbook: 1\nname: b\nsteps: [{ id: a, uses: ./.hidden/b.yaml }]\n`,
    'deskhand.yaml': 'profiles: { main: { secrets: { file: keys.yaml } } }\n',
    'existing.json': '{}',
    'folder.yaml/a.yaml': reading,
  });
  symlinkSync(join(outside, 'other.yaml'), join(cwd, 'out.yaml'));
  symlinkSync('.env', join(cwd, 'env.yaml'));
  symlinkSync('keys.yaml', join(cwd, 'same.yaml'));
  symlinkSync(outside, join(cwd, 'elsewhere'));
  symlinkSync('.hidden', join(cwd, 'shown'));
  symlinkSync(join(outside, 'new'), join(cwd, 'broken'));
  symlinkSync(join(outside, 'new.json'), join(cwd, 'new.json'));
  const { call, refusal, heard } = await agentIn({ cwd });
  const inputs = [
    '/etc/passwd',
    join(cwd, 'a.yaml'),
    '../a.yaml',
    'x/../../a.yaml',
    './a.yaml',
    'a.yaml/',
    '.env',
    '.hidden/b.yaml',
    'node_modules/b.yaml',
    'keys.yaml',
    'out.yaml',
    'env.yaml',
    'same.yaml',
    'elsewhere/other.yaml',
    'shown/b.yaml',
    'a.yaml\0',
    'a\\b.yaml',
    'C:a.yaml',
    'file:///etc/a.yaml',
    '--profile=x.yaml',
    'b/-x.yaml',
    '-',
    '~/a.yaml/..',
    '/dev/stdin',
    'existing.json',
    'a.yaml\n',
    '\u202ea.yaml',
    'b//a.yaml',
  ];
  for (const file of inputs) {
    for (const [name, args] of [
      ['validate', { files: ['a.yaml', file] }],
      ['plan', { file }],
      ['propose', { file }],
    ] as const) {
      expect([name, file, (await refusal(name, args)).code]).toEqual([name, file, 'path']);
    }
  }
  for (const save of [
    '/tmp/a.json',
    '../a.json',
    '.git/a.json',
    '.deskhand/plans/a.json',
    'a.yaml',
    'a',
    'existing.json',
    'elsewhere/a.json',
    'shown/a.json',
    'broken/a.json',
    'new.json',
    'node_modules/a.json',
    'a.json/',
    '-a.json',
    'x/./a.json',
  ]) {
    for (const name of ['plan', 'propose']) {
      const { code } = await refusal(name, { file: 'a.yaml', save });
      expect([name, save, code]).toEqual([name, save, 'path']);
    }
  }
  for (const file of ['uses-keys.yaml', 'uses-hidden.yaml']) {
    expect([file, (await refusal('validate', { files: [file] })).code]).toEqual([file, 'path']);
    expect([file, (await refusal('plan', { file })).code]).toEqual([file, 'path']);
  }
  const given = readFileSync(join(cwd, 'uses-keys.yaml'), 'utf8');
  expect((await refusal('validate', { text: given })).code).toBe('path');
  expect((await refusal('validate', { files: ['folder.yaml'] })).code).not.toBe('internal');
  expect((await call('plan', { file: 'a.yaml', save: 'b/c/a.json' })).isError).toBe(false);
  expect(readdirSync(outside).toSorted()).toEqual(['other.json', 'other.yaml']);
  expect(readFileSync(join(cwd, 'existing.json'), 'utf8')).toBe('{}');
  expect(heard.filter((message) => message.includes('hR8'))).toEqual([]);
});

test('the parts of a real path are those of the system', () => {
  const folder = folderWith({ 'a\\b.yaml': reading, 'a\\.b.yaml': reading });
  symlinkSync('a\\b.yaml', join(folder, 'b.yaml'));
  symlinkSync('a\\.b.yaml', join(folder, 'hidden.yaml'));
  const place = { folder, withheld: new Set<string>(), where: 'file' };
  expect(readable('b.yaml', place, yamlFile, 'win32')).toBe('b.yaml');
  expect(() => readable('b.yaml', place, yamlFile, 'linux')).toThrow('no backslash');
  expect(() => readable('hidden.yaml', place, yamlFile, 'win32')).toThrow('hidden files');
});

test('no message has a secret of the environment, of a file or of the address of a database', async () => {
  const config = `profiles:
  main: { secrets: { file: keys.env } }
state: { store: postgres, url: { env: DESK_DATABASE } }
`;
  const echo = (text: string): string =>
    `playbook: 1\nname: a\ndescription: ${JSON.stringify(text)}\nsteps: [{ id: a, uses: ${JSON.stringify(text)} }]\n`;
  const marks = {
    environment: 'vT6kQ2mXw9LpR4sZ8',
    file: 'bN3hJ7yGc5DfA1uE0',
    database: 'oW4iK8xVn2MqB6tS9',
    other: 'zC1eR5pYj7HaU3gL0',
  };
  const cwd = folderWith({ 'keys.env': `API_SECRET=${marks.file}\n`, 'deskhand.yaml': config });
  for (const [name, mark] of Object.entries(marks)) {
    writeFileSync(join(cwd, `${name}.yaml`), echo(mark));
  }
  chmodSync(join(cwd, 'keys.env'), 0o600);
  const env = {
    DESKHAND_API_SECRET: marks.environment,
    DESK_DATABASE: `postgres://ann:${marks.database}@127.0.0.1:1/desk`,
    CLOUD_TOKEN: marks.other,
  };
  const { call, heard, said } = await agentIn({ cwd, env });
  for (const mark of Object.values(marks)) {
    const base64 = Buffer.from(mark).toString('base64');
    await call('validate', { text: echo(mark) });
    await call('validate', { text: echo(base64) });
    await call('explain', { topic: mark });
    await call('plan', { file: `${mark}.yaml`, inputs: { [mark]: mark } });
    await call(mark, { [mark]: mark });
  }
  await call('validate');
  await call('list_runs');
  expect(heard.length).toBeGreaterThan(20);
  const all = [...heard, said()].join('\n');
  for (const mark of Object.values(marks)) {
    expect(all.includes(mark)).toBe(false);
    expect(all.includes(Buffer.from(mark).toString('base64'))).toBe(false);
  }
  expect(all).toContain('•••');
});

test('every secret that a configuration names is masked, and its files are withheld', async () => {
  const serve = `serve:
  hosts: [desk.example.com]
  tls: { cert: cert.pem, key: key.pem }
  metrics-token: { env: SCRAPING }
  auth: { issuer: "https://id.example.com", client-id: desk, roles: { viewer: [desk] } }
state: { store: restate, url: { env: DESK_NODES } }
`;
  const cwd = folderWith({ 'deskhand.yaml': serve, 'key.pem': 'privateKeyOfDesk' });
  chmodSync(join(cwd, 'key.pem'), 0o600);
  const env = {
    SCRAPING: 'scrapingToken1',
    DESK_NODES: 'restate://nodeToken1@one:8080,restate://nodeToken2@two:8080',
  };
  const { values, files } = await knownSecrets(
    await loadConfig({ cwd, env: envOf({ cwd, env }) }),
    env,
  );
  const redact = redactor(values);
  for (const each of ['scrapingToken1', 'nodeToken1', 'nodeToken2', 'privateKeyOfDesk']) {
    expect(redact(`a ${each} b`)).toBe('a ••• b');
  }
  expect([...files]).toEqual([realpathSync(join(cwd, 'key.pem'))]);
});

test('texts from elsewhere come back as data, without invisible characters', async () => {
  const text = `${hostile}\u{e0041}\u200b`;
  const cwd = folderWith();
  writeFileSync(
    join(cwd, 'a.yaml'),
    `playbook: 1\nname: a\nsteps: [{ id: a, uses: ${JSON.stringify(text)}, with: { ${JSON.stringify(text)}: 1 } }]\n`,
  );
  const { call, heard } = await agentIn({ cwd });
  await call('validate');
  await call('explain', { topic: text.slice(0, 90) });
  await call('plan', { file: 'a.yaml' });
  const values = heard.map((message) => stringsIn(JSON.parse(message)).join(''));
  expect(values.join('')).toContain('alert(1)');
  for (const value of values)
    for (const mark of invisible) expect(value.includes(mark)).toBe(false);
});

test('no text of a result has invisible characters, whatever a command lets through', () => {
  const text = `a\tb\n${invisible.join('c')}`;
  const same = (each: string): string => each;
  const shown = [
    answerOf({ structured: { list: [{ [text]: text }] } }, same),
    answerOf({ structured: {}, text }, same),
    refusalOf(new ArgumentError(text, text, text), same),
    refusalOf(new CommandError(text, { code: 'invalid', hint: text, printed: text }), same),
  ].map((answer) => stringsIn(answer).join(''));
  for (const each of shown) {
    expect(each).toContain('\\u202e');
    for (const mark of invisible) expect(each.includes(mark)).toBe(false);
  }
  expect(shown[1]).toContain('a\tb\n'); // the layout of a text remains
});

const invisible = ['\u202e', '\u001b', '\u0007', '\u2028', '\u200b', '\u{e0041}'];

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [key, ...stringsIn(each)]);
}

test('a hostile playbook is answered within its limits', async () => {
  const { call } = await agentIn({ cwd: folderWith() });
  const head = 'playbook: 1\nname: a\n';
  const bombs = [
    `a: &a [x,x,x,x,x,x,x,x]\n${'bcdefghi'.replaceAll(/./g, (letter, at: number) => `${letter}: &${letter} [${`*${'abcdefgh'[at]},`.repeat(8)}]\n`)}`,
    `${head}steps: ${'['.repeat(100_000)}`,
    `${head}steps: ${'{ a: '.repeat(50_000)}`,
    `${head}${Array.from({ length: 40_000 }, (_, at) => `k${at}: 1`).join('\n')}`,
    `${head}description: "${'\\u0000'.repeat(60_000)}"`,
    `${head}steps: [{ id: a, uses: wait, with: { for: "{{ ${'(add 1 '.repeat(20_000)}" } }]`,
    `${head}inputs: { a: { type: string, pattern: "${'(a+)+'.repeat(2_000)}$" } }\nsteps: []`,
    `${head}? ${'? '.repeat(100_000)}`,
    '\u0000'.repeat(512 * 1024),
    `${'- '.repeat(200_000)}a`,
    `%TAG ! tag:x,2000:\n--- !x\n${'&'.repeat(100_000)}`,
  ];
  for (const text of bombs) {
    const { isError, value, text: shown } = await call('validate', { text });
    expect([text.slice(0, 40), isError, shown.length < 300_000]).toEqual([
      text.slice(0, 40),
      false,
      true,
    ]);
    expect(JSON.stringify(value)).toContain('"level":"error"');
  }
});

test('no sequence of calls makes a write reach the exchange', async () => {
  const order = `playbook: 1
name: order
steps:
  - { id: leverage, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 5 } }
  - id: buy
    uses: futures/place-order
    with:${limitOrder({ price: '40000', size: '0.01' })}
  - { id: sub, uses: account/create-sub, once-per: playbook, with: { username: alpha } }
`;
  const cwd = folderWith({ 'order.yaml': order, 'reading.yaml': reading });
  mkdirSync(join(cwd, 'home'));
  const exchange = await startSandboxIn(cwd);
  const env = exchange.env('hedge');
  const asked = async (): Promise<readonly (string | undefined)[]> => {
    const response = await fetch(`${exchange.controlUrl}/requests`);
    const answer: unknown = await response.json();
    const notes = fieldOf(answer, 'data');
    return (Array.isArray(notes) ? notes : []).map((note: unknown) => {
      const operation = fieldOf(note, 'operation');
      return typeof operation === 'string' ? operation : undefined;
    });
  };
  const writes = async (): Promise<readonly (string | undefined)[]> =>
    (await asked()).filter((name) => name !== undefined && !isRead(name));
  const { call } = await agentIn({ cwd, env });
  const file = fc.constantFrom('order.yaml', 'reading.yaml', 'missing.yaml');
  const words = fc.constantFrom(
    'run',
    'last',
    '--approve',
    'order.yaml',
    'yes',
    'p-00000000',
    '-p',
  );
  const extra = fc.dictionary(words, fc.oneof(words, fc.boolean(), fc.integer()), { maxKeys: 2 });
  const name = fc.constantFrom(...tools.map((each) => each.name), 'run', 'resume', 'approve');
  const options = { requiredKeys: [] as never[] };
  const args = fc.oneof(
    extra,
    fc.record({ file, offline: fc.boolean(), save: fc.constantFrom('a.json', 'b.json') }, options),
    fc.record({ file, only: fc.subarray(['leverage', 'buy', 'sub']) }, options),
    fc.record({ run: words, comment: words }, options),
    fc.record(
      { text: fc.constantFrom(order, reading), files: fc.subarray(['order.yaml']) },
      options,
    ),
  );
  const plain = fc.tuple(name, args);
  const certain: readonly (readonly [string, Record<string, unknown>])[] = [
    ['plan', { file: 'order.yaml' }],
    ['propose', { file: 'order.yaml', save: 'c.json' }],
  ];
  for (const [tool, given] of certain) {
    expect((await call(tool, given)).isError).toBe(false);
  }
  const pairs = fc.sample(plain, 60);
  for (let at = 0; at < pairs.length; at += 4) {
    await Promise.all(pairs.slice(at, at + 4).map(([tool, given]) => call(tool, { ...given })));
  }
  expect((await asked()).length).toBeGreaterThan(5); // plans did read
  expect(await writes()).toEqual([]);
  expect((await deskhand(['run', 'order.yaml'], { cwd, env })).code).toBe(0);
  expect((await writes()).length).toBeGreaterThan(2); // what a write looks like there
});

function isRead(name: string): boolean {
  return Object.entries(operations).some(
    ([known, { effect }]) => known === name && effect === 'read',
  );
}
