/** Defects between machines and between processes: in state kept in git, and in locks. */
import { mutant, type Mutant } from './mutant.ts';

const machines: readonly Mutant[] = [
  mutant(
    'a step is not pushed before its first write',
    'state-store/git/gate.ts',
    '      const { seq } = await known.opening;\n      await publishUpTo(seq, signedAt);\n',
    '      await known.opening;\n',
    'state-store/gate',
  ),
  mutant(
    'an earlier push counts for later writes',
    'state-store/git/gate.ts',
    'publisher.published() >= seq && signedAt <= publisher.until();',
    'publisher.published() >= Math.min(seq, 1) && signedAt <= publisher.until();',
    'state-store/gate',
  ),
  mutant(
    'a write is signed after the lease has ended',
    'state-store/git/gate.ts',
    'publisher.published() >= seq && signedAt <= publisher.until();',
    'publisher.published() >= seq && signedAt <= Infinity;',
    'state-store/gate',
  ),
  mutant(
    'a valid lease is ignored',
    'state-store/claims.ts',
    '  if (now > until) return;\n',
    '  if (now > until - Infinity) return;\n',
    'state-store/store',
  ),
  mutant(
    'a takeover does not list the writes that may have been sent',
    'journal/possible.ts',
    'const intents = possibleIn(entries).map(',
    'const intents = possibleIn(entries.slice(0, 1)).map(',
    'journal/possible',
  ),
  mutant(
    'a machine continues a run that was taken over',
    'state-store/git/hold.ts',
    'if (standing?.nonce === nonce) return;',
    'if (standing?.nonce !== nonce || nonce) return;',
    'state-store/takeover',
  ),
  mutant(
    'the account of a run that never reported its end is free',
    'state-store/git/claims.ts',
    '    if (!tree.files.has(journalPath(claim.run))) continue;\n',
    '    continue;\n',
    'state-store/store',
  ),
  mutant(
    'the last push wins',
    'state-store/git/ref.ts',
    "const leases = moves.map(({ ref, before = '' }) => `--force-with-lease=${ref}:${before}`);",
    "const leases = moves.map(() => '--force');",
    'state-store/store',
  ),
  mutant(
    'a plan is used once on each machine',
    'state-store/git/store.ts',
    '  if (!isResumed && there !== undefined) throw usedAlready(run, claim);\n',
    '',
    'state-store/store',
  ),
  mutant(
    'a clone is treated as the machine it was copied from',
    'state-store/git/store.ts',
    'if (isProved && isWhole && (await isOwn(stateDir, run, claim.nonce))) {',
    'if (isProved && isWhole) {',
    'state-store/store',
  ),
  mutant(
    'a state that was reset is accepted',
    'state-store/git/ref.ts',
    '      if (seen !== undefined) proveHistory(tree.links, seen);\n',
    '',
    'state-store/tamper',
  ),
  mutant(
    'a deleted state counts as a new one',
    'state-store/git/ref.ts',
    '      if (seen !== undefined) {\n        throw new TamperedError(`it is missing',
    '      if (seen === null) {\n        throw new TamperedError(`it is missing',
    'state-store/tamper',
  ),
];

const locks: readonly Mutant[] = [
  mutant(
    'a resumed run takes no lock',
    'state-store/local.ts',
    'claim: async ({ accounts, run, isShared }) => {\n      const lock = await',
    'claim: async ({ accounts, run, isShared, isResumed }) => {\n      const lock = isResumed ? { release: async () => undefined } : await',
    'state-store/local',
  ),
  mutant(
    'a run locks itself but not its account',
    'state-store/local.ts',
    '    for (const name of new Set(accounts.flatMap(accountNames))) {',
    '    for (const name of new Set(accounts.slice(accounts.length).flatMap(accountNames))) {',
    'state-store/local',
  ),
  mutant(
    'a process of another boot counts as dead',
    'lock/owner.ts',
    "  if (owner.boot !== here.boot) return 'the machine was restarted since, or it is a copy';\n",
    '',
    'lock/owner',
  ),
  mutant(
    'a process of another container counts as dead',
    'lock/owner.ts',
    "  if (owner.namespace !== here.namespace) return 'it is in another container';\n",
    '',
    'lock/owner',
  ),
  mutant(
    'a process is identified only by its id',
    'lock/owner.ts',
    "return { state: start === owner.born ? 'alive' : 'dead' };",
    "return { state: start === '' ? 'dead' : 'alive' };",
    'lock/owner',
  ),
  mutant(
    'a lock is removed without checking what was removed',
    'lock/protocol.ts',
    "if (taken.kind !== 'absent' && !isSame(taken, dead)) {",
    "if (taken.kind === 'unreadable' && !isSame(taken, dead)) {",
    'lock/by-hand',
  ),
  mutant(
    'every process takes over the lock of a dead owner',
    'lock/protocol.ts',
    '    if (yield* link(us.owner, register)) break;\n',
    '    yield* link(us.owner, register);\n    if (register) break;\n',
    'lock/protocol',
  ),
  mutant(
    'a lock in a copied folder is accepted',
    'lock/lock-file.ts',
    'if (record.inode !== inode) {',
    "if (record.inode !== inode && inode === '') {",
    'journal/lock',
  ),
];

export const machineMutants: readonly Mutant[] = [...machines, ...locks];
