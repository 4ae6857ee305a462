/** A person's approval before anything is sent to a live account. */
import { createInterface } from 'node:readline/promises';
import { ApprovalError } from '../../engine/approval/approval-error.ts';
import { decimal } from '../../base/decimal.ts';
import { count, listed, plainText } from '../../base/text.ts';
import type { OpenedProfile } from '../../app/config/opened-profile.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import { destinationsOf } from '../../engine/journal/account.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { unknownWords } from '../../report/unknown-orders.ts';
import { laterWords, money, outboundWords } from '../../report/words.ts';
import { notApprovedYet, type ToApprove } from '../../app/approval/consent.ts';
import { realWords } from '../../app/approval/real-words.ts';
import type { Context } from '../context.ts';
import { badge } from '../../report/terminal/badge.ts';
import type { Terminal } from '../../report/terminal/terminal.ts';

/**
 * Approval by typing LIVE.
 * @throws ApprovalError; the signal's reason
 */
export async function askToSend(
  what: ToApprove,
  { terminal }: Pick<Context, 'terminal'>,
): Promise<void> {
  if (!terminal.canAsk) throw notApprovedYet(what);
  const { kind, id, totals, signal } = what;
  const words = `${kind} ${id}, ${amountsOf(totals)},`;
  await askWord({ act: 'send', what: words, signal }, what, terminal);
}

/** Approval of a single write by `call`. @throws ApprovalError */
export async function approveCall(
  operation: OperationName,
  { destination, profile: { approval } }: OpenedProfile,
  { terminal }: Context,
): Promise<void> {
  if (operationOf(operation).effect === 'read') return;
  if (approval !== undefined) {
    throw new ApprovalError(
      `profile ${destination.profile} requires approvals, but a single call has no plan`,
      'put it into a playbook and get its plan approved',
    );
  }
  if (destination.target === 'sandbox') return;
  if (!terminal.canAsk) {
    throw new ApprovalError(
      `${operation} writes to ${realWords({ destination })}`,
      'run it in a terminal, or put it into a playbook and approve its plan',
    );
  }
  await askWord({ act: 'send', what: operation }, { destination }, terminal);
}

/**
 * A person's consent to sign: typed at a terminal, or the plan's id for a live account.
 * @throws ApprovalError
 */
export async function askPerson(
  plan: Plan,
  confirmed: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const { id, totals } = plan;
  const what = `plan ${id}, ${amountsOf(totals)},`;
  await askToSign({ id, what }, plan, confirmed, terminal);
}

/**
 * A person's consent to sign an answer: typed at a terminal, or the run's id for a live account.
 * @throws ApprovalError
 */
export async function askAnswer(
  {
    run,
    address,
    destination,
  }: {
    readonly run: string;
    readonly address: string;
    readonly destination: Destination;
  },
  confirmed: string | undefined,
  terminal: Terminal,
): Promise<void> {
  await askToSign(
    { id: run, what: `${plainText(address, 100)} of run ${run}` },
    { destination },
    confirmed,
    terminal,
  );
}

async function askToSign(
  { id, what }: { readonly id: string; readonly what: string },
  accounts: Accounts,
  confirmed: string | undefined,
  terminal: Terminal,
): Promise<void> {
  if (confirmed === id) return;
  if (confirmed !== undefined) {
    throw new ApprovalError(`--confirm names ${confirmed}, but this is ${id}`, 'review it first');
  }
  if (!terminal.canAsk) {
    if (accounts.destination.target === 'sandbox') return;
    const kind = id.startsWith('p-') ? 'plan' : 'run';
    throw new ApprovalError(
      `${kind} ${id} is for ${realWords(accounts)}`,
      `review it, then add --confirm ${id}`,
    );
  }
  await askWord({ act: 'approve', what }, accounts, terminal);
}

/** The amounts of the plan, in counts and money. */
function amountsOf(totals: Plan['totals']): string {
  const { create, set, orders, notional } = totals;
  const changes = [
    `${create} to create`,
    set > 0 ? `${set} to set` : '',
    outboundWords(totals),
    laterWords(totals),
  ];
  if (orders > 0) changes.push(`${count(orders, 'order')} worth ${money(decimal(notional))}`);
  const unknown = unknownWords(totals);
  if (unknown !== '') changes.push(`orders ${unknown}`);
  return changes.filter((words) => words !== '').join(', ');
}

/** Consent to record something. @throws ApprovalError */
export async function askYes(what: string, { input, err }: Terminal): Promise<void> {
  await typedWord(`Type yes to ${what}: `, 'yes', { input, err });
}

/** The accounts of what is approved: its own, and those that its steps name. */
type Accounts = Pick<ToApprove, 'destination' | 'accounts'>;

/** The word that a person types: `yes`, or the name of the place that real requests go to. */
type ConsentWord = 'LIVE' | 'DEMO' | 'yes';

const wordFor = { live: 'LIVE', demo: 'DEMO', sandbox: 'yes' } as const satisfies Record<
  Destination['target'],
  ConsentWord
>;

interface Question {
  readonly act: 'send' | 'approve';
  readonly what: string;
  /** The signal of an interruption; without it the process exits by itself. */
  readonly signal?: AbortSignal;
}

async function askWord(
  { act, what, signal }: Question,
  accounts: Accounts,
  { input, err }: Terminal,
): Promise<void> {
  const { host, target } = accounts.destination; // all are on one exchange
  const word = wordFor[target];
  const names = destinationsOf(accounts).map(({ profile, keyFingerprint }) => {
    const key = keyFingerprint === undefined ? '' : ` (key ${keyFingerprint})`;
    return `${plainText(profile)}${key}`;
  });
  err.line(`${badge(target, err.theme)} ${what} goes to ${listed(names)} at ${plainText(host)}`);
  await typedWord(`Type ${word} to ${act} it: `, word, { input, err }, signal);
}

/** Asks a person to type a word. @throws ApprovalError for another word; the signal's reason */
async function typedWord(
  prompt: string,
  word: ConsentWord,
  { input, err }: Pick<Terminal, 'input' | 'err'>,
  signal?: AbortSignal,
): Promise<void> {
  const lines = createInterface({ input, terminal: false, ...(signal && { signal }) });
  const endLine = (): void => err.line(); // ends the prompt's line when it is aborted
  signal?.addEventListener('abort', endLine, { once: true });
  err.write(prompt);
  try {
    for await (const line of lines) {
      if (line.trim() === word) return;
      throw notApproved(word);
    }
  } finally {
    signal?.removeEventListener('abort', endLine);
    lines.close();
  }
  signal?.throwIfAborted();
  endLine();
  throw notApproved(word);
}

function notApproved(word: ConsentWord): ApprovalError {
  const hint = word === 'yes' ? 'type yes' : `type ${word} in capitals`;
  return new ApprovalError('not approved', `run it again and ${hint}`);
}
