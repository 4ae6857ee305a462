/** Every rule `validate` knows, with its reason and an example of each kind. */

export interface Rule {
  readonly code: RuleCode;
  readonly title: string;
  readonly explanation: string;
  readonly bad: string;
  readonly good: string;
}

type Row = readonly [title: string, explanation: string, bad: string, good: string];

const table = {
  PB001: [
    'not valid YAML',
    'The file could not be read as YAML 1.2, so nothing after this place can be trusted.',
    'steps: [',
    'steps: []',
  ],
  PB002: [
    'too large or too deep',
    'A playbook is at most 256 KiB, 64 levels deep, 50,000 nodes and 1,000 keys in one map. Larger data comes by --var-file.',
    'a file of 1 MiB',
    'a list input, given by --var-file',
  ],
  PB003: [
    'character not allowed',
    'Control characters and marks that turn the reading direction make a text read other than it is.',
    'note: "a\\u0000b"',
    'note: "a b"',
  ],
  PB004: [
    'key stands twice',
    'YAML readers disagree on which of two equal keys counts, so neither is taken.',
    'size: "1"\nsize: "2"',
    'size: "2"',
  ],
  PB005: [
    'YAML feature not used here',
    'Tags, anchors, aliases, merge keys, directives and further documents are refused: they hide what a reader sees.',
    '<<: *defaults',
    'write the keys out',
  ],
  PB006: [
    'template without quotes',
    'YAML reads an unquoted {{ x }} as a map, and ends a text at the first colon or comma in it. A value with a template is always quoted.',
    'size: {{ inputs.size }}',
    'size: "{{ inputs.size }}"',
  ],
  PB007: [
    'empty playbook',
    'There is nothing to do in this file.',
    '# only a comment',
    'playbook: 1',
  ],
  PB101: [
    'unknown key',
    'A key that is not part of the language would be ignored silently; it is probably misspelt.',
    'retires: 3',
    'retry: { attempts: 3 }',
  ],
  PB102: [
    'key is missing',
    'Without it the step or playbook says nothing.',
    '- id: a',
    '- id: a\n  uses: market/list-tickers',
  ],
  PB103: [
    'wrong shape',
    'A list, map, number or text stands where something else is wanted.',
    'steps: none',
    'steps: []',
  ],
  PB104: [
    'word not allowed',
    'Only some words are meant here.',
    'on-error: ignore',
    'on-error: continue',
  ],
  PB105: [
    'value not allowed',
    'The value lies outside what is allowed here, or is written in a way that could be misread.',
    'timeout: 10',
    'timeout: 10s',
  ],
  PB201: [
    'unknown operation',
    'uses names one of the 18 operations of the exchange or a built-in step.',
    'uses: futures/place-ordr',
    'uses: futures/place-order',
  ],
  PB202: [
    'unknown field',
    'The operation has no such field; the exchange would ignore it and do something else than meant.',
    'with: { simbol: BTCUSDT }',
    'with: { symbol: BTCUSDT }',
  ],
  PB203: [
    'field is missing',
    'The operation needs this field, here or under the circumstances named.',
    'orderType: limit',
    'orderType: limit\nprice: "61500.0"',
  ],
  PB204: [
    'value against the contract',
    'The exchange’s interface does not allow this value.',
    'side: Buy',
    'side: buy',
  ],
  PB301: [
    'template cannot be read',
    'What stands between {{ and }} is not an expression.',
    '"{{ add 1 }"',
    '"{{ add 1 2 }}"',
  ],
  PB302: [
    'not allowed in a template',
    'Blocks, partials, decorators, {{{ }}}, ../ and @ variables are not part of the language.',
    '"{{> part }}"',
    '"{{ inputs.part }}"',
  ],
  PB303: [
    'unknown helper',
    'Only the helpers of «deskhand explain helpers» exist.',
    '"{{ plus 1 2 }}"',
    '"{{ add 1 2 }}"',
  ],
  PB304: [
    'unknown name',
    'The path names something that does not exist, so it would end in nothing.',
    '"{{ response.subUidd }}"',
    '"{{ response.subUid }}"',
  ],
  PB305: [
    'wrong type',
    'The value has another type than the one wanted here.',
    '"{{ add inputs.name 1 }}"',
    '"{{ add inputs.count 1 }}"',
  ],
  PB306: [
    'not visible here',
    'response, each, row, rows, failure and secrets stand only where they have a meaning.',
    'with: { note: "{{ response.x }}" }',
    'outputs: { x: "{{ response.x }}" }',
  ],
  PB307: [
    'used before it is done',
    'The step it rests on comes later.',
    'a step that uses steps.later',
    'move it, or add needs: [later]',
  ],
  PB308: [
    'not a condition',
    'if, until and that are one whole expression that is true or false. Nothing is true by accident.',
    'if: "{{ inputs.count }}"',
    'if: "{{ gt inputs.count 0 }}"',
  ],
  PB309: [
    'list inside text',
    'Only single values can stand in the middle of a text.',
    'note: "uids {{ inputs.uids }}"',
    'note: "uids {{ join inputs.uids \',\' }}"',
  ],
  PB310: [
    'wrong arguments',
    'The helper takes other arguments.',
    '"{{ add 1 }}"',
    '"{{ add 1 2 }}"',
  ],
  PB311: [
    'may be missing',
    'The exchange leaves this field out under some circumstances; say what then.',
    '"{{ response.0.markPrice }}"',
    '"{{ default response.0.markPrice response.0.lastPrice }}"',
  ],
  PB401: [
    'id stands twice',
    'A step is known by its id: in steps.ID, needs and the journal.',
    'two steps with id: a',
    'ids a and b',
  ],
  PB402: [
    'needs an unknown step',
    'needs names ids of steps of the same playbook.',
    'needs: [ladr]',
    'needs: [ladder]',
  ],
  PB403: [
    'steps need each other',
    'No order of steps satisfies their needs.',
    'a needs b, b needs a',
    'drop one of the two',
  ],
  PB404: [
    'two steps write one file',
    'The second would replace what the first wrote.',
    'file: out/a.csv, twice',
    'file: out/a.csv and out/b.csv',
  ],
  PB405: [
    'one clientOid for many orders',
    'Every item would carry the same id, and the exchange would take only one.',
    'clientOid: mine, under for-each',
    'clientOid: "mine-{{ each.index }}"',
  ],
  PB406: [
    'too many items',
    'A for-each has at most 10,000 items.',
    'for-each: "{{ range 0 1000000 }}"',
    'split the playbook',
  ],
  PB407: [
    'file name not allowed',
    'Files are written under the workspace, with plain names.',
    'file: ../x.csv',
    'file: out/x.csv',
  ],
  PB410: [
    'playbooks use each other',
    'A playbook that used itself, by whatever way, would never end.',
    'uses: ./b.yaml in a.yaml, uses: ./a.yaml in b.yaml',
    'move what both need into a third',
  ],
  PB411: [
    'playbook cannot be read',
    'uses with a path names another playbook, from the file it stands in; at most eight deep, all under the folder the command runs in.',
    'uses: ./ladr.yaml',
    'uses: ./ladder.yaml',
  ],
  PB501: [
    'input is not used',
    'Nothing reads this input; it is probably a leftover or misspelt.',
    'inputs: { smybol: … }',
    'use it or remove it',
  ],
} as const satisfies Record<`PB${number}`, Row>;

export type RuleCode = keyof typeof table;

export const rules: readonly Rule[] = Object.entries(table).map(([code, row]) => {
  const [title, explanation, bad, good] = row;
  return { code: isRuleCode(code) ? code : 'PB001', title, explanation, bad, good };
});

export function ruleOf(code: string): Rule | undefined {
  return rules.find((rule) => rule.code === code);
}

function isRuleCode(code: string): code is RuleCode {
  return Object.hasOwn(table, code);
}
