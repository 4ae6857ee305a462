/** Checks a profile against its exchange: clock, key, permissions, account family, position mode. It only
 * reads.
 */
import { second, type Clock } from '../../base/clock.ts';
import { DeskhandError, exits } from '../../base/error.ts';
import { listed, plainText, spoken } from '../../base/text.ts';
import type { Profile } from '../config/profile.ts';
import type { OpenedProfile } from '../config/opened-profile.ts';
import { collecting } from '../../exchange/api/collected.ts';
import { deviationText } from '../../exchange/api/deviation.ts';
import { families, type Family } from '../../exchange/api/family.ts';
import { positionModeOf, usualSymbol } from '../../exchange/api/position-mode.ts';
import { RefusedError, type Exchange } from '../../exchange/api/exchange.ts';
import type { GuardRules } from '../../language/limits.ts';
import { numberGuardList } from '../../language/number-guards.ts';
import { validity } from '../../exchange/api/promises.ts';
import { describeError } from '../running/describe.ts';
import { failure, ok, unknown, warning, type Finding } from './finding.ts';

const offsets = { warn: 5 * second, fail: validity };

/** The limits of a profile, which no playbook can loosen. */
export function guards({
  name,
  target,
  guards: rules,
}: Pick<Profile, 'name' | 'target' | 'guards'>): Finding {
  const set = guardKeys(rules);
  if (set.length > 0) return ok('guards', `in force on ${name}: ${listed(set)}`);
  if (target === 'sandbox') return ok('guards', `none on ${name} (sandbox)`);
  return warning(
    'guards',
    `none on ${name} (live)`,
    `set some of profiles.${name}.guards: writes, notional, order, symbols`,
  );
}

/** The keys in `guards` of a profile that limit writes; `doubts` limits none. */
function guardKeys(rules: GuardRules): readonly string[] {
  const numbers = new Map<string, string>(
    numberGuardList.map(({ name, profileKey }) => [name, profileKey]),
  );
  return Object.keys(rules)
    .filter((name) => name !== 'doubts')
    .map((name) => numbers.get(name) ?? name);
}

/** How far this machine's clock is from the exchange's. */
export async function clockOf(session: OpenedProfile, clock: Clock): Promise<Finding> {
  const before = clock.now();
  let theirs: number;
  try {
    theirs = await session.exchange.serverTime();
  } catch (error) {
    const { message, hint } = describeError(error);
    return failure('exchange', message, hint ?? 'check the address and the network');
  }
  if (session.destination.target === 'sandbox') {
    return ok('clock', 'the sandbox has its own clock');
  }
  const off = theirs - (before + clock.now()) / 2;
  const size = Math.abs(off);
  const message = `this machine is ${spoken(size)} ${off > 0 ? 'behind' : 'ahead of'} the exchange`;
  if (size <= offsets.warn) return ok('clock', message);
  const fix = 'set the clock: timedatectl set-ntp true, or the time service of this machine';
  return size <= offsets.fail
    ? warning('clock', message, fix)
    : failure('clock', message, fix, exits.credentials);
}

/** The outcome of one read; undefined if it was not made, because the profile's family excludes it. */
type Probe = 'yes' | RefusedError | DeskhandError | undefined;

interface Probes {
  /** A read of orders by the operations of each family. */
  readonly orders: Readonly<Record<Family, Probe>>;
  readonly account: Probe;
  readonly agent: Probe;
  /** The position mode that the account's settings show. */
  readonly mode: string | undefined;
}

/** The permissions of the key, its account family and its position mode, tested with small reads. */
export async function keyOf(session: OpenedProfile): Promise<readonly Finding[]> {
  const { exchange, deviations } = collecting(session.exchange);
  const probes = await probesOf(exchange, session.profile.family);
  const all = families.flatMap((family) => probes.orders[family] ?? []);
  const bad = all.find((probe) => isClass(probe, ['auth', 'clock']));
  if (bad !== undefined && bad !== 'yes') {
    return [
      failure(
        'key',
        plainText(bad.message),
        bad.hint ?? 'check the key, its secret and its passphrase',
        bad.exit,
      ),
    ];
  }
  const [first] = all;
  if (first !== undefined && first !== 'yes' && !all.some(isAnswer)) {
    return [unknown('key', `could not be checked: ${plainText(first.message)}`)];
  }
  return [
    ok('key', 'is known to the exchange'),
    familyFound(probes, session.profile),
    ...permissionsOf(probes),
    modeOf(probes),
    ...deviations().map(({ operation, count: times, ...deviation }) =>
      warning(
        'responses',
        `${operation}: ${deviationText(deviation)} (${times})`,
        `the exchange may have changed its API: deskhand call ${operation} --strict`,
      ),
    ),
  ];
}

