/** `import`: adds an existing order or sub-account to the ledger; nothing is sent. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { configOf, profileOf } from '../../app/config/opened.ts';
import { importExisting, type Imported } from '../../app/running/import.ts';
import { givenInputs, loadArguments } from '../args/playbook-argument.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { writeJson } from '../running/documents.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, ['text', 'json']);
  const [file = '', address = ''] = args.positionals;
  const id = idIn(args);
  const config = await configOf(context);
  const playbook = await loadArguments(file, config, context);
  const asked = {
    playbook,
    values: await givenInputs(playbook, args, context),
    profile: profileOf(context, config, playbook.account),
    address,
    id,
    comment: args.text('comment'),
    statement: args.text('statement'),
    key: args.text('key'),
  };
  return print(await importExisting(asked, config, context), context);
}

function idIn(args: Args): string {
  const id = args.text('id') ?? '';
  if (/^[\w.:#/-]{1,64}$/.test(id)) return id;
  throw new UsageError('--id is required', 'the id the exchange shows, or a clientOid');
}

async function print(
  { run: runId, place: { address, operation }, output, person, shown }: Imported,
  context: Context,
): Promise<ExitCode> {
  const evidence = shown.kind === 'order' ? 'looked-up' : 'by-person';
  const result = { version: 1, run: runId, address, operation, output, evidence, person };
  const { out, err } = context.terminal;
  await writeJson(result, context);
  if (context.globals.output === 'json') out.json(result);
  else out.line(`imported ${plainText(address, 120)} in ${runId}; no run creates it again`);
  if (shown.kind !== 'order') {
    err.line(`${err.theme.sign('warn')} ${shown.because}: only your statement supports this`);
  }
  return exits.done;
}
