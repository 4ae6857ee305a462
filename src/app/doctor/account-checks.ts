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
import { RefusedError, type Exchange } from '../../exchange/api/exchange.ts';
import { positionModesIn } from '../../exchange/api/position-mode.ts';
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

/** The outcome of one read. */
type Probe = 'yes' | RefusedError | DeskhandError;

interface Probes {
  readonly classic: Probe;
  readonly unified: Probe;
  readonly account: Probe;
  readonly agent: Probe;
  readonly modes: ReadonlySet<string>;
}

/** The permissions of the key, tested with small reads. */
export async function keyOf(session: OpenedProfile): Promise<readonly Finding[]> {
  const { exchange, deviations } = collecting(session.exchange);
  const probes = await probesOf({ exchange });
  const { classic, unified } = probes;
  const bad = [classic, unified].find((probe) => isClass(probe, ['auth', 'clock']));
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
  if (classic !== 'yes' && unified !== 'yes' && !(classic instanceof RefusedError)) {
    return [unknown('key', `could not be checked: ${plainText(classic.message)}`)];
  }
  return [
    ok('key', 'is known to the exchange'),
    familyOf(probes),
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

async function probesOf({ exchange }: { readonly exchange: Exchange }): Promise<Probes> {
  let modes: ReadonlySet<string> = new Set();
  const unified = await probe(async () => {
    modes = await positionModesIn(exchange, 'USDT-FUTURES');
  });
  return {
    unified,
    modes,
    classic: await probe(() =>
      exchange.call('futures/list-adl-ranks', { productType: 'USDT-FUTURES' }),
    ),
    account: await probe(() => exchange.call('loan/list-orders', {})),
    agent: await probe(() => exchange.call('agent/list-assets', { pageSize: '1' })),
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

function familyOf({ classic, unified }: Probes): Finding {
  const what = 'account family';
  if (classic === 'yes' && unified === 'yes') return ok(what, 'the key serves v2 and v3 paths');
  if (isClass(classic, ['family']))
    return warning(
      what,
      'unified: v2 paths (place-order, bills, ADL ranks, leverage) refuse this key, so no order can be placed',
      'place orders with a key of a classic account; this key reads orders and creates sub-accounts',
    );
  if (isClass(unified, ['family']))
    return warning(
      what,
      'classic: v3 paths (order lists, sub-accounts) refuse this key, so no order can be looked up',
      'an order without a response stays in doubt until a person looks at the exchange: `deskhand resolve RUN`',
    );
  return unknown(what, 'neither v2 nor v3 paths accept this key');
}

function permissionsOf({ classic, unified, account, agent }: Probes): readonly Finding[] {
  const findings: Finding[] = [];
  const may: string[] = [];
  const say = (name: string, found: Probe): void => {
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
  say('orders', unified === 'yes' ? unified : classic);
  say('the account', account);
  say('agent reports', agent);
  if (may.length > 0) findings.unshift(ok('permissions', `the key may read ${listed(may)}`));
  findings.push(
    unknown('permissions', 'only a write shows whether the key may write; none was sent'),
  );
  return findings;
}

function modeOf({ modes }: Probes): Finding {
  const [mode, other] = modes;
  if (mode === undefined) {
    return unknown(
      'position mode',
      'not known: no futures order shows it, and no operation returns it',
    );
  }
  if (other === undefined) return ok('position mode', `${mode}, by the orders of this account`);
  return warning(
    'position mode',
    `${listed([...modes])}: it was changed`,
    'check the newest order before you rely on either',
  );
}
