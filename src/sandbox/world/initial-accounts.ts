/** The initial accounts and keys; the same seed gives the same secrets. */
import { sha256 } from '../../base/json.ts';
import { Secret } from '../../base/secret.ts';
import type { Permission } from '../../exchange/api/operation.ts';
import type { ProductType } from '../../exchange/api/vocabulary.ts';
import type { AccountKind, PositionMode } from '../engine/instrument.ts';
import type { KeyRecord } from '../gateway/api-keys.ts';

/** Credentials of a client, and their account. */
export interface Credentials {
  readonly uid: string;
  readonly apiKey: Secret;
  readonly secretKey: Secret;
  readonly passphrase: Secret;
}

/** The keys of a new world. Their secrets protect nothing: they are derived from the seed. */
export interface SandboxAccounts {
  /** A main account in one-way mode; also an agent with referred customers. */
  readonly oneway: Credentials;
  /** A main account in hedge mode; also an agent with referred customers. */
  readonly hedge: Credentials;
  /** A key of the same account for operations of unified accounts: the only one, if families are split. */
  readonly unified: Credentials;
  /** A read-only key of the first account. */
  readonly readonly: Credentials;
  /** A copy-trading leader who may lead BTCUSDT only. */
  readonly leader: Credentials;
  /** An agent with referred customers, who does not trade. */
  readonly agent: Credentials;
  /** A key of a virtual sub-account of the first account. */
  readonly sub: Credentials;
}

/** Names of the accounts; commands use `hedge` by default. */
export const sandboxRoles = [
  'hedge',
  'oneway',
  'unified',
  'readonly',
  'leader',
  'agent',
  'sub',
] as const satisfies readonly (keyof SandboxAccounts)[];
export type SandboxRole = (typeof sandboxRoles)[number];

export interface Founder {
  readonly uid: string;
  readonly kind: AccountKind;
  readonly parent?: string;
  readonly mode: PositionMode;
  /** Whether the account gets money for every product type. */
  readonly isFunded: boolean;
}

export const makerUid = '9000000001';
const onewayUid = '7000000001';
const hedgeUid = '7000000002';
const leaderUid = '7000000003';
const agentUid = '7000000004';
const subUid = '7000000005';

/** The first uid of sub-accounts. */
export const firstSubUid = 7_100_000_001;

export const founders: readonly Founder[] = [
  { uid: onewayUid, kind: 'main', mode: 'one_way_mode', isFunded: true },
  { uid: hedgeUid, kind: 'main', mode: 'hedge_mode', isFunded: true },
  { uid: leaderUid, kind: 'main', mode: 'hedge_mode', isFunded: true },
  { uid: agentUid, kind: 'agent', mode: 'one_way_mode', isFunded: false },
  { uid: subUid, kind: 'virtual-sub', parent: onewayUid, mode: 'one_way_mode', isFunded: true },
];

/**
 * Accounts with referred customers: the agent, and both main accounts so that one key shows
 * everything.
 */
export const agents: readonly string[] = [onewayUid, hedgeUid, agentUid];

const readAll: readonly Permission[] = ['account-read', 'trade-read'];
const doAll: readonly Permission[] = [...readAll, 'account-write', 'trade-write', 'agent'];

/** The keys of a new world. */
export function foundingKeys(seed: number): readonly KeyRecord[] {
  const owned = (
    role: SandboxRole,
    uid: string,
    permissions: readonly Permission[],
  ): KeyRecord => ({
    ...plainCredentials(seed, role, uid),
    permissions,
    environment: 'live',
  });
  return [
    owned('oneway', onewayUid, doAll),
    owned('hedge', hedgeUid, doAll),
    { ...owned('unified', hedgeUid, doAll), family: 'unified' },
    owned('readonly', onewayUid, readAll),
    { ...owned('leader', leaderUid, [...readAll, 'trade-write']), leads: ['BTCUSDT'] },
    owned('agent', agentUid, [...readAll, 'agent']),
    { ...owned('sub', subUid, doAll), isSub: true },
  ];
}

/** The keys of a new world as credentials of clients. */
export function foundingAccounts(seed: number): SandboxAccounts {
  return {
    oneway: credentials(seed, 'oneway', onewayUid),
    hedge: credentials(seed, 'hedge', hedgeUid),
    unified: credentials(seed, 'unified', hedgeUid),
    readonly: credentials(seed, 'readonly', onewayUid),
    leader: credentials(seed, 'leader', leaderUid),
    agent: credentials(seed, 'agent', agentUid),
    sub: credentials(seed, 'sub', subUid),
  };
}

/** One position mode for all three product lines. */
export function modesOf(mode: PositionMode): Record<ProductType, PositionMode> {
  return { 'USDT-FUTURES': mode, 'COIN-FUTURES': mode, 'USDC-FUTURES': mode };
}

function credentials(seed: number, role: SandboxRole, uid: string): Credentials {
  const { apiKey, secretKey, passphrase } = plainCredentials(seed, role, uid);
  return {
    uid,
    apiKey: new Secret(apiKey),
    secretKey: new Secret(secretKey),
    passphrase: new Secret(passphrase),
  };
}

function plainCredentials(seed: number, role: SandboxRole, uid: string) {
  const digest = (what: string): string => sha256(`sandbox ${seed} ${role} ${what}`);
  return {
    uid,
    apiKey: `sandbox_${role}_${digest('key').slice(0, 16)}`,
    secretKey: digest('secret'),
    passphrase: `pass${digest('passphrase').slice(0, 12)}`,
  };
}
