/** `resolve`: a person settles a doubt; the journal records who and why. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { fieldOf } from '../../base/json.ts';
import { nearWord, plainText, shellWord } from '../../base/text.ts';
import type { Config } from '../../app/config/load.ts';
import { doubtsIn, namesTaken, type InDoubt } from '../../engine/effects/doubts.ts';
import { EvidenceError } from '../../engine/effects/evidence.ts';
import { outcomeBy, type PersonsFinding } from '../../engine/effects/resolve.ts';
import type { Entry, PersonsWord } from '../../engine/journal/entry.ts';
import { canonicalAddress } from '../../engine/journal/identity.ts';
import { ledgerOf } from '../../engine/journal/ledger.ts';
import { readRecords } from '../../engine/journal/records.ts';
import { forgottenSince } from '../../engine/journal/replay.ts';
import { namesIn } from '../../engine/journal/writes.ts';
import { mustShow, visibilitiesIn, visibilitiesOf } from '../../engine/journal/visibility.ts';
import { productTypeOf } from '../../engine/plan/observe.ts';
import { summaryOf } from '../../report/summary.ts';
import { userName } from '../../app/machine/person.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { recordedNames } from '../../app/running/damaged.ts';
import { withOpenRun } from '../../app/running/open-run.ts';
import { withRunAccounts } from '../../app/accounts/run-accounts.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Started } from '../../app/store/state.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, ['text']);
  const [runId = '', address = ''] = args.positionals;
  if (args.isOn('from-exchange')) {
    const { resolveFromExchange } = await import('../session/from-exchange.ts');
    return resolveFromExchange(context, args);
  }
  const extra = ['yes', 'dry-run'].find((flag) => args.isOn(flag));
  if (extra !== undefined) throw new UsageError(`--${extra} is for --from-exchange`);
  if (address === '') throw new UsageError('<address> is missing', 'or all: --from-exchange');
  const verdict = verdictIn(args);
  const person = personIn(args);
  return resolved({ runId, address, verdict, person }, context);
}

interface Said {
  readonly runId: string;
  readonly address: string;
  readonly verdict: PersonsFinding;
  readonly person: PersonsWord;
}

function resolved({ runId, address, verdict, person }: Said, context: Context): Promise<ExitCode> {
  return withOpenRun(runId, context, async ({ config, started, journal, entries }) => {
    const { stateDir } = config;
    const doubt = doubtAt(entries, address, runId, verdict);
    if (verdict.kind !== 'abandon') await refuseElsewhere(doubt, started, config);
    const { outcome, note } = await withRunAccounts(
      started,
      verdict.kind !== 'abandon', // that needs no requests
      config,
      context,
      ({ opened, signal }) =>
        outcomeBy(doubt, verdict, {
          person,
          clock: context.clock,
          target: started.destination.target,
          ...(forgottenSince(entries) && { namesKnown: () => namesKnown(stateDir, entries) }),
          exchanges: opened.map(({ exchange }) => exchange),
          signal,
        }),
    );
    const entry = await journal.append({ kind: 'settled', address: doubt.address, outcome });
    const beside = note ?? silence(verdict, doubt, started, entries);
    record(verdict, doubt, beside, [...entries, entry], context);
    return exits.done;
  });
}

/** Of this run and of all others. */
async function namesKnown(
  stateDir: string,
  entries: readonly Entry[],
): Promise<ReadonlySet<string>> {
  return new Set([...(await recordedNames(stateDir)), ...namesIn(entries)]);
}

/** An absent order proves nothing if the lists have never shown an order of its line. */
function silence(
  { kind }: PersonsFinding,
  { intents }: InDoubt,
  { destination, accounts = [] }: Started,
  entries: readonly Entry[],
): string | undefined {
  const known = visibilitiesIn(entries);
  const intent = intents.at(-1);
  const productType = productTypeOf(fieldOf(intent?.input, 'productType'));
  if (kind !== 'absent' || productType === undefined) return undefined;
  if (intent?.operation !== 'futures/place-order') return undefined;
  const isBlind = [destination, ...accounts]
    .filter(mustShow)
    .some((account) => visibilitiesOf(account, known).get(productType)?.orders !== 'listed');
  return isBlind
    ? `these lists have never shown an order of ${productType} of this account`
    : undefined;
}