/** Whether the exchange answered: it accepted the read, or refused it. */
function isAnswer(probe: Probe): boolean {
  return probe === 'yes' || probe instanceof RefusedError;
}

async function probesOf(exchange: Exchange, family: Family | undefined): Promise<Probes> {
  const probeOf = async (own: Family, read: () => Promise<unknown>): Promise<Probe> =>
    family === undefined || family === own ? probe(read) : undefined;
  const orders = {
    unified: await probeOf('unified', () =>
      exchange.call('order/list-open', { category: 'USDT-FUTURES' }),
    ),
    classic: await probeOf('classic', () =>
      exchange.call('futures/list-open-orders', { productType: 'USDT-FUTURES' }),
    ),
  };
  const isUnified = orders.classic !== 'yes' && orders.unified === 'yes';
  let mode: string | undefined;
  const account = await probe(async () => {
    if (isUnified) mode = await positionModeOf(exchange, 'unified', usualSymbol);
    else await exchange.call('loan/list-orders', {});
  });
  if (orders.classic === 'yes') {
    await probe(async () => {
      mode = await positionModeOf(exchange, 'classic', usualSymbol);
    });
  }
  return {
    orders,
    account,
    agent: await probe(() => exchange.call('agent/list-assets', { pageSize: '1' })),
    mode,
  };
}

async function probe(read: () => Promise<unknown>): Promise<Probe> {
  try {
    await read();
    return 'yes';
  } catch (error) {
    if (error instanceof DeskhandError) return error;
    throw error;
  }
}

function isClass(found: Probe, kinds: readonly RefusedError['class'][]): boolean {
  return found instanceof RefusedError && kinds.includes(found.class);
}

function familyFound({ orders }: Probes, { name, family }: Profile): Finding {
  const what = 'account family';
  const [classic, unified] = families.map((each) => orders[each]);
  const refusing = families.find((each) => isClass(orders[each], ['family']));
  if (family !== undefined) {
    if (orders[family] === 'yes') return ok(what, `${family}, as profile ${name} says`);
    if (refusing === undefined) return unknown(what, `the key could not read orders`);
    const other = family === 'classic' ? 'unified' : 'classic';
    return failure(
      what,
      `the key is one of a ${other} account, and profile ${name} says ${family}`,
      `set profiles.${name}.family: ${other}`,
      exits.credentials,
    );
  }
  if (classic === 'yes' && unified === 'yes') {
    return ok(what, 'the key serves operations of both families');
  }
  if (refusing === undefined) return unknown(what, 'neither family accepts this key');
  const own = refusing === 'classic' ? 'unified' : 'classic';
  return warning(
    what,
    `${own}: operations of ${refusing} accounts refuse this key, and the profile does not say so`,
    `set profiles.${name}.family: ${own}: then validate refuses such operations, and orders are looked up where they are`,
  );
}

function permissionsOf({ orders, account, agent }: Probes): readonly Finding[] {
  const findings: Finding[] = [];
  const may: string[] = [];
  const say = (name: string, found: Probe): void => {
    if (found === undefined) return;
    if (found === 'yes') may.push(name);
    else if (isClass(found, ['permission'])) {
      findings.push(
        warning(
          'permissions',
          `the key may not read ${name}`,
          `allow it on the exchange, if playbooks need ${name}`,
        ),
      );
    } else if (!isClass(found, ['family'])) {
      findings.push(unknown('permissions', `${name}: ${plainText(found.message)}`));
    }
  };
  say('orders', orders.unified === 'yes' ? orders.unified : (orders.classic ?? orders.unified));
  say('the account', account);
  say('agent reports', agent);
  if (may.length > 0) findings.unshift(ok('permissions', `the key may read ${listed(may)}`));
  findings.push(
    unknown('permissions', 'only a write shows whether the key may write; none was sent'),
  );
  return findings;
}

function modeOf({ mode }: Probes): Finding {
  return mode === undefined
    ? unknown('position mode', 'not known: the account’s settings could not be read')
    : ok('position mode', `${mode}, by the settings of the account`);
}
