/** Defects that are planted one at a time: each must be found by the swarm, or by the test it names. */
import { approvalMutants } from './approval-mutants.ts';
import { edgeMutants } from './edge-mutants.ts';
import { machineMutants } from './machine-mutants.ts';
import { mutant, type Mutant } from './mutant.ts';
import { reuseMutants } from './reuse-mutants.ts';

/** Of one process: its journal, its looks and its waits. */
const coreMutants: readonly Mutant[] = [
  mutant(
    'an intent is not synced',
    'engine/journal/group-commit.ts',
    '    await this.#file.sync();\n',
    '',
  ),
  mutant(
    'every attempt has a new clientOid',
    'engine/effects/execute-write.ts',
    '  checkInput(call.operation, call.input);\n  const record = recordCall',
    `  if (call.operation === 'futures/place-order') {
    const clientOid = call.input.clientOid.slice(0, 22) + context.entries().length;
    call = { ...call, input: { ...call.input, clientOid } };
  }
  const record = recordCall`,
  ),
  mutant(
    'a write without a response is sent again without a lookup',
    'engine/effects/settle.ts',
    "  if (call.effect === 'set') return endSeen(call, context);",
    "  if (call.effect !== 'once') return undefined;",
  ),
  mutant(
    'a lookup does not wait for delayed requests',
    'engine/effects/reconcile.ts',
    'const isAbsent = isPast && began - Math.min(pastSince, others) > visibility;',
    'const isAbsent = true;',
  ),
  mutant(
    'a lookup waits five seconds for delayed requests',
    'engine/effects/reconcile.ts',
    'const isAbsent = isPast && began - Math.min(pastSince, others) > visibility;',
    'const isAbsent = looked > 5 * second;',
  ),
  mutant(
    'the machine’s clock decides when the wait is over',
    'engine/effects/reconcile.ts',
    'const isAbsent = isPast && began - Math.min(pastSince, others) > visibility;',
    'const isAbsent = context.clock.now() > fence.at;',
  ),
  mutant(
    'only open orders are searched',
    'engine/plan/found-orders.ts',
    '|| since === undefined) return;',
    '|| since !== -1) return;',
  ),
  mutant(
    'only the first page is searched',
    'exchange/api/pages.ts',
    '    mark = next;\n',
    '    mark = undefined;\n',
  ),
  mutant(
    'a 5xx response counts as a refusal',
    'exchange/client/retry-verdict.ts',
    '  if (status < 200 || status >= 500 || status === 408 || isRedirect(status)) {\n',
    `  if (status >= 500) {
    const answered = { code: '50000', message: 'error', status };
    return { kind: 'failed', error: new RefusedError(name, answered) };
  }
  if (status < 200 || status === 408 || isRedirect(status)) {\n`,
  ),
  mutant(
    'lists that never showed an order are trusted',
    'engine/effects/settle.ts',
    '(isProved && mayResend)',
    'mayResend',
  ),
  mutant(
    'a sub-account is created again after a lost response',
    'engine/effects/settle.ts',
    'return sent.isSaidAbsent ? sendAgain(sent) : unsettled(because);',
    'return sendAgain(sent);',
  ),
  mutant(
    'checksums are not verified',
    'engine/journal/record.ts',
    "  if (crc !== checksum(bytes)) throw new DamagedRecordError('wrong checksum');\n",
    '',
  ),
  mutant(
    'a torn last line is not cut off',
    'engine/journal/journal.ts',
    '    if (tornAt !== undefined) await files.truncate(path, whole);\n',
    '',
  ),
  mutant(
    'a failed sync is ignored',
    'engine/journal/group-commit.ts',
    '    await this.#file.sync();\n',
    '    await this.#file.sync().catch(() => undefined);\n',
  ),
  mutant(
    'what a file or a program shows is not on the disk',
    'engine/runtime/embedded.ts',
    '    if (effect.isSyncedLater === undefined) await this.#recorder.flush();\n',
    '',
    'engine/runtime/synced-later',
  ),
  mutant(
    'the response to a sub-account waits for a later sync',
    'engine/effects/index.ts',
    "    ...(repeat !== 'once' && { isSyncedLater: canBeFound(world) }),\n",
    '    isSyncedLater: canBeFound(world),\n',
    'engine/interpreter/syncs',
  ),
  mutant(
    'other machines are told what is not on the disk here',
    'stores/git/hold.ts',
    'if (!isLast) await flush();',
    '',
    'stores/store',
  ),
  mutant(
    'rows are appended when an export is restarted',
    'engine/export/draft.ts',
    '  if (token !== undefined) await naming(removeIfThere(disk, path));\n  const made = await naming(disk.create(path));\n  const discard',
    '  const made = await naming(disk.append(path));\n  const discard',
  ),
  mutant(
    'a result is recorded before its file exists',
    'engine/effects/write.ts',
    '    const made = await madeOf(found',
    `    const early = { kind: 'done', output: { file: source.file, rows: 0 }, evidence: 'answered' };
    await context.record({ kind: 'settled', address, outcome: early });
    const made = await madeOf(found`,
  ),
  mutant(
    'a file is written under its final name',
    'engine/export/draft.ts',
    '  const path = join(folder, `.${name}.${token ?? randomId(10)}.part`);\n',
    '  const path = join(folder, name);\n  await disk.remove(path).catch(() => undefined);\n',
  ),
  mutant(
    'the folder of a file is not synced',
    'engine/export/draft.ts',
    'errorsNaming(place.file)(disk.syncFolder(place.folder));',
    'errorsNaming(place.file)(Promise.resolve());',
  ),
  mutant(
    'requests are signed by the wall clock',
    'exchange/client/anchor.ts',
    'return Math.floor(this.#clock.monotonic() + this.#ahead);',
    'return this.#clock.now();',
  ),
  mutant(
    'requests are signed by the wall clock with an offset measured once',
    'exchange/client/anchor.ts',
    '    return Math.floor(this.#clock.monotonic() + this.#ahead);\n',
    '    this.offset ??= this.#clock.monotonic() + this.#ahead - this.#clock.now();\n    return Math.floor(this.#clock.now() + this.offset);\n',
  ),
];

export const mutants: readonly Mutant[] = [
  ...coreMutants,
  ...edgeMutants,
  ...machineMutants,
  ...reuseMutants,
  ...approvalMutants,
];
