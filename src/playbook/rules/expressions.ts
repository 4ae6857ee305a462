/** Rules of what stands between {{ and }}. */
import type { RuleRows } from './row.ts';

export const expressionRules = {
  PB301: [
    'template cannot be read',
    'What stands between {{ and }} is not an expression.',
    '"{{ add 1 }"',
    '"{{ add 1 2 }}"',
  ],
  PB302: [
    'not allowed in a template',
    'Partials, decorators, {{{ }}} and ../ are not part of the language. Blocks, this and @index stand only in a text of the parts of report/page.',
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
    'response, each, row, rows, this, failure and secrets stand only where they have a meaning.',
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
    'The exchange leaves this field out under some circumstances, or the step it comes from may be skipped; say what then.',
    '"{{ response.0.markPrice }}"',
    '"{{ default response.0.markPrice response.0.lastPrice }}"',
  ],
  PB313: [
    'no result with these values',
    'What is given to the run leaves the expression without a result, or makes it one that cannot be used here.',
    'for-each: "{{ range 1 inputs.count }}", with count 0',
    '--var count=3, or minimum: 1 for the input',
  ],
  PB312: [
    'condition that is always the same',
    'Nothing that is given to the run, and no answer, changes it: it is left over, or compares with a misspelt word.',
    'if: "{{ eq inputs.side \'Buy\' }}", where side is buy or sell',
    'if: "{{ eq inputs.side \'buy\' }}"',
  ],
} as const satisfies RuleRows;
