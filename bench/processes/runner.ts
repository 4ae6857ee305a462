/**
 * Runs a playbook as the command line does, but for the rate limits and the plan: checks,
 * signatures, journal, files. Several runs of it at once are on different accounts. With a database
 * in DESK_DATABASE, or Restate in DESK_RESTATE, they are stored there.
 *
 *   runner BASE_URL FOLDER PLAYBOOK [RUNS]
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { second, systemClock } from '../../src/base/clock.ts';
import { systemRandom } from '../../src/base/random.ts';
import { Secret } from '../../src/base/secret.ts';
import { createClient } from '../../src/exchange/client/client.ts';
import { httpTransport } from '../../src/exchange/client/transports/http.ts';
import { keepMemorySmall, writesRows } from '../../src/app/machine/memory.ts';
import { compileParserOnce } from '../../src/app/machine/optimizing.ts';
import { createRun } from '../../src/engine/journal/runs.ts';
import { loadPlaybook } from '../../src/language/load.ts';
import { documentRenderer } from '../../src/report/renderer.ts';
import { run } from '../../src/engine/runtime/run.ts';
import type { StateStore } from '../../src/stores/store.ts';

const [baseUrl = '', folder = '', file = '', runs = '1'] = process.argv.slice(2);
compileParserOnce();
const wire = httpTransport({ baseUrl });
const exchange = createClient({
  transport: wire.transport,
  clock: systemClock,
  random: systemRandom(),
  credentials: {
    apiKey: new Secret('key-of-the-runner'),
    secretKey: new Secret('secret-of-the-runner'),
    passphrase: new Secret('key-of-the-runner'),
  },
  limiter: {
    acquire: async () => ({ answered: async () => undefined }),
    penalise: async () => undefined,
  },
});
const { playbook } = loadPlaybook(readFileSync(file, 'utf8'), file, { itemsMax: () => 100_000 });
if (playbook === undefined) throw new Error(`${file} is wrong`);
if (writesRows(playbook)) keepMemorySmall();
const stateDir = join(folder, 'state');
const { DESK_DATABASE: postgres, DESK_RESTATE: restate } = process.env;
const store = await storeOf();
await Promise.all(Array.from({ length: Number(runs) }, (_, place) => runOn(`bench-${place}`)));
await wire.close();

/** Lasts until the process ends. */
async function storeOf(): Promise<StateStore | undefined> {
  if (!postgres && !restate) return undefined;
  const lease = 4 * second;
  const { openPostgres } = await import('../../src/stores/postgres/runs.ts');
  const { openRestate } = await import('../../src/stores/restate/runs.ts');
  const { sharedStore } = await import('../../src/stores/shared/store.ts');
  const shared = postgres
    ? openPostgres({ url: postgres, lease })
    : restate && openRestate({ url: restate, lease });
  if (!shared) return undefined;
  return sharedStore({ stateDir, runs: shared, name: 'bench', lease, clock: systemClock });
}

async function runOn(host: string): Promise<void> {
  const destination = { profile: 'bench', target: 'sandbox' as const, host, fingerprint: host };
  const runId = `r-${host}`;
  const program = 'bench';
  const header = { run: runId, playbook: program, destination, program, createdAt: 0 };
  const time = systemClock.now();
  const hold = await store?.claim({
    run: runId,
    playbook: program,
    accounts: [destination],
    isResumed: false,
    now: async () => time,
    observedAt: time,
  });
  const made = await createRun(stateDir, header, systemClock, hold?.over);
  const { journal } = (await hold?.open({ journal: made, entries: [] })) ?? { journal: made };
  if (playbook === undefined) return;
  const never = new AbortController().signal;
  const { status } = await run({
    playbook,
    inputs: {},
    runId,
    account: { destination, exchange, onDoubt: 'ask' },
    journal,
    earlier: [],
    ledger: new Map(),
    clock: systemClock,
    time,
    accounts: [],
    guards: {},
    origin: { program },
    world: { workspace: folder, documents: documentRenderer(program), secret: () => '' },
    drain: never,
    halt: never,
    onEntry: () => undefined,
  });
  if (status !== 'done') throw new Error(`the run ended as ${status}`);
  await journal.close();
  await hold?.release();
}
