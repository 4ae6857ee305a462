/**
 * Runs a playbook as the command line does, but for the rate limits and the plan: checks,
 * signatures, journal, files.
 *
 *   runner BASE_URL FOLDER PLAYBOOK
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { systemClock } from '../../src/base/clock.ts';
import { systemRandom } from '../../src/base/random.ts';
import { Secret } from '../../src/base/secret.ts';
import { createClient } from '../../src/client/client.ts';
import { httpTransport } from '../../src/client/transports/http.ts';
import { compileParserOnce, keepMemorySmall, writesRows } from '../../src/cli/session/memory.ts';
import { warmup } from '../../src/cli/session/optimizing.ts';
import { createRun } from '../../src/journal/runs.ts';
import { loadPlaybook } from '../../src/playbook/load.ts';
import { documentRenderer } from '../../src/report/renderer.ts';
import { run } from '../../src/runtime/run.ts';

const [baseUrl = '', folder = '', file = ''] = process.argv.slice(2);
compileParserOnce();
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
const { playbook } = loadPlaybook(readFileSync(file, 'utf8'), file, { itemsMax: () => 100_000 });
if (playbook === undefined) throw new Error(`${file} is wrong`);
if (writesRows(playbook)) keepMemorySmall();
const destination = { profile: 'bench', target: 'sandbox' as const, host: 'bench' };
const header = { run: 'r-bench', playbook: 'bench', destination, program: 'bench', createdAt: 0 };
const journal = await createRun(join(folder, 'state'), header, systemClock);
const never = new AbortController().signal;
const warm = warmup();
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
  time: systemClock.now(),
  onDoubt: 'ask',
  accounts: [],
  guards: {},
  workspace: folder,
  program: 'bench',
  documents: documentRenderer('bench'),
  secret: () => '',
  drain: never,
  halt: never,
  onEntry: ({ kind }) => {
    if (kind === 'settled') warm.count();
  },
});
if (status !== 'done') throw new Error(`the run ended as ${status}`);
await journal.close();
await wire.close();
