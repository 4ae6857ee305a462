/** Runs whose foreign texts attack whoever shows them. */
import type { Entry } from '../../src/engine/journal/entry.ts';
import { orderInput, started } from './desk-setup.ts';
import { done, tape } from './tape.ts';

/** Markup, a way out of an attribute, a comment, Markdown, a mention, controls and a bidi mark. */
export const hostile =
  '</pre></script><script>alert(1)</script><img src=x onerror=alert(2)>"\'`--> ' +
  '|**b** [a](http://evil.example) @everyone #1 www.evil.example\u202e\u001b[31m\u0007\r\n\u2028# end';

/** Everything that comes from elsewhere is hostile: names, keys, answers, files, the playbook. */
export function hostileRun(): Entry[] {
  const begun = started(hostile);
  if (begun.kind !== 'started') throw new Error('a run begins with `started`');
  const address = `ladder[${hostile}]`;
  const on = tape().add({
    ...begun,
    playbook: { name: hostile, file: hostile, digest: hostile, text: `${hostile}\n`.repeat(40) },
    destination: { profile: hostile, target: 'live', host: hostile, keyFingerprint: hostile },
    plan: hostile,
    program: hostile,
    steps: begun.steps.map((step) => ({ ...step, name: hostile, uses: hostile })),
  });
  on.add({ kind: 'opened', step: 'ladder', items: ['ok', hostile] });
  on.send({
    address: 'ladder[ok]',
    operation: 'futures/place-order',
    input: { ...orderInput('1'), symbol: hostile, side: hostile, clientOid: hostile },
    outcome: done({ orderId: hostile, clientOid: hostile }),
  });
  on.add({
    kind: 'waited',
    address,
    operation: 'futures/place-order',
    why: 'retry',
    ms: 5,
    because: hostile,
  });
  on.send({
    address,
    operation: 'futures/place-order',
    input: { ...orderInput('2'), symbol: hostile, clientOid: hostile },
    outcome: { kind: 'refused', code: hostile, message: hostile, hint: hostile, exit: 1 },
    code: hostile,
  });
  on.add({ kind: 'unmet', address, level: 'warn', message: hostile, line: 2 });
  on.add({
    kind: 'wrote',
    step: hostile,
    file: hostile,
    rows: 1,
    bytes: 1,
    sha256: hostile,
    pages: 1,
  });
  on.add({ kind: 'closed', step: 'ladder', status: 'refused', because: hostile });
  on.add({ kind: 'closed', step: 'verify', status: 'skipped', because: hostile });
  return on.add({ kind: 'finished', status: 'stopped', exit: 1, outputs: hostile }).entries;
}

/** A run of very many orders, the last of them refused. */
export function longRun(orders: number): Entry[] {
  const on = tape().add(started('r-long'));
  const keys = Array.from({ length: orders }, (_, index) => String(50_000 + index));
  on.add({ kind: 'opened', step: 'ladder', items: keys });
  for (const key of keys.slice(0, -1)) {
    on.send({
      address: `ladder[${key}]`,
      operation: 'futures/place-order',
      input: orderInput(key),
      outcome: done({ orderId: key, clientOid: key }),
    });
  }
  const last = keys.at(-1) ?? '';
  on.send({
    address: `ladder[${last}]`,
    operation: 'futures/place-order',
    input: { ...orderInput(last), symbol: 'LASTUSDT' },
    outcome: { kind: 'refused', code: '40762', message: 'no', exit: 1 },
    code: '40762',
  });
  on.add({ kind: 'closed', step: 'ladder', status: 'refused', because: 'no' });
  return on.add({ kind: 'finished', status: 'stopped', exit: 1, outputs: null }).entries;
}
