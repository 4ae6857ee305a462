/**
 * A workflow of 1,000 signed calls, one after the other, as whole processes: ours with every check
 * and the journal on the disk, next to a bare loop, and Redocly's runner of Arazzo workflows. Reads,
 * and orders, each of which has its intent on the disk before it leaves.
 *
 *   npm ci --prefix test/peers && npx tsx bench/workflow.ts [--rounds 3] [--calls 1000]
 */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { median } from './figures/median.ts';
import { arazzoOf } from './processes/arazzo.ts';
import { spentBy } from './processes/spent.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    calls: { type: 'string', default: '1000' },
  },
});
const { calls } = values;
const hasPeer = Number(calls) <= 1_000; // Redocly's runner fails with 5,000 steps
const here = import.meta.dirname;
const peers = join(here, '..', 'test', 'peers', 'node_modules');
const redocly = join(peers, '@redocly', 'cli', 'bin', 'cli.js');
const folder = mkdtempSync(join(tmpdir(), 'deskhand-workflow-'));
execFileSync(process.execPath, [join(here, 'processes', 'bundle.mjs'), folder]);
const server = fork(join(here, 'workflow', 'server.mjs'));
const [{ port }] = (await once(server, 'message')) as [{ port: number }];
const baseUrl = `http://127.0.0.1:${port}`;

const kinds = ['read', 'order'] as const;
type Kind = (typeof kinds)[number];
for (const kind of kinds) writeFileSync(join(folder, `${kind}.yaml`), playbookOf(kind));
writeFileSync(join(folder, 'openapi.yaml'), openApiText());
writeFileSync(join(folder, 'calls.arazzo.yaml'), arazzoOf(stepTexts()));

type Name = `${'bare' | 'ours'} ${Kind}` | 'redocly read';
const spent: Record<Name, number[]> = {
  'bare read': [],
  'ours read': [],
  'redocly read': [],
  'bare order': [],
  'ours order': [],
};
const measure = async (name: Name, program: string, words: readonly string[]): Promise<void> => {
  const { cpu } = await spentBy(program, words);
  spent[name].push(cpu);
};
for (let round = 0; round < Number(values.rounds); round++) {
  for (const kind of kinds) {
    await measure(`bare ${kind}`, join(here, 'workflow', 'bare.mjs'), [baseUrl, kind, calls]);
    const place = mkdtempSync(join(folder, 'run-'));
    const playbook = join(folder, `${kind}.yaml`);
    await measure(`ours ${kind}`, join(folder, 'runner.js'), [baseUrl, place, playbook]);
  }
  if (hasPeer)
    await measure('redocly read', redocly, ['respect', join(folder, 'calls.arazzo.yaml')]);
}
server.disconnect();
rmSync(folder, { recursive: true });

const of = (name: Name): number => median(spent[name]);
const against = (name: Name, limit: Name): string => {
  const ratio = median(spent[name].map((cpu, round) => cpu / (spent[limit][round] ?? NaN)));
  return `${calls} calls, ${name}: ${of(name).toFixed(2)} s of CPU, ${ratio.toFixed(2)} × ${limit}`;
};
for (const kind of kinds) console.log(against(`ours ${kind}`, `bare ${kind}`));
if (hasPeer) console.log(against('redocly read', 'ours read'));

/** The same call again and again, one after the other. */
function playbookOf(kind: Kind): string {
  const action = {
    read: `uses: futures/list-adl-ranks
    with: { productType: USDT-FUTURES }`,
    order: `uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT,
      side: buy, tradeSide: open, orderType: limit, price: "{{ add 40000 each.value }}", size: "0.001" }`,
  };
  return `playbook: 1
name: bench
steps:
  - id: calls
    for-each: "{{ range 1 ${calls} }}"
    ${action[kind]}
`;
}

function openApiText(): string {
  return `openapi: 3.1.0
info: { title: api, version: 1.0.0 }
servers: [{ url: '${baseUrl}' }]
paths:
  /api/v2/mix/position/adlRank:
    get:
      operationId: listAdlRanks
      parameters: [{ name: productType, in: query, schema: { type: string } }]
      responses:
        '200': { description: done, content: { application/json: { schema: { type: object } } } }
`;
}

/** Steps of the runner, which cannot sign; each is checked as ours are. */
function stepTexts(): string[] {
  return Array.from(
    { length: Number(calls) },
    (_, place) => `      - stepId: s${place}
        operationId: api.listAdlRanks
        parameters: [{ name: productType, in: query, value: USDT-FUTURES }]
        successCriteria: [{ condition: $statusCode == 200 }]
`,
  );
}
