/** Defects at the edges of one process: in ledgers, limits, fences and the client. */
import { mutant, type Mutant } from './mutant.ts';

const ledger: readonly Mutant[] = [
  mutant(
    'the ledger forgets when other runs signed',
    'effects/sent.ts',
    'const signed = [...elsewhere.flatMap((intent) => intent.signed), ...before.openSince];',
    'const signed = [...before.openSince];',
    'interpreter/elsewhere',
  ),
  mutant(
    'the ledger keeps only the last signing time of another run',
    'journal/ledger.ts',
    'const signed = [...before, ...signingsOf(entry)];',
    'const signed = before.length === -1 ? before : signingsOf(entry);',
    'journal/ledger',
  ),
  mutant(
    'a write that another run has done is done again',
    'effects/elsewhere.ts',
    "if (entry?.kind === 'done') {",
    "if (entry?.kind === 'done' && entry.run === '') {",
    'interpreter/elsewhere',
  ),
  mutant(
    'a doubt of another run counts as a refusal',
    'journal/ledger.ts',
    'else if (!isUnknown(outcome)) writes',
    'else writes',
    'interpreter/elsewhere',
  ),
  mutant(
    'of two runs in doubt only the newer is known',
    'journal/ledger.ts',
    'const open = [older, newer].filter(',
    'const open = [newer].filter(',
    'journal/ledger',
  ),
  mutant(
    'the key identifies the account instead of its account-id',
    'journal/account.ts',
    '  if (accountId === undefined) return keyParts(destination);\n',
    '  if (accountId !== null) return keyParts(destination);\n',
    'journal/standing',
  ),
  mutant(
    'another key is always another account',
    'journal/standing.ts',
    "return recordedIds.some((id) => ids.includes(id)) ? 'same' : 'other';",
    "return 'other';",
  ),
  mutant(
    'a key that may belong to this account counts as another account',
    'journal/standing.ts',
    "return now.keyFingerprint === undefined || keyFingerprint === '' ? 'other' : 'unproved';",
    "return 'other';",
    'journal/standing',
  ),
  mutant(
    'content is compared as text',
    'journal/ledger.ts',
    'canonicalInput(operation, content)',
    'content',
    'journal/ledger',
  ),
  mutant(
    'another spelling of the host gives another clientOid',
    'journal/account.ts',
    "return [isLoopbackHost(host) ? 'sandbox' : target, canonicalHost(host)];",
    "return [isLoopbackHost(host) ? 'sandbox' : target, host];",
    'journal/ledger',
  ),
];

const limits: readonly Mutant[] = [
  mutant(
    'limits ignore what the run sent before a resume',
    'runtime/run.ts',
    '  for (const write of sentIn(options.earlier)) limits.count(write);\n',
    '',
    'interpreter/limits',
  ),
  mutant(
    'limits of a nested playbook ignore what it sent before',
    'plan/limit-tracker.ts',
    '      if (scopesOf(write, this.#scopes).includes(opened)) countIn(opened, write);\n',
    '',
    'interpreter/limits',
  ),
  mutant(
    'limits are not checked again before a send',
    'effects/limits.ts',
    '        check();\n        this.#tracker.count(priced);',
    '        this.#tracker.count(priced);',
    'interpreter/limits',
  ),
  mutant(
    'sent writes do not count for a limit',
    'effects/limits.ts',
    '        this.#tracker.count(priced);\n',
    '',
    'interpreter/limits',
  ),
  mutant(
    'a sell is valued at its limit price only',
    'plan/measure.ts',
    "side === 'buy' && tradeSide !== 'close'",
    "tradeSide !== 'close'",
    'plan/guards',
  ),
  mutant(
    'a mark price is read only once in a run',
    'effects/prices.ts',
    'return this.#clock.monotonic() - askedAt <= freshFor && watch.dispute() <= freshFor;',
    'return watch.dispute() - askedAt <= Infinity;',
    'interpreter/limits',
  ),
];