/** @throws UsageError unless exactly one outcome is given */
function verdictIn(args: Args): PersonsFinding {
  const id = args.text('placed');
  const said: PersonsFinding[] = [
    ...(id === undefined ? [] : [{ kind: 'placed', id } as const]),
    ...(args.isOn('absent') ? [{ kind: 'absent' } as const] : []),
    ...(args.isOn('abandon') ? [{ kind: 'abandon' } as const] : []),
  ];
  const [verdict] = said;
  if (verdict === undefined || said.length > 1) {
    throw new UsageError(
      'one of --placed ID, --absent, --abandon and --from-exchange is required',
      'see `deskhand resolve --help`',
    );
  }
  if (verdict.kind === 'placed' && !/^[0-9]{1,32}$/.test(verdict.id)) {
    throw new UsageError('--placed takes the id of the exchange, digits only');
  }
  return verdict;
}

function personIn(args: Args): PersonsWord {
  const comment = args.text('comment');
  return { who: userName(), ...(comment !== undefined && { comment: plainText(comment) }) };
}

/** @throws UsageError with a suggestion */
function doubtAt(
  entries: readonly Entry[],
  address: string,
  runId: string,
  { kind }: PersonsFinding,
): InDoubt {
  const taken = kind === 'placed' ? namesTaken(entries) : [];
  const doubts = [...doubtsIn(entries), ...taken];
  const isNamed = (known: string): boolean =>
    known === address || plainText(known, 120) === address;
  const found = doubts.find((doubt) => isNamed(doubt.address));
  if (found !== undefined) return found;
  const known = entries.flatMap((entry) => ('address' in entry ? [entry.address] : []));
  if (known.some(isNamed)) {
    const [first] = doubts;
    throw new UsageError(
      `${address} is not in doubt`,
      first === undefined ? `nothing of ${runId} is` : `${first.address} is`,
    );
  }
  const near = nearWord(address, new Set(known));
  throw new UsageError(
    `${runId} has no action ${JSON.stringify(address)}`,
    near === undefined ? `see \`deskhand runs show ${shellWord(runId)}\`` : `did you mean ${near}?`,
  );
}

/** A doubt of another run is resolved in that run. */
async function refuseElsewhere(
  { address, intents }: InDoubt,
  { playbook, run: runId }: Started,
  { stateDir }: Config,
): Promise<void> {
  if (intents.length > 0) return;
  for (const { run, entries } of await readRecords(stateDir, playbook.name)) {
    if (run === runId) continue;
    for (const entry of ledgerOf(run, entries).values()) {
      if (entry.kind !== 'open' || !isSameAddress(entry.address, address)) continue;
      const hint = `resolve it there: deskhand resolve ${shellWord(run)} ${shellWord(entry.address)}`;
      throw new EvidenceError(`${address} was sent by run ${run}, not by this one`, hint);
    }
  }
}

function isSameAddress(a: string, b: string): boolean {
  return canonicalAddress(a) === canonicalAddress(b);
}

function record(
  verdict: PersonsFinding,
  { address }: InDoubt,
  note: string | undefined,
  entries: readonly Entry[],
  { terminal: { out, err } }: Context,
): void {
  const said = { placed: 'is there', absent: 'is not there', abandon: 'is abandoned' }[
    verdict.kind
  ];
  out.line(`recorded: ${plainText(address, 120)} ${said}`);
  if (note !== undefined) {
    err.line(
      `${err.theme.paint('warn', '!')} ${plainText(note)}: only your statement supports this`,
    );
  }
  const rows = summaryOf(entries).next.map(({ command, why }) => [
    out.theme.paint('command', command),
    why,
  ]);
  out.line(columns(rows, out.theme, { indent: 2 }).join('\n'));
}
