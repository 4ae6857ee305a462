/** Settles every doubt of a run that the exchange gives evidence for. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { count, plainText, shellWord } from '../../base/text.ts';
import { lineKey, orderIdFrom, orderNameIn } from '../../exchange/api/meant-order.ts';
import type { Config } from '../../app/config/load.ts';
import { doubtsIn, type InDoubt } from '../../engine/effects/doubts.ts';
import {
  lookUpDoubt,
  type DoubtContext,
  type DoubtFinding,
} from '../../engine/effects/look-up-doubt.ts';
import { Searches } from '../../engine/effects/searches.ts';
import { saidAbsent } from '../../engine/effects/resolve-absent.ts';
import type { Entry, Outcome, PersonsWord } from '../../engine/journal/entry.ts';
import { forgottenSince } from '../../engine/journal/replay.ts';
import { mustShow, readVisibilities, visibilitiesOf } from '../../engine/journal/visibility.ts';
import { askYes } from '../approval/ask.ts';
import { userName } from '../../app/machine/person.ts';
import type { Started } from '../../app/store/synchronized.ts';
import type { Args, Context } from '../context.ts';
import { summaryOf } from '../../report/summary.ts';
import { columns } from '../../report/terminal/columns.ts';
import { recordedNames } from '../../app/running/damaged.ts';
import { withOpenRun } from '../../app/running/open-run.ts';
import { withRunAccounts, type RunAccounts } from '../../app/accounts/run-accounts.ts';

/** A doubt, and the evidence that the exchange shows for it. */
interface Found {
  readonly doubt: InDoubt;
  readonly finding: DoubtFinding;
}

/**
 * Looks up all doubts, or one, shows what was found, and records it after consent.
 * @returns 6 if a doubt remains
 */
export async function resolveFromExchange(context: Context, args: Args): Promise<ExitCode> {
  refuseBeside(args);
  const [runId = '', address] = args.positionals;
  return withOpenRun(runId, context, async ({ config, started, journal, entries }) => {
    const all = doubtsIn(entries);
    const doubts = all.filter((doubt) => address === undefined || doubt.address === address);
    if (doubts.length === 0) return nothing(address ?? runId, context);
    const found = await withRunAccounts(started, true, config, context, (accounts) =>
      lookUpAll({ doubts, started, entries, accounts }, config, context),
    );
    print(found, context);
    const person = personIn(args);
    const proven = found.flatMap((each) => settlement(each, person) ?? []);
    if (args.isOn('dry-run')) return shown(runId, all.length, proven.length, context);
    if (proven.length > 0) await consent(proven, args, context);
    const after = [...entries];
    for (const { doubt, outcome } of proven) {
      after.push(await journal.append({ kind: 'settled', address: doubt.address, outcome }));
    }
    const left = all.length - proven.length;
    printLeft(after, proven.length, left, context);
    return left === 0 ? exits.done : exits.inDoubt;
  });
}

function refuseBeside(args: Args): void {
  const extra = ['absent', 'abandon'].find((flag) => args.isOn(flag));
  const flag = args.text('placed') === undefined ? extra : 'placed';
  if (flag === undefined) return;
  throw new UsageError(`--${flag} is a statement of a person`, 'use it without --from-exchange');
}

function nothing(what: string, { terminal: { out } }: Context): ExitCode {
  out.line(`nothing of ${plainText(what, 120)} is in doubt`);
  return exits.done;
}

interface ToLookUp {
  readonly doubts: readonly InDoubt[];
  readonly started: Started;
  readonly entries: readonly Entry[];
  readonly accounts: RunAccounts;
}

const atOnce = 20; // lookups; the limits of the account apply to all of them together

