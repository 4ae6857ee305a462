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
    'the ledger keeps the last signing of another run alone',
    'journal/ledger.ts',
    'const signed = [...before, ...signingsOf(entry)];',
    'const signed = before.length === -1 ? before : signingsOf(entry);',
    'journal/ledger',
  ),
  mutant(
    'what another run has done is done again',
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
    'of two runs in doubt the newer alone is known',
    'journal/ledger.ts',
    'const open = [older, newer].filter(',
    'const open = [newer].filter(',
    'journal/ledger',
  ),
  mutant(
    'the key names the account, whatever its profile says',
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
    'what nobody can tell to be of this account is of another',
    'journal/standing.ts',
    "return now.keyFingerprint === undefined || keyFingerprint === '' ? 'other' : 'unproved';",
    "return 'other';",
    'journal/standing',
  ),
  mutant(
    'content is compared as it is written',
    'journal/ledger.ts',
    'canonicalInput(operation, content)',
    'content',
    'journal/ledger',
  ),
  mutant(
    'a name from another spelling of the host is another',
    'journal/account.ts',
    "return [isLoopbackHost(host) ? 'sandbox' : target, canonicalHost(host)];",
    "return [isLoopbackHost(host) ? 'sandbox' : target, host];",
    'journal/ledger',
  ),
];

const limits: readonly Mutant[] = [
  mutant(
    'limits forget what the run sent before it was resumed',
    'runtime/run.ts',
    '  for (const write of sentIn(options.earlier)) limits.count(write);\n',
    '',
    'interpreter/limits',
  ),
  mutant(
    'limits of a nested playbook forget what it sent before',
    'plan/limit-tracker.ts',
    '      if (scopesOf(write, this.#scopes).includes(opened)) countIn(opened, write);\n',
    '',
    'interpreter/limits',
  ),
  mutant(
    'limits are not asked again right before a send',
    'effects/limits.ts',
    '        check();\n        this.#tracker.count(priced);',
    '        this.#tracker.count(priced);',
    'interpreter/limits',
  ),
  mutant(
    'nothing that is sent counts for a limit',
    'effects/limits.ts',
    '        this.#tracker.count(priced);\n',
    '',
    'interpreter/limits',
  ),
  mutant(
    'a sell is worth its price and no more',
    'plan/measure.ts',
    "side === 'buy' && tradeSide !== 'close'",
    "tradeSide !== 'close'",
    'plan/guards',
  ),
  mutant(
    'a price that was read once counts for the whole run',
    'effects/prices.ts',
    'return this.#clock.monotonic() - askedAt <= freshFor && watch.dispute() <= freshFor;',
    'return watch.dispute() - askedAt <= Infinity;',
    'interpreter/limits',
  ),
];

const fence: readonly Mutant[] = [
  mutant(
    'the history is searched from the last signing, to the millisecond',
    'effects/reconcile.ts',
    'return Math.min(now, ...signed.map(({ signedAt }) => signedAt)) - skew;',
    'return Math.min(now, Math.max(...signed.map(({ signedAt }) => signedAt)));',
    'interpreter/fence',
  ),
  mutant(
    'the history is searched without the 60 s of skew',
    'effects/reconcile.ts',
    'signedAt)) - skew;',
    'signedAt)) - skew * 0;',
    'interpreter/fence',
  ),
  mutant(
    'the wait counts from the first signing',
    'effects/fence.ts',
    'return Math.max(...signed.map(({ signedAt }) => signedAt)) + wait;',
    'return Math.min(...signed.map(({ signedAt }) => signedAt)) + wait;',
    'interpreter/fence',
  ),
  mutant(
    'the last answer says what time it is',
    'client/anchor.ts',
    'this.#least = Math.min(this.#least, least);',
    'this.#least = least;',
    'client/anchor',
  ),
  mutant(
    'the wait needs no time to pass here',
    'effects/fence.ts',
    'return Math.max(this.at - earliest, this.leftHere(moment));',
    'return this.at - earliest;',
    'interpreter/fence',
  ),
  mutant(
    'a person who says that it is absent is believed at once',
    'effects/resolve.ts',
    'const left = Math.max(fence.at - now, fence.left(began));',
    'const left = Math.min(-1, fence.at - now, fence.left(began));',
    'interpreter/resolve',
  ),
  mutant(
    'what a person says to be absent is sent without another look',
    'effects/settle.ts',
    '  const { doubt: because } = sent;\n  if (because === undefined) return undefined;\n',
    '  const { doubt: because } = sent;\n  if (because === undefined || sent.isSaidAbsent) return undefined;\n',
    'interpreter/resolve',
  ),
  mutant(
    'lists that proved themselves for one line are believed for all',
    'effects/order-visibility.ts',
    "const learned = visibilitiesOf(destination, known).get(line)?.orders ?? 'unknown';",
    "const [first] = visibilitiesOf(destination, known).values();\n        const learned = first?.orders ?? (line ? 'unknown' : 'unlisted');",
    'interpreter/order-visibility',
  ),
  mutant(
    'what failed is sent after its fallback was placed',
    'journal/decisions.ts',
    '      if (failures.length === 0) return undefined;\n',
    '      if (failures.length !== -1) return undefined;\n',
    'interpreter/decided',
  ),
];

const client: readonly Mutant[] = [
  mutant(
    'every HTTP 429 executed nothing',
    'client/retry-verdict.ts',
    'if (isRead && isOverLimit(answer))',
    'if (isOverLimit(answer))',
    'client/resend-table',
  ),
  mutant(
    'under ask a rate limit is believed',
    'client/retry-verdict.ts',
    "if (!resend && operationOf(name).effect !== 'set') {",
    "if (!resend && operationOf(name).effect === 'set') {",
    'client/resend-table',
  ),
  mutant(
    'a request that may have left has not',
    'client/retry-verdict.ts',
    "  if (error.sent === 'maybe') return unavailable(name, error.message, error);\n",
    '',
    'client/doubt',
  ),
  mutant(
    'a signature that grew old leaves the machine',
    'client/layers/sign.ts',
    "    if (now() - signedAt > freshFor) throw new TransportError('the machine was suspended', 'no');\n",
    '',
    'client/doubt',
  ),
  mutant(
    'an answer about another order is taken',
    'client/retry-verdict.ts',
    "if (asked === undefined || (isRecord(data) && data[key ?? ''] === asked)) {",
    'if (asked === undefined || isRecord(data)) {',
    'client/doubt',
  ),
  mutant(
    'one answer from the future sets the clock',
    'client/anchor.ts',
    'other !== sample && other.most + agreement >= sample.least',
    'other.most + agreement >= sample.least',
    'client/anchor',
  ),
];

export const edgeMutants: readonly Mutant[] = [...ledger, ...limits, ...fence, ...client];
