/** Renaming in the editor: names of steps and of `let`, with all that uses them. */
import { expect, test } from 'vitest';
import { checkedText } from '../../../src/agents/lsp/checked.ts';
import { renamable, renamed } from '../../../src/agents/lsp/rename.ts';

const text = `playbook: 1
name: x
inputs: { rate: { type: decimal, default: "0.5" } }
let:
  half: "{{ inputs.rate }}"
  "whole": "{{ add let.half let.half }}"
steps:
  - id: a
    let: { top: "{{ mul let.whole 2 }}" }
    uses: market/list-tickers
    with: { category: SPOT }
    outputs: { text: "{{ let.top }} of {{ let.whole }}" }
  - id: b
    let: { top: "{{ let.half }}" }
    uses: market/list-tickers
    with: { category: SPOT }
    outputs: { text: "{{ let.top }}" }
`;

function after(mark: string, into: number, name: string): string {
  const checked = checkedText(text, 'p.yaml', {});
  const places = renamed(checked, text.indexOf(mark) + into, name, {});
  return [...places]
    .reverse()
    .reduce((changed, { start, end }) => changed.slice(0, start) + name + changed.slice(end), text);
}

test('a value of the playbook is renamed wherever it is used', () => {
  const expected = text.replace('half: "', 'part: "').replaceAll('let.half', 'let.part');
  expect(after('half:', 2, 'part')).toBe(expected);
  expect(after('add let.half', 10, 'part')).toBe(expected);
  expect(after('"whole"', 3, 'all')).toBe(
    text.replace('"whole"', '"all"').replaceAll('let.whole', 'let.all'),
  );
});

test('a value of a step is renamed in that step only', () => {
  const last = text.lastIndexOf('  - id: b');
  const expected = text.slice(0, last).replaceAll('top', 'best') + text.slice(last);
  expect(after('let: { top', 8, 'best')).toBe(expected);
});

test('a name that is taken or is no name is refused', () => {
  expect(() => after('half:', 2, 'whole')).toThrow('with the name "whole"');
  expect(() => after('let: { top', 8, 'half')).toThrow('is a value of the playbook already');
  expect(() => after('half:', 2, '1x')).toThrow('must be letters');
});

test('the place of the name under the cursor is offered', () => {
  const start = text.indexOf('let.top }} of') + 4;
  expect(renamable(checkedText(text, 'p.yaml', {}), start + 1)).toMatchObject({
    id: 'top',
    at: { start, end: start + 3 },
  });
});
