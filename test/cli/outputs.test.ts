/** Every verb that prints JSON prints one object with a version that matches its schema. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { Ajv, type ValidateFunction } from 'ajv';
import { expect, test } from 'vitest';
import { isRecord } from '../../src/base/json.ts';
import { errorOutput } from '../../src/app/documents/common.ts';
import { lines, outputs } from '../../src/app/documents/index.ts';
import { verbs } from '../../src/cli/verbs/index.ts';
import { keyOf, publicOf } from '../engine/approval/keys.ts';
import { limitOrder } from '../support/order.ts';
import { folderWith, type Ended } from './deskhand.ts';
import { inside } from './inside.ts';
import { ladder } from './ladder.ts';
import { gitIn } from '../support/repository.ts';

const ben = keyOf('outputs-ben');

const nightly = `playbook: 1
name: nightly
schedule: [{ cron: "0 12 * * *" }]
steps: [{ id: spot, uses: market/list-tickers, with: { category: SPOT } }]
`;
const files = {
  'ladder.yaml': ladder,
  'nightly.yaml': nightly,
  'nightly.test.yaml': `playbook-test: 1
playbook: nightly.yaml
tests:
  - { name: it only reads, expect: { outcome: done } }
  - { name: it stops, expect: { outcome: stopped } }
`,
  'broken.test.yaml':
    'playbook-test: 1\nplaybook: wrong.yaml\ntests: [{ name: a, expect: { outcome: done } }]\n',
  'hand.yaml': `playbook: 1
name: hand
steps:
  - id: hand
    uses: futures/place-order
    once-per: playbook
    with:${limitOrder({ price: '40000', size: '0.01' })}
`,
  'subs.yaml': `playbook: 1
name: subs
steps: [{ id: sub, uses: account/create-sub, once-per: playbook, with: { username: alpha } }]
`,
  'wrong.yaml': 'playbook: 1\nname: wrong\nsteps: [{ id: a, use: b }]\n',
  'scenario.yaml': 'version: 1\n',
  'deskhand.yaml': `profiles:
  main: { approve: { by: anyone, signers: ./allowed_signers, records: approvals } }
  sandbox: {}
`,
  allowed_signers: `ben@desk.example ${publicOf(ben)}\n`,
};

/**
 * What is called, in this order. `$run` is the run of the ladder, `$order` an order made by hand and
 * `$sub` a sub-account made so.
 */
const calls: readonly (readonly [line: string, code: number])[] = [
  ['init desk --example order-ladder', 0],
  ['init desk --github', 0],
  ['validate ladder.yaml wrong.yaml', 3],
  ['graph nightly.yaml', 0],
  ['test nightly.test.yaml', 1],
  ['test broken.test.yaml', 3],
  ['rehearse nightly.yaml --seeds 1 --fault 429', 0],
  ['plan ladder.yaml --out ladder.json', 0],
  ['plan --changed-since HEAD', 3],
  [`approve ladder.json --key ${ben} --comment read`, 0],
  [`decline ladder.json --key ${ben}`, 0],
  ['run ladder.yaml -p sandbox', 0],
  ['run wrong.yaml', 3],
  ['resume $run', 0],
  ['drift ladder.yaml -p sandbox', 10],
  ['export order/list-history category=USDT-FUTURES --file rows.csv', 0],
  ['verify rows.csv ladder.yaml', 1],
  ['import hand.yaml hand --id $order', 0],
  [`import subs.yaml sub --id $sub --statement seen --key ${ben}`, 0],
  ['orders --now', 0],
  ['runs list', 0],
  ['runs show $run', 0],
  ['runs diff $run last', 0],
  ['runs files $run', 0],
  ['runs outputs $run', 0],
  ['runs verify $run', 0],
  ['runs replay $run', 0],
  ['runs prune', 0],
  ['keys list', 0],
  ['call market/list-tickers category=SPOT', 0],
  ['call market/list-tickers category=SPOT --dry-run', 0],
  ['schedule run-due nightly.yaml', 0],
  ['schedule list nightly.yaml', 0],
  ['schedule next nightly.yaml', 0],
  ['schedule log', 0],
  ['schedule pause nightly --reason closed', 0],
  ['schedule resume nightly', 0],
  ['serve log', 0],
  ['sandbox advance 1m', 0],
  ['sandbox load scenario.yaml', 0],
  ['sandbox control clock', 0],
  ['sandbox start --port 0', 0],
  ['sandbox reset', 0],
  ['explain', 0],
  ['explain futures/place-order', 0],
  ['explain wait', 0],
  ['explain expressions', 0],
  ['explain PB002', 0],
  ['explain mul', 0],
  ['explain 40762', 0],
  ['explain usage', 0],
  ['doctor -p sandbox', 0],
  ['version', 0],
];

const ajv = new Ajv({ strict: false, logger: false, allErrors: true });

test('a command has a schema for exactly the formats it prints', () => {
  for (const [format, schemas] of Object.entries({ json: outputs, ndjson: lines })) {
    const having = verbs.filter(({ formats }) => formats?.includes(format));
    const names = having.map(({ name }) => name).toSorted();
    expect([format, Object.keys(schemas).toSorted()]).toEqual([format, names]);
  }
});

