/** Defects between machines and between processes: in state kept in git, and in locks. */
import { mutant, type Mutant } from './mutant.ts';

const machines: readonly Mutant[] = [
  mutant(
    'a step is not pushed before its first write',
    'stores/git/gate.ts',
    '      const { seq } = await known.opening;\n      await publishUpTo(seq, signedAt);\n',
    '      await known.opening;\n',
    'stores/gate',
  ),
  mutant(
    'an earlier push counts for later writes',
    'stores/git/gate.ts',
    'publisher.published() >= seq && signedAt <= publisher.until();',
    'publisher.published() >= Math.min(seq, 1) && signedAt <= publisher.until();',
    'stores/gate',
  ),
  mutant(
    'a write is signed after the lease has ended',
    'stores/git/gate.ts',
    'publisher.published() >= seq && signedAt <= publisher.until();',
    'publisher.published() >= seq && signedAt <= Infinity;',
    'stores/gate',
  ),
  mutant(
    'a valid lease is ignored',
    'stores/claims.ts',
    '  if (now > until) return;\n',
    '  if (now > until - Infinity) return;\n',
    'stores/store',
  ),
  mutant(
    'a takeover does not list the writes that may have been sent',
    'engine/journal/possible.ts',
    'const intents = possibleIn(entries).map(',
    'const intents = possibleIn(entries.slice(0, 1)).map(',
    'engine/journal/possible',
  ),
  mutant(
    'a machine continues a run that was taken over',
    'stores/git/hold.ts',
    'if (standing?.nonce === nonce) return;',
    'if (standing?.nonce !== nonce || nonce) return;',
    'stores/takeover',
  ),
  mutant(
    'the account of a run that never reported its end is free',
    'stores/git/claims.ts',
    '    if (!tree.files.has(journalPath(claim.run))) continue;\n',
    '    continue;\n',
    'stores/store',
  ),
  mutant(
    'the last push wins',
    'stores/git/ref.ts',
    "const leases = moves.map(({ ref, before = '' }) => `--force-with-lease=${ref}:${before}`);",
    "const leases = moves.map(() => '--force');",
    'stores/store',
  ),
  mutant(
    'a plan is used once on each machine',
    'stores/git/store.ts',
    '  if (!isResumed && there !== undefined) throw usedAlready(run, claim);\n',
    '',
    'stores/store',
  ),
  mutant(
    'a clone is treated as the machine it was copied from',
    'stores/git/store.ts',
    'if (isProved && isWhole && (await isOwn(stateDir, run, claim.nonce))) {',
    'if (isProved && isWhole) {',
    'stores/store',
  ),
  mutant(
    'a state that was reset is accepted',
    'stores/git/ref.ts',
    '      if (seen !== undefined) proveHistory(tree.links, seen);\n',
    '',
    'stores/tamper',
  ),
  mutant(
    'a deleted state counts as a new one',
    'stores/git/ref.ts',
    '      if (seen !== undefined) {\n        throw new TamperedError(`it is missing',
    '      if (seen === null) {\n        throw new TamperedError(`it is missing',
    'stores/tamper',
  ),
];

const locks: readonly Mutant[] = [
  mutant(
    'a resumed run takes no lock',
    'stores/local.ts',
    'claim: async ({ accounts, run, isShared }) => {\n      const lock = await',
    'claim: async ({ accounts, run, isShared, isResumed }) => {\n      const lock = isResumed ? { release: async () => undefined } : await',
    'stores/local',
  ),
  mutant(
    'a run locks itself but not its account',
    'stores/local.ts',
    '    for (const name of new Set(accounts.flatMap(accountNames))) {',
    '    for (const name of new Set(accounts.slice(accounts.length).flatMap(accountNames))) {',
    'stores/local',
  ),
  mutant(
    'a process of another boot counts as dead',
    'base/lock/owner.ts',
    "  if (owner.boot !== here.boot) return 'the machine was restarted since, or it is a copy';\n",
    '',
    'base/lock/owner',
  ),
  mutant(
    'a process of another container counts as dead',
    'base/lock/owner.ts',
    "  if (owner.namespace !== here.namespace) return 'it is in another container';\n",
    '',
    'base/lock/owner',
  ),
  mutant(
    'a process is identified only by its id',
    'base/lock/owner.ts',
    "return { state: start === owner.born ? 'alive' : 'dead' };",
    "return { state: start === '' ? 'dead' : 'alive' };",
    'base/lock/owner',
  ),
  mutant(
    'a lock is removed without checking what was removed',
    'base/lock/protocol.ts',
    "if (taken.kind !== 'absent' && !isSame(taken, dead)) {",
    "if (taken.kind === 'unreadable' && !isSame(taken, dead)) {",
    'base/lock/by-hand',
  ),
  mutant(
    'every process takes over the lock of a dead owner',
    'base/lock/protocol.ts',
    '    if (yield* link(us.owner, register)) break;\n',
    '    yield* link(us.owner, register);\n    if (register) break;\n',
    'base/lock/protocol',
  ),
  mutant(
    'a lock in a copied folder is accepted',
    'base/lock/lock-file.ts',
    'if (record.inode !== inode) {',
    "if (record.inode !== inode && inode === '') {",
    'engine/journal/lock',
  ),
];

export const machineMutants: readonly Mutant[] = [...machines, ...locks];
