/** `doctor`: looks at everything a run rests on, and says what to do about what is not well. */
import { exits, type ExitCode } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import type { Config } from '../../config/load.ts';
import type { Profile } from '../../config/profile.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { clockOf, guards, keyOf } from '../doctor/account.ts';
import { assumptions } from '../doctor/assumptions.ts';
import { failure, ok, unknown, type Finding } from '../doctor/finding.ts';
import { stateFolder, versionsHere } from '../doctor/machine.ts';
import { locks, runs } from '../doctor/record.ts';
import { describeError } from '../exits.ts';
import { storeOf } from '../running/state.ts';
import { configOf, openWork, profileOf } from '../running/work.ts';
import { columns } from '../screens/columns.ts';
import type { Look } from '../screens/look.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json']);
  const findings = await findingsOf(context, given.isOn('offline'));
  const exit = exitOf(findings);
  if (format === 'json') out.line(JSON.stringify({ version: 1, findings, exit }));
  else out.line(textOf(findings, out.look).join('\n'));
  return exit;
}

async function findingsOf(context: Context, isOffline: boolean): Promise<readonly Finding[]> {
  const found = await chosen(context);
  if ('finding' in found) return [...versionsHere(), found.finding];
  const { config, profile } = found;
  const { stateDir } = config;
  const where = config.file ?? 'no deskhand.yaml: everything is as usual';
  return [
    ...versionsHere(),
    ok('configuration', `${where}; profile ${profile.name}, ${profile.target}`),
    ...(await stateFolder(stateDir, context.clock)),
    ...(await tried('locks', () => locks(stateDir))),
    ...(await tried('runs', () => runs(stateDir))),
    guards(profile),
    ...(isOffline
      ? [
          unknown(
            'exchange',
            'not asked (--offline): clock, key, permissions, family, position mode, assumptions',
          ),
        ]
      : await atExchange(config, profile, context)),
  ];
}

interface Chosen {
  readonly config: Config;
  readonly profile: Profile;
}

async function chosen(context: Context): Promise<Chosen | { readonly finding: Finding }> {
  try {
    const config = await configOf(context);
    return { config, profile: profileOf(context, config) };
  } catch (error) {
    return { finding: failed('configuration', error) };
  }
}

/** What only the exchange, or another machine, can tell. */
async function atExchange(
  config: Config,
  profile: Profile,
  context: Context,
): Promise<readonly Finding[]> {
  const store = await tried('state store', async () => {
    if (config.state.store === 'local') return [ok('state store', 'this machine alone')];
    const claims = await (await storeOf(config, context)).sync();
    return [
      ok(
        'state store',
        `${config.state.store}, in reach; ${count(claims.length, 'run')} under way`,
      ),
    ];
  });
  const account = await tried('key', async () => {
    const session = await openWork(context, config, profile, { needsKey: true });
    try {
      const clock = await clockOf(session, context.clock);
      if (clock.what === 'exchange') return [clock];
      const known = await assumptions(session.destination, config.stateDir, clock);
      return [clock, ...(await keyOf(session)), ...known];
    } finally {
      await session.close();
    }
  });
  return [...store, ...account];
}

/** What cannot be looked at is a finding, too. */
async function tried(
  what: string,
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [failed(what, error)];
  }
}

function failed(what: string, error: unknown): Finding {
  const { message, hint, exit } = describeError(error);
  return failure(what, message, hint ?? 'see the message', exit);
}

/** A configuration that cannot be read comes first, then a key, then the rest. */
function exitOf(findings: readonly Finding[]): ExitCode {
  const codes = findings.flatMap(({ exit }) => exit ?? []);
  const order = [exits.invalid, exits.credentials, exits.heldBack];
  return order.find((code) => codes.includes(code)) ?? codes[0] ?? exits.done;
}

function textOf(findings: readonly Finding[], look: Look): string[] {
  const { paint, glyphs } = look;
  const marks = {
    ok: paint('good', glyphs.done),
    warning: paint('warn', '!'),
    failure: paint('bad', glyphs.failed),
    unknown: paint('faint', glyphs.waiting),
  } as const;
  const rows = findings.flatMap(({ what, status, says, mend }) => {
    const row = [marks[status], what, plainText(says)];
    return mend === undefined ? [row] : [row, ['', '', paint('command', plainText(mend))]];
  });
  const many = (status: Finding['status']): number =>
    findings.filter((finding) => finding.status === status).length;
  const last = [
    count(many('failure'), 'failure'),
    count(many('warning'), 'warning'),
    `${many('unknown')} not checked`,
  ];
  return [...columns(rows, look, { indent: 0 }), '', last.join(', ')];
}
