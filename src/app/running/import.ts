/** Adds an existing order or sub-account to the ledger, as the result of a playbook's action; nothing is sent.
 */
import { UsageError } from '../../base/error.ts';
import { readableJson, type Json } from '../../base/json.ts';
import { plainText } from '../../base/text.ts';
import { keyIn } from '../../exchange/api/meant-order.ts';
import { principalsOf, statementNamespace } from '../../engine/approval/keygen.ts';
import { signatureIn } from '../../engine/approval/signature.ts';
import { adopted, shownOf, type Shown } from '../../engine/effects/adopt.ts';
import { EvidenceError } from '../../engine/effects/evidence.ts';
import type { PersonsWord } from '../../engine/journal/entry.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { makePlan } from '../../engine/plan/planner.ts';
import type { Playbook } from '../../language/playbook.ts';
import { ledgersOf } from '../accounts/identities.ts';
import { stoppableWork, type Work } from '../accounts/work.ts';
import { signedBy } from '../approval/sign.ts';
import type { Config } from '../config/load.ts';
import type { Profile } from '../config/profile.ts';
import type { AppContext } from '../app-context.ts';
import { userName } from '../machine/person.ts';
import {
  planningOf,
  preparedFrom,
  reportingProblems,
  type PlanningJob,
} from '../planning/make-plan.ts';
import { syncState } from '../store/synchronized.ts';
import { knownBy, placeAt, recordImport, refuseKnown, type AdoptedAction } from './adopting.ts';
import { destinationsOf } from '../../engine/journal/account.ts';

export interface ToImport {
  readonly playbook: Playbook;
  readonly values: ReadonlyMap<string, Json>;
  readonly profile: Profile;
  /** The address of the action in the playbook. */
  readonly address: string;
  /** The id of the object that the exchange shows, or a clientOid. */
  readonly id: string;
  readonly comment?: string | undefined;
  /** How the person knows about the object, if the exchange does not show it. */
  readonly statement?: string | undefined;
  /** The SSH key that signs the statement. Default: the key for approvals. */
  readonly key?: string | undefined;
}

export interface Imported {
  readonly run: string;
  readonly place: AdoptedAction;
  readonly output: unknown;
  readonly person: PersonsWord;
  /** The object as the exchange shows it. */
  readonly shown: Shown;
}

/** @throws EvidenceError without evidence; UsageError when the action is done already */
export async function importExisting(
  asked: ToImport,
  config: Config,
  context: AppContext,
): Promise<Imported> {
  return stoppableWork(context, config, asked.profile, { needsKey: true }, (session, { drain }) =>
    imported(asked, session, drain, context),
  );
}

async function imported(
  asked: ToImport,
  session: Work,
  signal: AbortSignal,
  context: AppContext,
): Promise<Imported> {
  const { playbook, values, profile, address, id } = asked;
  const { config } = session;
  const { stateDir } = config;
  const store = await syncState(config, context, session.destination);
  const job = { playbook, args: values, session, isOffline: false, signal };
  const { plan, place } = await placed(job, address, context);
  const account = place.account === undefined ? session : await session.open(place.account);
  const shown = await shownOf(place, id, account, signal);
  const made = adopted(place, id, shown);
  const person = await personIn({ plan, place, id, profile }, shown, asked, context);
  const known = knownBy(place, playbook, account.destination);
  if (known.imported === 'named') refuseRenamed(place, shown);
  const now = await session.exchange.serverTime(signal);
  const book = await session.book();
  const all = destinationsOf(plan);
  const hold = await store.claim({
    run: plan.run,
    playbook: playbook.name,
    isResumed: false,
    observedAt: plan.observedAt,
    accounts: [...all, ...all.flatMap((each) => book.formerOf(each))],
    now: () => session.exchange.serverTime(),
  });
  try {
    // This is checked again under the account lock: another run may have created the object since.
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
  return { run: plan.run, place, output: made.output, person, shown };
}

/** The current plan of the playbook, and the action in it. */
async function placed(
  job: PlanningJob & { readonly session: Work; readonly playbook: Playbook },
  address: string,
  context: AppContext,
): Promise<{ readonly plan: Plan; readonly place: AdoptedAction }> {
  const planning = await planningOf(job, context);
  const plan = await reportingProblems(makePlan(planning), job, context);
  const place = placeAt(plan, job.playbook, address);
  await preparedFrom(plan, planning, job); // refuses accounts whose identity changed
  return { plan, place };
}

/** @throws EvidenceError when the playbook asks for a clientOid that the order does not have */
function refuseRenamed({ address, operation, input }: AdoptedAction, shown: Shown): void {
  if (shown.kind !== 'order') return;
  const wanted = String(keyIn(operation, input));
  if (shown.order.clientOid === wanted) return;
  throw new EvidenceError(
    `order ${shown.order.orderId} is not what ${address} places: its clientOid is ${shown.order.clientOid}, not ${wanted}`,
    'remove clientOid from the playbook, or set it to that of the order',
  );
}

interface Stated {
  readonly plan: Plan;
  readonly place: AdoptedAction;
  readonly id: string;
  readonly profile: Profile;
}

/**
 * The importing person. Without evidence from the exchange, a signed statement is required.
 * @throws EvidenceError if it is missing
 */
async function personIn(
  { plan, place, id, profile }: Stated,
  shown: Shown,
  { comment, statement: text, key: named }: ToImport,
  context: AppContext,
): Promise<PersonsWord> {
  const who = userName();
  const said = { who, ...(comment !== undefined && { comment: plainText(comment) }) };
  if (shown.kind === 'order') return said;
  const { address, operation, input } = place;
  if (text === undefined) {
    const hint = 'state how you know, signed with your SSH key: --statement "…" --key FILE';
    throw new EvidenceError(`${plainText(address, 120)}: ${shown.because}`, hint);
  }
  const { destination, run: runId } = plan;
  const what = { playbook: plan.playbook.name, address, operation, input, id };
  const statement = { version: 1, statement: plainText(text), ...what, destination, run: runId };
  const body = readableJson({ ...statement, at: context.clock.now() });
  const signature = signatureIn(await signedBy(named, body, context, statementNamespace));
  if (signature === undefined)
    throw new EvidenceError('ssh-keygen returned no signature', 'try again');
  const { armoured, fingerprint: key } = signature;
  const signed = { ...said, statement: { body, signature: armoured, key } };
  const signers = profile.approvers?.signers;
  if (signers === undefined) return signed;
  const [principal] = await principalsOf(signature, signers, context.env);
  if (principal !== undefined) return { ...signed, who: principal };
  throw new EvidenceError(`key ${key} is not in ${signers}`, 'sign with a key of that file');
}
