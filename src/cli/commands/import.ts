/** `import`: adds an existing order or sub-account to the ledger; nothing is sent. */
import { principalsOf, statementNamespace } from '../../engine/approval/keygen.ts';
import { signatureIn } from '../../engine/approval/signature.ts';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { readableJson } from '../../base/json.ts';
import { plainText } from '../../base/text.ts';
import type { Profile } from '../../app/config/profile.ts';
import { adopted, shownOf, type Shown } from '../../engine/effects/adopt.ts';
import { EvidenceError } from '../../engine/effects/evidence.ts';
import type { PersonsWord } from '../../engine/journal/entry.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { makePlan } from '../../engine/plan/planner.ts';
import type { Playbook } from '../../language/playbook.ts';
import { userName } from '../../app/machine/person.ts';
import { signedBy } from '../../app/approval/sign.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { givenInputs, loadArguments } from '../args/playbooks.ts';
import { ledgersOf } from '../../app/accounts/accounts.ts';
import {
  knownBy,
  placeAt,
  recordImport,
  refuseKnown,
  type Place,
} from '../../app/running/adopting.ts';
import { stoppable } from '../../app/machine/interrupt.ts';
import {
  planningOf,
  preparedFrom,
  reportingProblems,
  type PlanningJob,
} from '../../app/planning/plan.ts';
import { syncState } from '../../app/store/state.ts';
import { writeJson } from '../session/documents.ts';
import { configOf, profileOf } from '../../app/config/opened.ts';
import { openWork, type Work } from '../../app/accounts/work.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, ['text', 'json']);
  const [file = '', address = ''] = args.positionals;
  const id = idIn(args);
  const config = await configOf(context);
  const playbook = await loadArguments(file, config, context);
  const values = await givenInputs(playbook, args, context);
  const profile = profileOf(context, config, playbook.account);
  const session = await openWork(context, config, profile, { needsKey: true });
  return stoppable(context, async ({ drain: signal }) => {
    try {
      const { stateDir } = config;
      const store = await syncState(config, context, session.destination);
      const job = { playbook, args: values, session, stateDir, isOffline: false, signal };
      const { plan, place } = await placed(job, address, context);
      const account = place.account === undefined ? session : await session.open(place.account);
      const shown = await shownOf(place, id, account.exchange, signal);
      const made = adopted(place, id, shown);
      const person = await personIn({ plan, place, id, profile }, shown, args, context);
      const known = knownBy(place, playbook, account.destination);
      if (known.imported === 'named') refuseRenamed(place, shown);
      const now = await session.exchange.serverTime(signal);
      const book = await session.book();
      const all = [plan.destination, ...(plan.accounts ?? [])];
      const hold = await store.claim({
        run: plan.run,
        playbook: playbook.name,
        isResumed: false,
        observedAt: plan.observedAt,
        accounts: [...all, ...all.flatMap((each) => book.formerOf(each))],
        now: () => session.exchange.serverTime(),
      });
      try {
        // Checked again under the account lock: another run may have created it since.
        await refuseKnown(stateDir, made.output);
        const ledgers = await ledgersOf(stateDir, playbook, await session.book());
        if (ledgers.ledger(account.destination).get(known.identity)?.kind === 'done') {
          throw new UsageError(`${address} is already done`);
        }
        const evidence = shown.kind === 'order' ? 'looked-up' : 'by-person';
        const outcome = { kind: 'done', output: made.output, evidence, person } as const;
        const { input } = made;
        const { clock } = context;
        const recorded = { plan, playbook, place, known, input, outcome, now };
        await recordImport(recorded, hold, { stateDir, clock });
      } finally {
        await hold.release();
      }
      return await print({ run: plan.run, ...place, output: made.output, person }, shown, context);
    } finally {
      await session.close();
    }
  });
}

/** The current plan of the playbook, and the action in it. */
async function placed(
  job: PlanningJob & { readonly session: Work; readonly playbook: Playbook },
  address: string,
  context: Context,
): Promise<{ readonly plan: Plan; readonly place: Place }> {
  const planning = await planningOf(job, context);
  const plan = await reportingProblems(makePlan(planning), job, context);
  const place = placeAt(plan, job.playbook, address);
  await preparedFrom(plan, planning, job); // refuses accounts whose identity changed
  return { plan, place };
}

function idIn(args: Args): string {
  const id = args.text('id') ?? '';
  if (/^[\w.:#/-]{1,64}$/.test(id)) return id;
  throw new UsageError('--id is required', 'the id the exchange shows, or a clientOid');
}

/** @throws EvidenceError when the playbook asks for a clientOid that the order does not have */
function refuseRenamed({ address, input }: Place, shown: Shown): void {
  if (shown.kind !== 'order') return;
  const wanted = String(Reflect.get(Object(input), 'clientOid'));
  if (shown.order.clientOid === wanted) return;
  throw new EvidenceError(
    `order ${shown.order.orderId} is not what ${address} places: its clientOid is ${shown.order.clientOid}, not ${wanted}`,
    'remove clientOid from the playbook, or set it to that of the order',
  );
}

interface Stated {
  readonly plan: Plan;
  readonly place: Place;
  readonly id: string;
  readonly profile: Profile;
}

/**
 * The importing person; without evidence from the exchange, with a signed statement.
 * @throws EvidenceError without one
 */
async function personIn(
  { plan, place, id, profile }: Stated,
  shown: Shown,
  args: Args,
  context: Context,
): Promise<PersonsWord> {
  const comment = args.text('comment');
  const who = userName();
  const said = { who, ...(comment !== undefined && { comment: plainText(comment) }) };
  if (shown.kind === 'order') return said;
  const { address, operation, input } = place;
  const text = args.text('statement');
  if (text === undefined) {
    const hint = 'state how you know, signed with your SSH key: --statement "…" --key FILE';
    throw new EvidenceError(`${plainText(address, 120)}: ${shown.because}`, hint);
  }
  const { destination, run: runId } = plan;
  const what = { playbook: plan.playbook.name, address, operation, input, id };
  const statement = { version: 1, statement: plainText(text), ...what, destination, run: runId };
  const body = readableJson({ ...statement, at: context.clock.now() });
  const { env } = context.terminal;
  const signature = signatureIn(
    await signedBy(args.text('key'), body, context, statementNamespace),
  );
  if (signature === undefined)
    throw new EvidenceError('ssh-keygen returned no signature', 'try again');
  const { armoured, fingerprint: key } = signature;
  const signed = { ...said, statement: { body, signature: armoured, key } };
  const signers = profile.approval?.signers;
  if (signers === undefined) return signed;
  const [principal] = await principalsOf(signature, signers, env);
  if (principal !== undefined) return { ...signed, who: principal };
  throw new EvidenceError(`key ${key} is not in ${signers}`, 'sign with a key of that file');
}

async function print(
  {
    run: runId,
    address,
    operation,
    output,
    person,
  }: Place & { readonly run: string; readonly output: unknown; readonly person: PersonsWord },
  shown: Shown,
  context: Context,
): Promise<ExitCode> {
  const evidence = shown.kind === 'order' ? 'looked-up' : 'by-person';
  const result = { version: 1, run: runId, address, operation, output, evidence, person };
  const { out, err } = context.terminal;
  await writeJson(result, context);
  if (context.globals.output === 'json') out.json(result);
  else out.line(`imported ${plainText(address, 120)} in ${runId}; no run creates it again`);
  if (shown.kind !== 'order') {
    err.line(`${err.theme.paint('warn', '!')} ${shown.because}: only your statement supports this`);
  }
  return exits.done;
}
