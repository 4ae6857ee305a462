/** The command line as users start it: a folder with a playbook, and a sandbox in a process beside. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { systemClock } from '../../src/base/clock.ts';
import type { Family } from '../../src/exchange/api/family.ts';

export interface Desk {
  readonly folder: string;
  /** Where runs keep their state. */
  readonly state: string;
  readonly baseUrl: string;
  readonly controlUrl: string;
  /** Of the account that trades. */
  readonly uid: string;
  /** The family that its key serves, if keys serve one. */
  readonly family?: Family;
  /** The environment in which the key of that account is found. */
  readonly env: NodeJS.ProcessEnv;
  /** Starts `deskhand`; as the account that trades, on the sandbox or what is before it. */
  begin(words: readonly string[], baseUrl?: string): ChildProcess;
  /** Asks the control API: reads, or writes when there is a body. */
  control(path: string, body?: object): Promise<unknown>;
  /** Replaces the exchange's fault rules. */
  setFaults(rules: readonly object[]): Promise<void>;
  close(): Promise<void>;
}

export const deskhand = join(import.meta.dirname, '..', '..', 'bin', 'deskhand.js');

/**
 * Orders of one size at each price of an expression, in `ladder.yaml`.
 * @param family if keys serve one: then its operations place the orders, and cancel them at the end
 */
export async function openDesk(prices: string, inputs = '{}', family?: Family): Promise<Desk> {
  const folder = mkdtempSync(join(tmpdir(), 'deskhand-bench-'));
  const state = join(folder, 'state');
  const ready = join(folder, 'ready.json');
  writeFileSync(join(folder, 'ladder.yaml'), ladder(prices, inputs, { family }));
  const start = (words: readonly string[], env: NodeJS.ProcessEnv): ChildProcess =>
    spawn(process.execPath, [deskhand, ...words], { cwd: folder, env, stdio: 'ignore' });

  const sandbox = start(['sandbox', 'start', '--port', '0', '--ready-file', ready], process.env);
  while (!existsSync(ready)) {
    if (sandbox.exitCode !== null) throw new Error('the sandbox did not start: npm run build');
    await systemClock.sleep(20);
  }
  const { baseUrl, controlUrl, accounts } = JSON.parse(readFileSync(ready, 'utf8'));
  const account = accounts[family === 'unified' ? 'unified' : 'hedge'];
  const env = {
    ...process.env,
    DESKHAND_STATE_DIR: state,
    DESKHAND_API_KEY: account.apiKey,
    DESKHAND_API_SECRET: account.secretKey,
    DESKHAND_API_PASSPHRASE: account.passphrase,
  };
  if (family !== undefined) {
    await control(controlUrl, 'config', { quirks: { splitFamilies: true } });
    writeFileSync(join(folder, 'deskhand.yaml'), configuration({ baseUrl, family }));
  }
  return {
    folder,
    state,
    ...(family && { family }),
    baseUrl,
    controlUrl,
    uid: account.uid,
    env,
    begin: (words, url = baseUrl) =>
      start(words, family === undefined ? { ...env, DESKHAND_BASE_URL: url } : env),
    control: (path, body) => control(controlUrl, path, body),
    setFaults: async (rules) => {
      const answer = await fetch(`${controlUrl}/faults`, {
        method: 'PUT',
        body: JSON.stringify({ rules }),
        headers: { 'content-type': 'application/json' },
      });
      if (!answer.ok) throw new Error(await answer.text());
    },
    close: async () => {
      sandbox.kill('SIGTERM');
      await once(sandbox, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function control(controlUrl: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${controlUrl}/${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
  });
  return Object(await answer.json()).data;
}

/** A configuration with one profile: the account that trades. */
export function configuration({ baseUrl, family }: Pick<Desk, 'baseUrl' | 'family'>): string {
  const only = family === undefined ? '' : `, family: ${family}`;
  return `profile: main
profiles:
  main: { target: sandbox, base-url: "${baseUrl}", on-doubt: resend${only} }
`;
}

/** The playbook of such orders. */
export function ladder(
  prices: string,
  inputs: string,
  {
    parallel = 1,
    family,
  }: { readonly parallel?: number; readonly family?: Family | undefined } = {},
): string {
  return `playbook: 1
name: ladder
inputs: ${inputs}
steps:
  - id: ladder
    for-each: "{{ ${prices} }}"
    parallel: ${parallel}
    ${family === 'unified' ? unifiedOrder : futuresOrder}
${family === undefined ? '' : cancelling(family)}`;
}

const futuresOrder = `uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT,
      side: buy, tradeSide: open, orderType: limit, price: "{{ each.value }}", size: "0.001" }`;
const unifiedOrder = `uses: trade/place-order
    with: { category: USDT-FUTURES, symbol: BTCUSDT, side: buy, posSide: long,
      orderType: limit, price: "{{ each.value }}", qty: "0.001" }`;

function cancelling(family: Family): string {
  const [uses, where] =
    family === 'unified'
      ? ['trade/cancel-order', 'category: USDT-FUTURES']
      : ['futures/cancel-order', 'symbol: BTCUSDT, productType: USDT-FUTURES'];
  return `  - id: cancel
    for-each: "{{ steps.ladder.outputs }}"
    uses: ${uses}
    with: { ${where}, orderId: "{{ each.value.orderId }}" }
`;
}
