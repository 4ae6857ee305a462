/** Texts whose quotes were forgotten: each reported once, in its place, with the rest of the file read. */
import { describe, expect, test } from 'vitest';
import { loadPlaybook } from '../../src/language/load.ts';
import { quoteTemplates } from '../../src/language/text/unquoted.ts';

/** A step with a notice, and behind it a misspelt operation that must be reported in any case. */
const playbookWith = (line: string): string => `playbook: 1
name: test
inputs: { n: { type: integer, default: 1 } }
steps:
  - uses: notify/webhook
    with:
      ${line}
      url: "{{ secrets.HOOK }}"
  - uses: market/list-tickets
    with: { category: SPOT }
    expect: [{ that: "{{ gt inputs.n 0 }}" }]
`;

const problemsIn = (text: string): string[] =>
  loadPlaybook(text, 'unquoted.yaml').problems.map(
    ({ code, at, hint }) => `${code}@${at.start.line}:${at.start.column} ${hint ?? ''}`,
  );

const problemsInLine = (line: string): string[] => problemsIn(playbookWith(line));
const misspelt = 'PB201@9:11 did you mean "market/list-tickers"?';

describe('a template without quotes', () => {
  test.each([
    ['alone', 'text: {{ inputs.n }}', 'PB006@7:13 write "{{ inputs.n }}"'],
    ['before text', 'text: {{ inputs.n }}-b # c', 'PB006@7:13 write "{{ inputs.n }}-b"'],
    ['after text', 'text: x-{{ inputs.n }}', 'PB006@7:13 write "x-{{ inputs.n }}"'],
    ['between texts', 'text: a {{ inputs.n }}, b', 'PB006@7:13 write "a {{ inputs.n }}, b"'],
    ['before a colon', 'text: {{ inputs.n }}: b', 'PB006@7:13 write "{{ inputs.n }}: b"'],
    [
      'with quotes inside',
      `text: {{ json "a, b" }}`,
      String.raw`PB006@7:13 write "{{ json \"a, b\" }}"`,
    ],
    [
      'over two lines',
      'text: {{ add inputs.n\n        1 }}',
      'PB006@7:13 write "{{ add inputs.n 1 }}"',
    ],
    [
      'in a later line of a text',
      'text: some\n        words {{ inputs.n }}',
      'PB006@7:13 write "some words {{ inputs.n }}"',
    ],
  ])('%s', (_name, line, problem) => {
    const [first, ...others] = problemsInLine(line);
    expect(first).toBe(problem);
    expect(others.filter((other) => !other.startsWith('PB201@'))).toEqual([]);
    expect(others).toHaveLength(1);
  });

  test('within braces ends at the closing brace', () => {
    const text = playbookWith('text: "a"').replace(
      'with: { category: SPOT }',
      'with: { category: {{ inputs.n }}-x, symbol: S-{{ inputs.n }} }',
    );
    expect(problemsIn(text)).toEqual([
      misspelt,
      'PB006@10:23 write "{{ inputs.n }}-x"',
      'PB006@10:49 write "S-{{ inputs.n }}"',
    ]);
  });

  test('is reported next to a block of text in the same step', () => {
    expect(problemsInLine('text: |\n        {{ inputs.n }}\n      more: {{ inputs.n }}')).toEqual([
      'PB202@9:7 it has url, text, subject, table, rows, page, attach, link, format and sign-with',
      'PB006@9:13 write "{{ inputs.n }}"',
      misspelt.replace('@9', '@11'),
    ]);
  });
});

describe('a template with quotes', () => {
  test.each([
    ['double ones', 'text: "a\n        {{ inputs.n }} b"'],
    ['single ones', "text: 'it''s\n        {{ inputs.n }} b'"],
    ['those of a block', 'text: |\n        {{ inputs.n }}: b'],
    ['those of a folded block', 'text: >-\n        {{ inputs.n }}\n\n        "b'],
  ])('is at the start of a line, in %s', (_name, line) => {
    expect(problemsInLine(line).map((problem) => problem.slice(0, 5))).toEqual(['PB201']);
  });
});

describe('a text with a colon and a space', () => {
  test('does not hide later problems', () => {
    const text = playbookWith('text: a').replace(
      'name: test',
      'name: test\ndescription: first: second # third',
    );
    expect(problemsIn(text)).toEqual([
      'PB001@3:14 write "first: second"',
      misspelt.replace('@9', '@10'),
    ]);
  });

  test('is valid when the colon is part of a word', () => {
    expect(problemsInLine('text: at 12:30 http://x')).toEqual([misspelt]);
  });
});

test('every text of 256 KiB is scanned in linear time', () => {
  const hostile = ['{{ ', '{', '{{x}}', '"', '\n', '- a: |\n', 'a: b: ', "'\n", '- ', '{{ x }}, '];
  hostile.push('"a", ', '"{{ a", ', '"{{ a }}", ', '"x" ', '{{ "x" ', '"{{ "x" }}" ', '"a": "b"\n');
  for (const piece of hostile) {
    const text = piece.repeat((256 * 1024) / piece.length);
    expect(quoteTemplates(text).masked).toHaveLength(text.length);
    expect(quoteTemplates(`a: [${text}`).masked).toHaveLength(text.length + 4);
    expect(quoteTemplates(`a: {{ ${text} }}`).masked).toHaveLength(text.length + 9);
    expect(quoteTemplates(`a: "{{ ${text} }}"`).masked).toHaveLength(text.length + 11);
  }
});

describe('a text in the quotes of the value around its template', () => {
  test.each([
    ['double', 'text: "{{ default inputs.s "none" }}"', `PB001@7:34 write 'none'`],
    ['single', "text: '{{ default inputs.s 'none' }}'", 'PB001@7:34 write "none"'],
    [
      'two',
      `text: "{{ join (split "a,b" ",") }}"`,
      `PB001@7:29 write 'a,b'`,
      `PB001@7:35 write ','`,
    ],
    [
      'in braces',
      `more: { a: "{{ eq inputs.n "1" }}", b: "{{ inputs.n }}" }`,
      `PB001@7:34 write '1'`,
    ],
  ])('%s', (_, line, ...expected) => {
    const found = problemsInLine(line);
    expect(found.filter((problem) => /^PB(?:001|301)/.test(problem))).toEqual(expected);
    expect(found).toContain(misspelt);
  });

  test.each([
    'text: "{{ default inputs.n \\"none\\" }}"',
    "text: '{{ default inputs.n ''none'' }}'",
    'text: "{{ inputs.n }} and {{ inputs.n }}"',
    `text: 'say "{{ inputs.n }}"'`,
  ])('is not reported in %s', (line) => {
    expect(problemsInLine(line).filter((problem) => problem.startsWith('PB0'))).toEqual([]);
  });
});