const fence: readonly Mutant[] = [
  mutant(
    'the history is searched from the last signing only',
    'effects/reconcile.ts',
    'return Math.min(now, ...signed.map(({ signedAt }) => signedAt)) - skew;',
    'return Math.min(now, Math.max(...signed.map(({ signedAt }) => signedAt)));',
    'interpreter/fence',
  ),
  mutant(
    'the history is searched without 60 s of clock skew',
    'effects/reconcile.ts',
    'signedAt)) - skew;',
    'signedAt)) - skew * 0;',
    'interpreter/fence',
  ),
  mutant(
    'the wait starts at the first signing',
    'effects/fence.ts',
    'return Math.max(...signed.map(({ signedAt }) => signedAt)) + wait;',
    'return Math.min(...signed.map(({ signedAt }) => signedAt)) + wait;',
    'interpreter/fence',
  ),
  mutant(
    'the last response sets the time',
    'client/anchor.ts',
    'this.#least = Math.min(this.#least, least);',
    'this.#least = least;',
    'client/anchor',
  ),
  mutant(
    'the wait does not require local time to pass',
    'effects/fence.ts',
    'return Math.max(this.at - earliest, this.leftHere(moment));',
    'return this.at - earliest;',
    'interpreter/fence',
  ),
  mutant(
    'of the searches that prove an absence only the last is past the fence',
    'effects/reconcile.ts',
    'Math.min(pastSince, began)',
    'Math.min(pastSince, fence.made)',
    'interpreter/fence',
  ),
  mutant(
    'a recorded absence is accepted before the wait is over',
    'effects/resolve-absent.ts',
    'const left = Math.max(fence.at - now, fence.left(began));',
    'const left = Math.min(-1, fence.at - now, fence.left(began));',
    'interpreter/resolve',
  ),
  mutant(
    'a write recorded as absent is sent without another lookup',
    'effects/settle.ts',
    '  const { doubt: because } = sent;\n  if (because === undefined) return undefined;\n',
    '  const { doubt: because } = sent;\n  if (because === undefined || sent.isSaidAbsent) return undefined;\n',
    'interpreter/resolve',
  ),
  mutant(
    'lists trusted for one product line are trusted for all',
    'effects/order-visibility.ts',
    "const learned = visibilitiesOf(destination, known).get(productType)?.orders ?? 'unknown';",
    "const [first] = visibilitiesOf(destination, known).values();\n        const learned = first?.orders ?? (productType ? 'unknown' : 'unlisted');",
    'interpreter/order-visibility',
  ),
  mutant(
    'a failed order is sent after its fallback was placed',
    'journal/decisions.ts',
    '      if (failures.length === 0) return undefined;\n',
    '      if (failures.length !== -1) return undefined;\n',
    'interpreter/decided',
  ),
];

const client: readonly Mutant[] = [
  mutant(
    'every HTTP 429 counts as not executed',
    'client/retry-verdict.ts',
    'if (isRead && isOverLimit(answer))',
    'if (isOverLimit(answer))',
    'client/resend-table',
  ),
  mutant(
    'under ask a rate limit counts as not executed',
    'client/retry-verdict.ts',
    "if (!resend && operationOf(name).effect !== 'set') {",
    "if (!resend && operationOf(name).effect === 'set') {",
    'client/resend-table',
  ),
  mutant(
    'a request that may have been sent counts as not sent',
    'client/retry-verdict.ts',
    "  if (error.sent === 'maybe') return unavailable(name, error.message, error);\n",
    '',
    'client/doubt',
  ),
  mutant(
    'a request with an expired signature is sent',
    'client/layers/sign.ts',
    "    if (now() - signedAt > freshFor) throw new TransportError('the machine was suspended', 'no');\n",
    '',
    'client/doubt',
  ),
  mutant(
    'a response for another order is accepted',
    'client/retry-verdict.ts',
    "if (asked === undefined || (isRecord(data) && data[key ?? ''] === asked)) {",
    'if (asked === undefined || isRecord(data)) {',
    'client/doubt',
  ),
  mutant(
    'one response from the future sets the clock',
    'client/anchor.ts',
    'other !== sample && other.most + agreement >= sample.least',
    'other.most + agreement >= sample.least',
    'client/anchor',
  ),
];

export const edgeMutants: readonly Mutant[] = [...ledger, ...limits, ...fence, ...client];
