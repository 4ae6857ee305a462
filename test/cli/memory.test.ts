/** Which runs limit memory: flags of the whole process do not affect other runs. */
import { expect, test } from 'vitest';
import { writesRows } from '../../src/app/machine/memory.ts';
import { loadPlaybook } from '../../src/language/load.ts';

const reads = `playbook: 1
name: reads
steps:
  - id: orders
    uses: order/list-history
`;
const writes = `${reads}    write: { file: orders.csv }\n`;
const uses = `playbook: 1
name: uses
steps:
  - id: inner
    uses: ./inner.yaml
`;
const last = `${reads}finally:
  - id: rates
    uses: market/list-discount-rates
    write: { file: rates.csv }
`;

test.each([
  { title: 'only reads', text: reads, inner: '', is: false },
  { title: 'a step writes', text: writes, inner: '', is: true },
  { title: 'a last step writes', text: last, inner: '', is: true },
  { title: 'a playbook it uses only reads', text: uses, inner: reads, is: false },
  { title: 'a playbook it uses writes', text: uses, inner: writes, is: true },
])('$title', ({ text, inner, is }) => {
  const { playbook, problems } = loadPlaybook(text, 'outer.yaml', { include: () => inner });
  expect(problems.filter(({ level }) => level === 'error')).toEqual([]);
  expect(playbook && writesRows(playbook)).toBe(is);
});
