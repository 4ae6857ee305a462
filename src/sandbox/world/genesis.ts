/** A new world: its markets, its accounts, their money and a short history. */
import { day, type Millis } from '../../base/clock.ts';
import { createEngine } from '../engine/create.ts';
import type { WalletType } from '../engine/instrument.ts';
import { founders, makerUid, modesOf } from './initial-accounts.ts';
import { scaled } from './digits.ts';
import { liveThrough } from './history.ts';
import { newRegistry } from './registry.ts';
import { settle } from './advance.ts';
import { worldOf, type Birth, type World } from './world.ts';

const prehistory = 30 * day;

/** Creates a new world. The same start gives the same world in every process. */
export function newWorld(birth: Birth): World {
  const { origin } = birth;
  const world = worldOf(origin, createEngine(), newRegistry(origin.seed, birth));
  const start = origin.born - prehistory;
  for (const market of world.markets.values()) {
    const { instrument } = market;
    const price = scaled(market.ticksAt(start), instrument.priceScale);
    const first = instrument.category === 'SPOT' ? {} : { price };
    world.command({ kind: 'list-instrument', instrument, ...first }, start);
  }
  openAccounts(world, start);
  fillReserves(world, start);
  liveThrough(world);
  settle(world, origin.born, () => undefined);
  return world;
}

interface Money {
  readonly walletType: WalletType;
  readonly coin: string;
  readonly amount: string;
}

export const fortune: readonly Money[] = [
  { walletType: 'USDT-FUTURES', coin: 'USDT', amount: '1000000' },
  { walletType: 'USDC-FUTURES', coin: 'USDC', amount: '500000' },
  { walletType: 'COIN-FUTURES', coin: 'BTC', amount: '10' },
  { walletType: 'COIN-FUTURES', coin: 'ETH', amount: '200' },
  { walletType: 'SPOT', coin: 'USDT', amount: '500000' },
  { walletType: 'SPOT', coin: 'BTC', amount: '5' },
  { walletType: 'MARGIN', coin: 'USDT', amount: '100000' },
  { walletType: 'SUSDT-FUTURES', coin: 'SUSDT', amount: '100000' },
  { walletType: 'SCOIN-FUTURES', coin: 'SBTC', amount: '10' },
  { walletType: 'SUSDC-FUTURES', coin: 'SUSDC', amount: '100000' },
];

/** The makers' initial money, enough to quote any price. */
const makersFortune: readonly Money[] = [
  { walletType: 'USDT-FUTURES', coin: 'USDT', amount: '1000000000000' },
  { walletType: 'USDC-FUTURES', coin: 'USDC', amount: '1000000000000' },
  ...['BTC', 'ETH'].map((coin): Money => ({
    walletType: 'COIN-FUTURES',
    coin,
    amount: '1000000000',
  })),
  ...['USDT', 'BTC', 'ETH', 'SOL', 'XRP'].map((coin): Money => ({
    walletType: 'SPOT',
    coin,
    amount: '1000000000000',
  })),
];

function openAccounts(world: World, at: Millis): void {
  world.command({ kind: 'open-account', uid: makerUid, accountKind: 'maker' }, at);
  for (const money of makersFortune) {
    world.command({ kind: 'credit', uid: makerUid, ...money }, at);
  }
  for (const { uid, kind, parent, mode, isFunded } of founders) {
    const positionModes = modesOf(mode);
    const family = parent === undefined ? {} : { parent };
    world.command({ kind: 'open-account', uid, accountKind: kind, positionModes, ...family }, at);
    for (const money of isFunded ? fortune : []) {
      world.command({ kind: 'credit', uid, ...money }, at);
    }
  }
}

const reserves = [
  ['USDT-FUTURES', 'USDT', '25000'],
  ['USDC-FUTURES', 'USDC', '8000'],
  ['COIN-FUTURES', 'BTC', '0.4'],
  ['COIN-FUTURES', 'ETH', '6'],
] as const;

/** Fills the risk reserves for each day of the past month. */
function fillReserves(world: World, start: Millis): void {
  const end = world.origin.born - 2 * day;
  for (let at = start; at < end; at += day) {
    for (const [productType, coin, amount] of reserves) {
      world.command({ kind: 'fund-reserve', productType, coin, amount }, at);
    }
  }
}
