/** `resolve`: a person settles what is in doubt; the journal keeps who said what. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { nearWord, plainText } from '../../base/text.ts';
import { profileNamed, type Config } from '../../config/load.ts';
import type { Exchange } from '../../contract/exchange.ts';
import {
  doubtsIn,
  EvidenceError,
  outcomeBy,
  type InDoubt,
  type Verdict,
} from '../../effects/resolve.ts';
import { accountOf } from '../../journal/account.ts';
import type { Entry, PersonsWord } from '../../journal/entry.ts';
import { readLedger } from '../../journal/ledger.ts';
import { openRun, readRun } from '../../journal/runs.ts';
import { mustShow, visibilitiesIn } from '../../journal/visibility.ts';
import { summaryOf } from '../../report/summary.ts';
import { userName } from '../approval/person.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { stoppable } from '../running/perform.ts';
import { holdRun, storeOf, syncRun } from '../running/state.ts';
import { configOf, openWork } from '../running/work.ts';
import { columns } from '../screens/columns.ts';
import { refuseOther, startOf, type Started } from './resume.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  outputOf(context, ['text']);
  const [runId = '', address = ''] = given.words;
  const verdict = verdictIn(given);
  const person = personIn(given);
  const config = await configOf(context);
  const { stateDir } = config;
  await syncRun(runId, config, context);
  const started = startOf(await readRun(stateDir, runId), runId);
  const store = await storeOf(config, context, started.destination);
  const hold = await holdRun(store, started, config, context);
  try {
    // Read again under the lock: the run may have gone on since.
    const doubt = doubtAt(await readRun(stateDir, runId), address, runId);
    if (verdict.kind !== 'abandon') await refuseElsewhere(doubt, started, config);
    const { outcome, note } = await withAccounts(started, verdict, config, context, (accounts) =>
      outcomeBy(doubt, verdict, { person, ...accounts }),
    );
    const opened = await openRun(stateDir, runId, context.clock);
    const { journal, entries } = await hold.open(opened);
    try {
      const entry = await journal.append({ kind: 'settled', address: doubt.address, outcome });
      const beside = note ?? silence(verdict, doubt, started, entries);
      tell(verdict, doubt, beside, [...entries, entry], context);
    } finally {
      await journal.close();
    }
  } finally {
    await hold.release();
  }
  return exits.done;
}

/** That no list shows it proves nothing where lists have never shown an order. */
function silence(
  { kind }: Verdict,
  { intents }: InDoubt,
  { destination, accounts = [] }: Started,
  entries: readonly Entry[],
): string | undefined {
  const known = visibilitiesIn(entries);
  const isBlind = [destination, ...accounts]
    .filter(mustShow)
    .some((account) => known.get(accountOf(account))?.orders !== 'listed');
  const isOrder = intents.at(-1)?.operation === 'futures/place-order';
  return kind === 'absent' && isOrder && isBlind
    ? 'these lists have never shown an order of this account'
    : undefined;
}

/** @throws UsageError unless exactly one thing is said */
function verdictIn(given: Given): Verdict {
  const id = given.text('placed');
  const said: Verdict[] = [
    ...(id === undefined ? [] : [{ kind: 'placed', id } as const]),
    ...(given.isOn('absent') ? [{ kind: 'absent' } as const] : []),
    ...(given.isOn('abandon') ? [{ kind: 'abandon' } as const] : []),
  ];
  const [verdict] = said;
  if (verdict === undefined || said.length > 1) {
    throw new UsageError(
      'say one of --placed ID, --absent and --abandon',
      'see «deskhand resolve --help»',
    );
  }
  if (verdict.kind === 'placed' && !/^[0-9]{1,32}$/.test(verdict.id)) {
    throw new UsageError('--placed takes the id the exchange shows, all digits');
  }
  return verdict;
}

function personIn(given: Given): PersonsWord {
  const comment = given.text('comment');
  return { who: userName(), ...(comment !== undefined && { comment: plainText(comment) }) };
}

/** @throws UsageError with the near word */
function doubtAt(entries: readonly Entry[], address: string, runId: string): InDoubt {
  const doubts = doubtsIn(entries);
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
    near === undefined ? `see «deskhand runs show ${runId}»` : `did you mean ${near}?`,
  );
}

/** A doubt that came from another run is settled there. */
async function refuseElsewhere(
  { address, intents }: InDoubt,
  { playbook, run: runId }: Started,
  { stateDir }: Config,
): Promise<void> {
  if (intents.length > 0) return;
  for (const entry of (await readLedger(stateDir, playbook.name)).values()) {
    if (entry.kind !== 'open' || entry.address !== address || entry.run === runId) continue;
    const hint = `settle it there: deskhand resolve ${entry.run} '${address}'`;
    throw new EvidenceError(`${address} was sent by run ${entry.run}, not by this one`, hint);
  }
}

interface Accounts {
  readonly exchanges: readonly Exchange[];
  readonly signal: AbortSignal;
}

/** Opens the run's accounts; to leave something undone nobody is asked. */
async function withAccounts<T>(
  started: Started,
  verdict: Verdict,
  config: Config,
  context: Context,
  work: (accounts: Accounts) => Promise<T>,
): Promise<T> {
  const { destination, accounts = [], run: runId } = started;
  return stoppable(context, async ({ drain: signal }) => {
    if (verdict.kind === 'abandon') return work({ exchanges: [], signal });
    const profile = profileNamed(config, destination.profile);
    const session = await openWork(context, config, profile, { needsKey: true });
    try {
      refuseOther(destination, session.destination, runId);
      const exchanges: Exchange[] = [session.exchange];
      for (const then of accounts) {
        const other = await session.open(then.profile);
        refuseOther(then, other.destination, runId);
        exchanges.push(other.exchange);
      }
      return await work({ exchanges, signal });
    } finally {
      await session.close();
    }
  });
}

function tell(
  verdict: Verdict,
  { address }: InDoubt,
  note: string | undefined,
  entries: readonly Entry[],
  { terminal: { out, err } }: Context,
): void {
  const said = { placed: 'is there', absent: 'is not there', abandon: 'stays undone' }[
    verdict.kind
  ];
  out.line(`recorded: ${plainText(address, 120)} ${said}`);
  if (note !== undefined) {
    err.line(`${err.look.paint('warn', '!')} ${plainText(note)}: this rests on your word alone`);
  }
  const rows = summaryOf(entries).next.map(({ command, why }) => [
    out.look.paint('command', command),
    why,
  ]);
  out.line(columns(rows, out.look, { indent: 2 }).join('\n'));
}
