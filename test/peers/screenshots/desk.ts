/** The desk of the pictures: playbooks, a sandbox and runs that end in each way, by a clock that stands. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { minute } from '../../../src/base/clock.ts';
import { limitOrder } from '../../support/order.ts';

/** As `npm run build` left it. */
export const launcher = join(import.meta.dirname, '..', '..', '..', 'bin', 'deskhand.js');

/** The time of the pictures. */
export const now = Date.UTC(2026, 10, 20, 9, 30);

export interface PictureDesk {
  readonly folder: string;
  readonly env: (at: number, stands?: boolean) => NodeJS.ProcessEnv;
  /** Executes a command. @param exit its exit code, or it throws */
  readonly at: (minutesAgo: number, exit: number, ...words: string[]) => void;
  /** Begins the run of a playbook a minute ago. */
  readonly begin: (playbook: string) => ChildProcess;
}

const order = limitOrder({ price: '{{ each.value }}', force: 'post_only' });

const files = {
  'deskhand.yaml': `profiles:
  sandbox: {}
  desk-a:
    approve: { by: other, signers: ./allowed_signers, passkeys: ./passkeys.json }
    guards: { order: 5000, distance: 20%, notional: 20000 }
`,
  allowed_signers: '',
  'passkeys.json': '[]\n',
  'playbooks/quotes.yaml': `playbook: 1
name: quotes
description: A thousand bids, each canceled if it is not filled at once.
guards: { max-writes: 1000 }
steps:
  - id: bids
    for-each: "{{ range 60001 61000 }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}', force: 'ioc' })}
`,
  'playbooks/hedge.yaml': `playbook: 1
name: hedge
steps:
  - id: orders
    for-each: ["66100", "66200", "66300"]
    uses: futures/place-order
    with:${order}
`,
  'playbooks/entry-ladder.yaml': `playbook: 1
name: entry-ladder
description: Five bids below the market.
inputs: { size: { type: decimal, default: 0.001 } }
steps:
  - id: leverage
    uses: futures/set-all-leverage
    with: { productType: USDT-FUTURES, leverage: 5 }
  - id: orders
    for-each: ["65100", "65200", "65300", "65400", "65500"]
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}', size: '{{ inputs.size }}', force: 'post_only' })}
`,
  'playbooks/roll.yaml': `playbook: 1
name: roll
description: Three bids now, and three an hour later.
steps:
  - id: first
    for-each: ["62100", "62200", "62300"]
    uses: futures/place-order
    with:${order}
  - id: pause
    uses: wait
    with: { for: 1h }
  - id: second
    for-each: ["62400", "62500", "62600"]
    uses: futures/place-order
    with:${order}
`,
  'playbooks/rebalance.yaml': `playbook: 1
name: rebalance
account: desk-a
steps:
  - id: bids
    for-each: ["64100", "64200", "64300", "64400"]
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}', size: '0.05', force: 'post_only' })}
`,
  'playbooks/oversize.yaml': `playbook: 1
name: oversize
steps:
  - id: first
    uses: futures/place-order
    with:${limitOrder({ price: '63100' })}
  - id: too-much
    uses: futures/place-order
    with:${limitOrder({ price: '63200', size: '400' })}
`,
  'playbooks/tickers.yaml': `playbook: 1
name: tickers
schedule:
  - { cron: "0 9 * * *" }
steps:
  - id: tickers
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
    write: { file: out/tickers.csv }
`,
  'market.yaml': `version: 1
market: [{ category: USDT-FUTURES, symbol: BTCUSDT, price: 68000 }]
faults: [{ match: {}, when: before, action: { kind: delay, ms: 42 } }]
`,
  'lost.yaml': `version: 1
faults:
  - { match: { operation: futures/place-order, nth: 3 }, when: before, action: { kind: reset } }
  - { match: { operation: order/list-history }, when: before, action: { kind: status, status: 503, code: "50000" } }
  - { match: {}, when: before, action: { kind: delay, ms: 42 } }
`,
};

/** A folder in which nothing was done yet. */
export function emptyDesk(): PictureDesk {
  return deskIn('desk-b', {});
}

export function pictureDesk(): PictureDesk {
  const desk = deskIn('desk-a', files);
  const { at, folder, env } = desk;
  const git = (...words: string[]): unknown =>
    execFileSync('git', words, {
      cwd: folder,
      env: { ...env(now), NODE_OPTIONS: '' },
      stdio: 'pipe',
    });
  git('init', '-q');
  git('config', 'user.email', 'ann@desk.example');
  git('config', 'user.name', 'Ann');
  git('add', '.');
  git('commit', '-qm', 'Playbooks of the desk');
  at(150, 0, 'sandbox', 'load', 'market.yaml');
  at(140, 0, 'run', 'playbooks/quotes.yaml');
  at(110, 0, 'run', 'playbooks/entry-ladder.yaml');
  at(90, 0, 'run', 'playbooks/entry-ladder.yaml', '--var', 'size=0.002');
  at(60, 1, 'run', 'playbooks/oversize.yaml');
  at(30, 0, 'run', 'playbooks/tickers.yaml', '--scheduled-for', '2026-11-20T09:00:00Z');
  at(14, 0, 'sandbox', 'load', 'lost.yaml');
  at(12, 6, 'run', 'playbooks/hedge.yaml');
  at(3, 0, 'plan', 'playbooks/rebalance.yaml');
  return desk;
}

/** Writes the files of a desk. */
function deskIn(name: string, content: Readonly<Record<string, string>>): PictureDesk {
  const folder = join(mkdtempSync(join(tmpdir(), 'p-')), 'repositories-of-the-desk', name);
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(content)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const clock = pathToFileURL(join(import.meta.dirname, 'clock.mjs')).href;
  const { PATH = '' } = process.env;
  const env: PictureDesk['env'] = (at, stands = true) => ({
    PATH,
    HOME: folder,
    USER: 'ann',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NODE_OPTIONS: `--import=${clock}`,
    CLOCK_AT: String(at),
    CLOCK_STANDS: stands ? 'yes' : 'no',
  });
  const at = (minutesAgo: number, exit: number, ...words: string[]): void => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [launcher, ...words], {
      cwd: folder,
      env: env(now - minutesAgo * minute),
      encoding: 'utf8',
    });
    if (status !== exit) throw new Error(`${words.join(' ')}: ${status}\n${stdout}${stderr}`);
  };
  const begin = (playbook: string): ChildProcess =>
    spawn(process.execPath, [launcher, 'run', `playbooks/${playbook}.yaml`], {
      cwd: folder,
      env: env(now - minute),
      stdio: 'ignore',
    });
  return { folder, env, at, begin };
}
