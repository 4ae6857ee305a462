/** Exports all orders as a step of a playbook does: checks, signature, journal, kept rows, file. */
import { join } from 'node:path';
import process from 'node:process';
import { systemClock } from '../../src/base/clock.ts';
import { systemRandom } from '../../src/base/random.ts';
import { Secret } from '../../src/base/secret.ts';
import { createClient } from '../../src/client/client.ts';
import { httpTransport } from '../../src/client/transports/http.ts';
import { keepMemorySmall } from '../../src/cli/memory.ts';
import { createRun } from '../../src/journal/runs.ts';
import { loadPlaybook } from '../../src/playbook/load.ts';
import { papersBy } from '../../src/report/papers.ts';
import { run } from '../../src/engines/run.ts';

keepMemorySmall(); // as the command line does before a run that writes rows
const [baseUrl = '', folder = '', startTime = '', endTime = ''] = process.argv.slice(2);
const wire = httpTransport({ baseUrl });
const exchange = createClient({
  transport: wire.transport,
  clock: systemClock,
  random: systemRandom(),
  credentials: {
    apiKey: new Secret('bench'),
    secretKey: new Secret('bench-secret'),
    passphrase: new Secret('bench'),
  },
  limiter: {
    acquire: async () => ({ answered: async () => undefined }),
    penalise: async () => undefined,
  },
});
const { playbook } = loadPlaybook(
  `playbook: 1
name: bench
steps:
  - id: orders
    uses: order/list-history
    with: { startTime: "${startTime}", endTime: "${endTime}" }
    write: { file: ours.csv, overwrite: true }
`,
  'bench.yaml',
);
if (playbook === undefined) throw new Error('the playbook of the bench is wrong');
const destination = { profile: 'bench', target: 'sandbox' as const, host: 'bench' };
const header = { run: 'r-bench', playbook: 'bench', destination, program: 'bench', createdAt: 0 };
const journal = await createRun(join(folder, 'state'), header, systemClock);
const never = new AbortController().signal;
const { status } = await run({
  playbook,
  inputs: {},
  runId: 'r-bench',
  destination,
  exchange,
  journal,
  earlier: [],
  ledger: new Map(),
  clock: systemClock,
  time: Number(endTime),
  onDoubt: 'ask',
  accounts: [],
  guards: {},
  marks: {},
  workspace: folder,
  program: 'bench',
  papers: papersBy('bench'),
  secret: () => '',
  drain: never,
  halt: never,
  onEntry: () => undefined,
});
if (status !== 'done') throw new Error(`the export ended as ${status}`);
await journal.close();
await wire.close();
