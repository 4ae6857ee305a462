/** A private world for one test: a sandbox with a clock that advances only during waits. */
import { standingClock, type StandingClock } from '../../base/clock.ts';
import { ConfigError } from '../../base/error.ts';
import { seededRandom } from '../../base/random.ts';
import { isRecord, sha256, type Json } from '../../base/json.ts';
import { createClient, type Client } from '../../exchange/client/client.ts';
import type { Transport } from '../../exchange/api/exchange.ts';
import { termsFrom, type TermsOf } from '../../exchange/api/terms.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import type { Account } from '../../engine/plan/account.ts';
import { Refusal } from '../../sandbox/refusal.ts';
import { openSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import { ordersOf, positionsOf, type BookRecord } from './world-books.ts';
import type { Command, WorldPlan } from './read.ts';
import {
  sandboxRoles,
  type Credentials,
  type SandboxRole,
} from '../../sandbox/world/initial-accounts.ts';
import { NewAccounts } from './new-accounts.ts';

export interface PrivateWorld extends Pick<WorldPlan, 'programs' | 'answers'> {
  readonly clock: StandingClock;
  /** Opens the test's account, with a client as a new process would create it. */
  own(wrap?: Wrap): WorldAccount;
  /** Opens the account of a profile. @throws ConfigError when the test has none of that name */
  account(profile: string, wrap?: Wrap): WorldAccount;
  /** Sets the faults from now on; none for an empty list. @throws CommandRefusedError */
  arm(faults: readonly Command[]): void;
  /** Every order of every account, open and closed, oldest first. */
  orders(): readonly BookRecord[];
  /** Every position of every account that is open now. */
  positions(): readonly BookRecord[];
  close(): Promise<void>;
}

type Owner = Credentials & Pick<Destination, 'family'>;

/** An opened account of a world. */
export type WorldAccount = Account & { readonly exchange: Client; readonly terms: TermsOf };

/** Wraps the transport to the exchange. */
export type Wrap = (transport: Transport) => Transport;

/** A command of the test that the sandbox refused. */
export class CommandRefusedError extends Error {
  override readonly name = 'CommandRefusedError';
  readonly command: Command;

  constructor(command: Command, refusal: Refusal) {
    super(`${command.path}: the sandbox refused: ${refusal.message}`, { cause: refusal });
    this.command = command;
  }
}

/** Opens a world. @throws CommandRefusedError when the sandbox refuses a command */
export async function openWorld(plan: WorldPlan): Promise<PrivateWorld> {
  const { seed, time, account, profile = account, accounts, commands, programs, answers } = plan;
  const clock = standingClock(time);
  const sandbox = await openSandbox({ clock, seed });
  for (const command of commands) perform(command, sandbox, accounts);
  const others = new NewAccounts(sandbox);
  const openAs = accountOpener(sandbox, clock, plan);
  const own = { ...sandbox.accounts[account], ...familyIn(sandbox, account) };
  return {
    programs,
    answers,
    clock,
    own: (wrap) => openAs(profile, own, wrap),
    account: (name, wrap) => openAs(name, credentialsOf(name, plan, { sandbox, others }), wrap),
    arm: (faults) => {
      const rules = faults.map(({ fields }) => withUids(fields, sandbox, accounts));
      // One by one first, to find out which of them is refused.
      faults.forEach((fault, place) =>
        trying(fault, () => sandbox.control('PUT', 'faults', { rules: [rules[place]] })),
      );
      sandbox.control('PUT', 'faults', { rules });
    },
    orders: () => ordersOf(sandbox, { account, accounts }, others.uids),
    positions: () => positionsOf(sandbox, { account, accounts }, others.uids),
    close: () => sandbox.close(),
  };
}

/** Makes the function that opens an account of a sandbox under the name of a profile. */
function accountOpener(
  sandbox: Sandbox,
  clock: StandingClock,
  { seed, onDoubt }: WorldPlan,
): (name: string, owner: Owner, wrap?: Wrap) => WorldAccount {
  return (name, { uid: _uid, family, ...credentials }, wrap = (transport) => transport) => {
    const random = seededRandom(seed);
    const transport = wrap(sandbox.transport);
    const key = credentials.apiKey.reveal();
    return {
      exchange: createClient({ transport, clock, random, credentials }),
      destination: {
        profile: name,
        target: 'sandbox',
        host: `in-process-${sandbox.world}`,
        keyFingerprint: sha256(key).slice(0, 8),
        ...(family && { family }),
      },
      terms: termsFrom((fields) => sandbox.control('GET', 'terms', fields), key),
      guards: {},
      onDoubt,
    };
  };
}

/** The key of an account. @throws ConfigError when the test has no account of that name */
function credentialsOf(
  name: string,
  { accounts, opensAccounts }: WorldPlan,
  { sandbox, others }: { readonly sandbox: Sandbox; readonly others: NewAccounts },
): Owner {
  const role = accounts.get(name) ?? roleNamed(name);
  if (role !== undefined) return { ...sandbox.accounts[role], ...familyIn(sandbox, role) };
  if (opensAccounts) return { ...others.of(name), ...familyIn(sandbox) };
  throw new ConfigError(
    `the test has no account ${name}`,
    `add it to its world: accounts: { ${name}: oneway }`,
  );
}

/** The family of a key, if the world splits them: what the profile of such an account says. */
function familyIn(sandbox: Sandbox, role?: SandboxRole): Pick<Destination, 'family'> {
  const { quirks } = Object(sandbox.control('GET', 'config'));
  if (!Object(quirks).splitFamilies) return {};
  return { family: role === 'unified' ? 'unified' : 'classic' };
}

function roleNamed(name: string): SandboxRole | undefined {
  return sandboxRoles.find((role) => role === name);
}

function perform(command: Command, sandbox: Sandbox, accounts: WorldPlan['accounts']): void {
  const fields = withUids(command.fields, sandbox, accounts);
  trying(command, () => sandbox.control('POST', command.path, isRecord(fields) ? fields : {}));
}

function trying(command: Command, request: () => unknown): void {
  try {
    request();
  } catch (error) {
    if (error instanceof Refusal) throw new CommandRefusedError(command, error);
    throw error;
  }
}

const uidFields = new Set(['uid', 'toUid', 'parent', 'agent']);

/** The value with uids in place of roles such as `hedge`, and of the profiles that the test names. */
function withUids(value: Json, sandbox: Sandbox, accounts: WorldPlan['accounts']): Json {
  const uids = new Map(Object.entries(sandbox.accounts).map(([name, { uid }]) => [name, uid]));
  for (const [profile, role] of accounts) uids.set(profile, sandbox.accounts[role].uid);
  return JSON.parse(
    JSON.stringify(value, (key, item: unknown) =>
      uidFields.has(key) && typeof item === 'string' ? (uids.get(item) ?? item) : item,
    ),
  );
}
