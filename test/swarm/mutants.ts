/** Defects planted in our own sources: a swarm that does not find them proves nothing. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Must stand in the file exactly once. */
  readonly from: string;
  readonly to: string;
}

const mutant = (name: string, file: string, from: string, to: string): Mutant => ({
  name,
  file: `src/${file}`,
  from,
  to,
});

export const mutants: readonly Mutant[] = [
  mutant('an intent is not synced', 'journal/journal.ts', '        await file.sync();\n', ''),
  mutant(
    'every attempt has a clientOid of its own',
    'effects/perform.ts',
    '  checkInput(call.operation, call.input);\n  const output = await',
    `  if (call.operation === 'futures/place-order') {
    const clientOid = call.input.clientOid.slice(0, 22) + bench.entries().length;
    call = { ...call, input: { ...call.input, clientOid } };
  }
  const output = await`,
  ),
  mutant(
    'a lost answer is sent again without a look',
    'effects/perform.ts',
    "  if (call.effect === 'set') return undefined;",
    "  if (call.effect !== 'once') return undefined;",
  ),
  mutant('nothing is waited for', 'effects/reconcile.ts', 'if (now > last)', 'if (now > 0)'),
  mutant(
    'five seconds are waited for',
    'effects/reconcile.ts',
    'last ??= Math.max(fenceOf(signedAt), now + visibility)',
    'last ??= now + 5 * second',
  ),
  mutant(
    'the machine’s clock says when it is over',
    'effects/reconcile.ts',
    'const now = await bench.exchange.serverTime(bench.halt);',
    'const now = bench.clock.now();',
  ),
  mutant(
    'only open orders are looked at',
    'plan/orders.ts',
    '  if (since === undefined) return;\n  // Both',
    '  if (since !== -1) return;\n  // Both',
  ),
  mutant(
    'only the first page is looked at',
    'contract/pages.ts',
    '    mark = next;\n',
    '    mark = undefined;\n',
  ),
  mutant(
    'an answer of 5xx counts as a refusal',
    'client/verdict.ts',
    '  if (status >= 500 || status === 408 || isRedirect(status)) {\n',
    `  if (status >= 500) {
    const answered = { code: '50000', message: 'error', status };
    return { kind: 'failed', error: new RefusedError(name, answered) };
  }
  if (status === 408 || isRedirect(status)) {\n`,
  ),
  mutant(
    'lists that never showed an order are believed',
    'effects/perform.ts',
    "if (orders === 'listed' && bench",
    'if (bench',
  ),
  mutant(
    'a sub-account is created again after a lost answer',
    'effects/perform.ts',
    "  if (call.operation !== 'futures/place-order') return { kind: 'doubt', because };\n",
    "  if (call.operation !== 'futures/place-order') return undefined;",
  ),
  mutant(
    'checksums are not looked at',
    'journal/record.ts',
    "  if (crc !== checksum(json)) throw new DamagedRecordError('wrong checksum');\n",
    '',
  ),
  mutant(
    'a torn tail is not cut off',
    'journal/journal.ts',
    '    if (tornAt !== undefined) await files.truncate(path, Buffer.byteLength(text.slice(0, tornAt)));\n',
    '',
  ),
  mutant(
    'a failed sync is not heard',
    'journal/journal.ts',
    '        await file.sync();\n',
    '        await file.sync().catch(() => undefined);\n',
  ),
  mutant(
    'rows are appended when an export is begun again',
    'export/draft.ts',
    '  if (token !== undefined) await told(removeIfThere(disk, path));\n  const made = await told(disk.create(path));\n  const discard',
    '  const made = await told(disk.append(path));\n  const discard',
  ),
  mutant(
    'a result is recorded before its file is there',
    'effects/write.ts',
    '    const made = await madeOf(found',
    `    const early = { kind: 'done', output: { file: source.file, rows: 0 }, evidence: 'answered' };
    await bench.record({ kind: 'settled', address, outcome: early });
    const made = await madeOf(found`,
  ),
  mutant(
    'a file is written in its place',
    'export/draft.ts',
    '  const path = join(folder, `.${name}.${token ?? randomId(10)}.part`);\n',
    '  const path = join(folder, name);\n  await disk.remove(path).catch(() => undefined);\n',
  ),
  mutant(
    'the folder of a file is not synced',
    'export/draft.ts',
    '    await tellingFor(place.file)(disk.syncFolder(place.folder));\n',
    '',
  ),
  mutant(
    'requests are signed by the wall clock',
    'client/anchor.ts',
    'return Math.floor(this.#clock.monotonic() + this.#ahead);',
    'return this.#clock.now();',
  ),
  mutant(
    'requests are signed by the wall clock and an offset learned once',
    'client/anchor.ts',
    '    return Math.floor(this.#clock.monotonic() + this.#ahead);\n',
    '    this.offset ??= this.#clock.monotonic() + this.#ahead - this.#clock.now();\n    return Math.floor(this.#clock.now() + this.offset);\n',
  ),
];
