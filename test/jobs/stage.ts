/** One exchange for all jobs, put back to its birth for each: accounts of three desks, and a market that obeys. */
import type { Millis } from '../../src/base/clock.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { openDesks } from '../support/desks.ts';
import type { Choice } from './features.ts';
import { worldClock, type WorldClock } from '../swarm/clocks.ts';

/** The profiles of deskhand.yaml; the first is the account of the playbooks. */
export const profiles = ['main', 'alpha', 'bravo'] as const;

export type KeyParts = Readonly<Record<'apiKey' | 'secretKey' | 'passphrase', string>>;

export interface DeskAccount extends KeyParts {
  readonly name: string;
  readonly uid: string;
}

export interface Stage {
  readonly clock: WorldClock;
  readonly sandbox: Sandbox;
  readonly accounts: readonly DeskAccount[];
  /** Puts everything back to the beginning, lets so much time pass, and splits the families if accounts have one. */
  renew(ms?: Millis, family?: Choice['family']): void;
  close(): Promise<void>;
}

const start = Date.UTC(2026, 10, 20, 4, 0, 0);

/** Prices at the start of every job. */
export const marksAtStart = { BTCUSDT: 60_000, ETHUSDT: 3_000 } as const;

export async function openStage(): Promise<Stage> {
  const clock = worldClock(start);
  const sandbox = await openSandbox({ clock, limits: false });
  const accounts = await openDesks(profiles, (path, fields) =>
    sandbox.control('POST', path, fields),
  );
  for (const [symbol, mark] of Object.entries(marksAtStart)) setMark(sandbox, symbol, mark);
  sandbox.control('POST', 'snapshots', { name: 'birth' });
  return {
    clock,
    sandbox,
    accounts,
    renew: (ms = 0, family = 'both') => {
      clock.reset();
      clock.advance(ms);
      sandbox.control('PUT', 'faults', { rules: [] });
      sandbox.control('POST', 'snapshots/restore', { name: 'birth' });
      const quirks = { splitFamilies: family !== 'both' };
      sandbox.control('POST', 'config', { quirks });
      for (const account of accounts) setKey(sandbox, account, { family });
    },
    close: () => sandbox.close(),
  };
}

export const permissions = ['account-read', 'trade-read', 'account-write', 'trade-write'];

/** A key of the account, which does everything. */
export function setKey(
  sandbox: Sandbox,
  { uid, apiKey, secretKey, passphrase }: KeyParts & Pick<DeskAccount, 'uid'>,
  { family, isFrozen = false }: { readonly family: Choice['family']; readonly isFrozen?: boolean },
): void {
  const key = { uid, apiKey, secretKey, passphrase, permissions, isFrozen };
  sandbox.control('POST', 'keys', { ...key, ...(family !== 'both' && { family }) });
}

export function setMark(sandbox: Sandbox, symbol: string, mark: number): void {
  const price = mark.toFixed(symbol === 'ETHUSDT' ? 2 : 1);
  const market = { category: 'USDT-FUTURES', symbol, price, mark: price };
  sandbox.control('POST', 'market', market);
}
