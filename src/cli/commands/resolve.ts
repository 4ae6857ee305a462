/** `resolve`: a person settles a doubt; the journal records who and why. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import type { PersonsFinding } from '../../engine/effects/resolve.ts';
import type { PersonsWord } from '../../engine/journal/entry.ts';
import { summaryOf } from '../../report/summary.ts';
import { userName } from '../../app/machine/person.ts';
import { settleByPerson, type Settled } from '../../app/running/resolve.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { columns } from '../../report/terminal/columns.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, ['text']);
  const [runId = '', address = ''] = args.positionals;
  if (args.isOn('from-exchange')) {
    const { resolveFromExchange } = await import('../running/from-exchange.ts');
    return resolveFromExchange(context, args);
  }
  const extra = ['yes', 'dry-run'].find((flag) => args.isOn(flag));
  if (extra !== undefined) throw new UsageError(`--${extra} is for --from-exchange`);
  if (address === '') throw new UsageError('<address> is missing', 'or all: --from-exchange');
  const verdict = verdictIn(args);
  const person = personIn(args);
  const onRecorded = (settled: Settled): void => print(verdict, settled, context);
  await settleByPerson({ runId, address, verdict, person }, onRecorded, context);
  return exits.done;
}

/** The outcome of the flags. @throws UsageError unless exactly one is given */
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

function print(
  verdict: PersonsFinding,
  { address, note, entries }: Settled,
  { terminal: { out, err } }: Context,
): void {
  const said = { placed: 'is there', absent: 'is not there', abandon: 'is abandoned' }[
    verdict.kind
  ];
  out.line(`recorded: ${plainText(address, 120)} ${said}`);
  if (note !== undefined) {
    err.line(`${err.theme.sign('warn')} ${plainText(note)}: only your statement supports this`);
  }
  const rows = summaryOf(entries).next.map(({ command, why }) => [
    out.theme.paint('command', command),
    why,
  ]);
  out.line(columns(rows, out.theme, { indent: 2 }).join('\n'));
}