test('docs/output.md lists every command that prints JSON', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'output.md'), 'utf8');
  const cells = [...page.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell);
  const listed = cells.flatMap((cell) => cell.replaceAll('`', '').split(', '));
  expect(listed.toSorted()).toEqual(Object.keys(outputs).toSorted());
});

test('every command prints one object that fits its schema', async () => {
  const here = await made();
  const wrong: unknown[] = [];
  for (const [line, code] of calls) {
    const words = line.split(' ').map((word) => here.names.get(word) ?? word);
    const verb = verbOf(words);
    const result = await executed(verb, [...words, '-o', 'json'], here);
    if (result.code !== code) wrong.push([line, result.code, result.stderr]);
    const [text = '', ...more] = result.stdout.trimEnd().split('\n');
    if (more.length > 0) wrong.push([line, 'more than one object']);
    const value: unknown = JSON.parse(text);
    const schema = isRecord(value) && 'error' in value ? errorOutput : outputs[verb];
    const problems = problemsOf(schema?.json, value);
    if (problems.length > 0) wrong.push([line, ...problems]);
    const run = isRecord(value) ? value['run'] : undefined;
    if (verb === 'run' && typeof run === 'string') {
      here.names.set('$run', run);
    }
  }
  for (const [verb, { json }] of Object.entries(lines)) {
    const words = lineCalls[verb]?.map((word) => here.names.get(word) ?? word) ?? [];
    const { stdout } = await executed(verb, [...words, '-o', 'ndjson'], here);
    const values = stdout.match(/^.+$/gm)?.map((text): unknown => JSON.parse(text)) ?? [];
    const problems = values.flatMap((value) => problemsOf(json, value));
    if (problems.length > 0) wrong.push([verb, ...problems]);
  }
  expect(wrong).toEqual([]);
  const called = new Set(calls.map(([line]) => verbOf(line.split(' '))));
  expect([...called].toSorted()).toEqual(Object.keys(outputs).toSorted());
  expect(Object.keys(lineCalls).toSorted()).toEqual(Object.keys(lines).toSorted());
});

const lineCalls: Readonly<Record<string, readonly string[]>> = {
  run: ['run', 'nightly.yaml'],
  resume: ['resume', '$run'],
  export: ['export', 'order/list-history', 'category=USDT-FUTURES', '--file', 'more.csv'],
  'runs show': ['runs', 'show', '$run'],
  'runs logs': ['runs', 'logs', '$run'],
  'schedule serve': ['schedule', 'serve', 'nightly.yaml'],
  'schedule log': ['schedule', 'log'],
};

interface Here {
  readonly cwd: string;
  /** The value of a placeholder that is known only now. */
  readonly names: Map<string, string>;
}

/** The folder, with an order and a sub-account created manually. */
async function made(): Promise<Here> {
  const cwd = folderWith(files);
  const git = gitIn(cwd);
  git('init', '-q');
  git(
    '-c',
    'user.email=a@desk.example',
    '-c',
    'user.name=A',
    'commit',
    '-qm',
    'a',
    '--allow-empty',
  );
  git('add', '.');
  const order = `call futures/place-order symbol=BTCUSDT productType=USDT-FUTURES marginMode=crossed
    marginCoin=USDT side=buy tradeSide=open orderType=limit force=gtc price=40000 size=0.01`;
  const idOf = async (line: string, field: string): Promise<string> => {
    const { stdout } = await inside([...line.split(/\s+/), '-o', 'json'], { cwd });
    return JSON.parse(stdout).answer[field];
  };
  const names = new Map([
    ['$order', await idOf(order, 'orderId')],
    ['$sub', await idOf('call account/create-sub username=alpha', 'subUid')],
  ]);
  return { cwd, names };
}

function verbOf([first, second]: readonly string[]): string {
  const names = [`${first} ${second}`, first];
  return names.find((name) => verbs.some((verb) => verb.name === name)) ?? '';
}

/** A verb that serves until a signal is sent one. */
async function executed(verb: string, words: readonly string[], { cwd }: Here): Promise<Ended> {
  if (!['sandbox start', 'schedule serve'].includes(verb)) return inside(words, { cwd });
  const timer = setInterval(() => process.emit('SIGHUP', 'SIGHUP'), 50);
  return inside(words, { cwd }).finally(() => clearInterval(timer));
}

const compiled = new Map<object, ValidateFunction>();

/** Fields missing in the schema are problems: readers learn about fields from it. */
function problemsOf(schema: object | undefined, value: unknown): readonly string[] {
  if (schema === undefined) return ['no schema'];
  const validate = compiled.get(schema) ?? ajv.compile(Object(closed(schema)));
  compiled.set(schema, validate);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message, params }) => {
        return `${instancePath} ${message} ${JSON.stringify(params)}`;
      });
}

/** The same schema without additional properties; composed schemas are unchanged. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isRecord(schema) || 'allOf' in schema) return schema;
  const parts = Object.entries(schema).map(([key, value]) => [key, closed(value)]);
  const room = isRecord(schema['properties']) && schema['type'] === 'object';
  return { ...(room && { additionalProperties: false }), ...Object.fromEntries(parts) };
}
