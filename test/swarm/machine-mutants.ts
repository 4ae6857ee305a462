/** Defects between machines and between processes: in state kept in git, and in locks. */
import { mutant, type Mutant } from './mutant.ts';

const machines: readonly Mutant[] = [
  mutant(
    'a step is not told to other machines before its first write',
    'state-store/git/gate.ts',
    '      const { seq } = await known.opening;\n      await tellUpTo(seq, signedAt);\n',
    '      await known.opening;\n',
    'state-store/gate',
  ),
  mutant(
    'whatever was reported last counts as told',
    'state-store/git/gate.ts',
    'telling.told() >= seq && signedAt <= telling.until();',
    'telling.told() >= Math.min(seq, 1) && signedAt <= telling.until();',
    'state-store/gate',
  ),
  mutant(
    'a write is signed after the lease',
    'state-store/git/gate.ts',
    'telling.told() >= seq && signedAt <= telling.until();',
    'telling.told() >= seq && signedAt <= Infinity;',
    'state-store/gate',
  ),
  mutant(
    'a lease that still runs is not respected',
    'state-store/git/claims.ts',
    '  if (now > until) return;\n',
    '  if (now > until - Infinity) return;\n',
    'state-store/store',
  ),
  mutant(
    'a takeover does not list what may have been sent',
    'journal/possible.ts',
    'const intents = possibleIn(entries).map(',
    'const intents = possibleIn(entries.slice(0, 1)).map(',
    'journal/possible',
  ),
  mutant(
    'a machine that lost its run continues with it',
    'state-store/git/hold.ts',
    'if (standing?.nonce === nonce) return;',
    'if (standing?.nonce !== nonce || nonce) return;',
    'state-store/takeover',
  ),
  mutant(
    'an account of a run that never reported back is free',
    'state-store/git/claims.ts',
    '    if (!tree.files.has(journalPath(claim.run))) continue;\n',
    '    continue;\n',
    'state-store/store',
  ),
  mutant(
    'who pushes last wins',
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
    'a clone is taken for the machine it was made from',
    'state-store/git/store.ts',
    'if (isProved && isWhole && (await isOwn(stateDir, run, claim.nonce))) {',
    'if (isProved && isWhole) {',
    'state-store/store',
  ),
  mutant(
    'a state that was set back is believed',
    'state-store/git/ref.ts',
    '      if (seen !== undefined) proveHistory(tree.links, seen);\n',
    '',
    'state-store/tamper',
  ),
  mutant(
    'a state that is gone is a new one',
    'state-store/git/ref.ts',
    '      if (seen !== undefined) {\n        throw new TamperedError(`it is gone',
    '      if (seen === null) {\n        throw new TamperedError(`it is gone',
    'state-store/tamper',
  ),
];

const locks: readonly Mutant[] = [
  mutant(
    'a resumed run takes no lock',
    'state-store/local.ts',
    'claim: async ({ accounts, run }) => {\n      const lock = await',
    'claim: async ({ accounts, run, isResumed }) => {\n      const lock = isResumed ? { release: async () => undefined } : await',
    'state-store/local',
  ),
  mutant(
    'a run locks itself and no account',
    'state-store/local.ts',
    '    for (const name of new Set(accounts.flatMap(accountNames))) {',
    '    for (const name of new Set(accounts.slice(accounts.length).flatMap(accountNames))) {',
    'state-store/local',
  ),
  mutant(
    'a process of another boot is dead',
    'lock/owner.ts',
    "  if (owner.boot !== here.boot) return 'the machine was restarted since, or it is a copy';\n",
    '',
    'lock/owner',
  ),
  mutant(
    'a process of another container is dead',
    'lock/owner.ts',
    "  if (owner.namespace !== here.namespace) return 'it is in another container';\n",
    '',
    'lock/owner',
  ),
  mutant(
    'a process is known by its number alone',
    'lock/owner.ts',
    "return { state: start === owner.born ? 'alive' : 'dead' };",
    "return { state: start === '' ? 'dead' : 'alive' };",
    'lock/owner',
  ),
  mutant(
    'a lock is taken away without a look at what was taken',
    'lock/protocol.ts',
    "if (taken.kind !== 'absent' && !isSame(taken, dead)) {",
    "if (taken.kind === 'unreadable' && !isSame(taken, dead)) {",
    'lock/by-hand',
  ),
  mutant(
    'every process succeeds a dead owner',
    'lock/protocol.ts',
    '    if (yield* link(us.owner, register)) break;\n',
    '    yield* link(us.owner, register);\n    if (register) break;\n',
    'lock/protocol',
  ),
  mutant(
    'a lock in a folder that was copied is believed',
    'lock/lock-file.ts',
    'if (record.inode !== inode) {',
    "if (record.inode !== inode && inode === '') {",
    'journal/lock',
  ),
];

export const machineMutants: readonly Mutant[] = [...machines, ...locks];