async function lookUpAll(
  { doubts, started, entries, accounts }: ToLookUp,
  { stateDir }: Config,
  context: Context,
): Promise<readonly Found[]> {
  const { err } = context.terminal;
  err.line(`looking up ${count(doubts.length, 'write')}; an absence takes up to a minute to prove`);
  const places = accounts.opened.map(({ destination }) => destination);
  const known = await readVisibilities(stateDir, places);
  const forgot = forgottenSince(entries);
  const searches = new Map(accounts.opened.map((own) => [own, new Searches(context.clock)]));
  const contextOf = ({ intents }: InDoubt): DoubtContext => {
    const profile = intents.at(-1)?.account ?? started.destination.profile;
    const own = accounts.opened.find(({ destination }) => destination.profile === profile);
    if (own === undefined) throw new UsageError(`the run has no account ${plainText(profile, 60)}`);
    const { exchange, destination } = own;
    const listed = visibilitiesOf(destination, known);
    return {
      exchange,
      destination,
      clock: context.clock,
      searches: searches.get(own) ?? new Searches(context.clock),
      drain: accounts.signal,
      halt: accounts.signal,
      // The journal gets what is settled, and not how it was looked for.
      record: () => Promise.resolve(),
      lists: (line) =>
        mustShow(destination) ? (listed.get(lineKey(line))?.orders ?? 'unknown') : 'listed',
      ...(forgot && { forgot }),
      namesElsewhere: () => recordedNames(stateDir),
      entries: () => Promise.resolve(entries),
    };
  };
  const found: Found[] = [];
  const left = [...doubts.entries()];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, doubt] = next;
      found[at] = { doubt, finding: await lookUpDoubt(doubt, contextOf(doubt)) };
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, doubts.length) }, worker));
  } catch (error) {
    accounts.signal.throwIfAborted(); // as for every other command that is interrupted
    throw error;
  }
  return found;
}

function print(found: readonly Found[], { terminal: { out } }: Context): void {
  const { paint } = out.theme;
  const rows = found.map(({ doubt, finding }) => {
    const address = plainText(doubt.address, 120);
    switch (finding.kind) {
      case 'placed':
        return [address, paint('good', 'placed'), plainText(orderIn(finding.output), 80)];
      case 'absent':
        return [address, paint('warn', 'absent'), plainText(finding.evidence, 200)];
      case 'unknown':
        return [address, paint('doubt', 'cannot tell'), plainText(finding.because, 300)];
    }
  });
  out.line(columns(rows, out.theme, { indent: 2 }).join('\n'));
}

function orderIn(output: unknown): string {
  return `order ${orderIdFrom(output)}, clientOid ${orderNameIn(output)}`;
}

/** Shows what would be recorded. @returns 6 if a doubt would remain */
function shown(run: string, all: number, many: number, { terminal: { out } }: Context): ExitCode {
  const { paint } = out.theme;
  const left = all - many;
  out.line(`nothing was recorded; the exchange proves ${many} of ${count(all, 'outcome')}`);
  if (many > 0) {
    const command = `deskhand resolve ${shellWord(run)} --from-exchange`;
    out.line(`record them: ${paint('command', command)}`);
  }
  return left === 0 ? exits.done : exits.inDoubt;
}

interface Settlement {
  readonly doubt: InDoubt;
  readonly outcome: Outcome;
}

/** The settlement of a doubt; undefined for one that remains in doubt. */
function settlement({ doubt, finding }: Found, person: PersonsWord): Settlement | undefined {
  switch (finding.kind) {
    case 'placed':
      return {
        doubt,
        outcome: { kind: 'done', output: finding.output, evidence: 'looked-up', person },
      };
    case 'absent':
      return { doubt, outcome: saidAbsent({ comment: finding.evidence, ...person }) };
    case 'unknown':
      return undefined;
  }
}

function personIn(args: Args): PersonsWord {
  const comment = args.text('comment');
  return { who: userName(), ...(comment !== undefined && { comment: plainText(comment) }) };
}

/** Asks for consent to the findings. @throws ApprovalError, UsageError: nothing is recorded */
async function consent(
  proven: readonly Settlement[],
  args: Args,
  { terminal }: Context,
): Promise<void> {
  if (args.isOn('yes')) return;
  const what = `record the outcome of ${count(proven.length, 'write')}`;
  if (terminal.canAsk) return askYes(what, terminal);
  throw new UsageError(
    'nothing was recorded: a terminal is needed to ask',
    `to ${what}: add --yes`,
  );
}

function printLeft(
  entries: readonly Entry[],
  many: number,
  left: number,
  { terminal: { out } }: Context,
): void {
  if (many > 0) out.line(`recorded: ${count(many, 'outcome')}`);
  const { paint } = out.theme;
  const [next] = summaryOf(entries).next;
  const goOn = next === undefined ? '' : `; continue: ${paint('command', next.command)}`;
  out.line(left === 0 ? `nothing is in doubt${goOn}` : `${left} in doubt`);
}
