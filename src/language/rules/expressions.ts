/** Rules for expressions between {{ and }}. */
import type { RuleRows } from './row.ts';

export const expressionRules = {
  PB301: [
    'template cannot be read',
    'Expressions between {{ and }} is not an expression.',
    '"{{ add 1 }"',
    '"{{ add 1 2 }}"',
  ],
  PB302: [
    'not allowed in a template',
    'Partials, decorators, {{{ }}} and ../ are not part of the language. Blocks, this and @index are available only in a text of the parts of report/page.',
    '"{{> part }}"',
    '"{{ inputs.part }}"',
  ],
  PB303: [
    'unknown helper',
    'Only the helpers that `deskhand explain` lists exist.',
    '"{{ plus 1 2 }}"',
    '"{{ add 1 2 }}"',
  ],
  PB304: [
    'unknown name',
    'The path names something that does not exist.',
    '"{{ response.subUidd }}"',
    '"{{ response.subUid }}"',
  ],
  PB305: [
    'wrong type',
    'The value has the wrong type.',
    '"{{ add inputs.name 1 }}"',
    '"{{ add inputs.count 1 }}"',
  ],
  PB306: [
    'not available here',
    'response, each, row, rows, this, failure and secrets are available only in certain places.',
    'with: { note: "{{ response.x }}" }',
    'outputs: { x: "{{ response.x }}" }',
  ],
  PB307: [
    'used before it is done',
    'The step, the input or the value of let that it depends on comes later.',
    'a step that uses steps.later',
    'move it, or add needs: [later]',
  ],
  PB308: [
    'not a condition',
    'if, until and that are a single expression with the result true or false. Other values are not converted.',
    'if: "{{ inputs.count }}"',
    'if: "{{ gt inputs.count 0 }}"',
  ],
  PB309: [
    'list inside text',
    'Only single values can be used inside a text.',
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
    'The exchange may omit this field, its step may be skipped, or items of a for-each may have failed; add a default, stop without it with required, or say on-error: partial.',
    '"{{ response.0.markPrice }}"',
    '"{{ default response.0.markPrice response.0.lastPrice }}"',
  ],
  PB313: [
    'no result with these values',
    'With these inputs the expression has no result, or one that cannot be used here.',
    'for-each: "{{ range 1 inputs.count }}", with count 0',
    '--var count=3, or minimum: 1 for the input',
  ],
  PB314: [
    'secret in the wrong place',
    'Anyone on a branch can change a playbook. It cannot use the credentials of the exchange, and an address must be completely secret or not at all, so that no other host receives the secret.',
    'url: "https://example.org/{{ secrets.API_KEY }}"',
    'url: "{{ secrets.OPS_WEBHOOK }}"',
  ],
  PB315: [
    'name of a value',
    'A name under let is letters, digits, dashes and underscores. A step cannot give a value the name of one of the playbook: the two would be confused.',
    'let: { size: "0.01" } of the playbook, and let: { size: "0.02" } in a step',
    'let: { small: "0.02" } in the step',
  ],
  PB312: [
    'condition that is always the same',
    'No input and no response changes its result: it is a leftover, or compares with a misspelled value.',
    'if: "{{ eq inputs.side \'Buy\' }}", where side is buy or sell',
    'if: "{{ eq inputs.side \'buy\' }}"',
  ],
} as const satisfies RuleRows;
