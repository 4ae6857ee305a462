/** Rules for the text of a playbook and its structure. */
import type { RuleRows } from './row.ts';

export const readingRules = {
  PB001: [
    'not valid YAML',
    'The file could not be read as YAML 1.2, so nothing after this location can be used.',
    'steps: [',
    'steps: [{ uses: market/list-discount-rates }]',
  ],
  PB002: [
    'too large or too deep',
    'A playbook is at most 256 KiB, 64 levels deep, 50,000 nodes and 1,000 keys in one map, with every alias written out. Split a larger one, or read rows with a step.',
    'a file of 1 MiB',
    'two playbooks, one of which uses the other: uses: ./part.yaml',
  ],
  PB003: [
    'character not allowed',
    'Control characters and direction marks make a text look different from its contents.',
    'note: "a\\u0000b"',
    'note: "a b"',
  ],
  PB004: [
    'duplicate key',
    'YAML parsers disagree on which of two equal keys is used, so neither is accepted.',
    'size: "1"\nsize: "2"',
    'size: "2"',
  ],
  PB005: [
    'YAML feature not used here',
    'Tags, directives and further documents are refused. Anchors, aliases and merge keys are for playbooks: an anchor has one definition, before its aliases, and belongs to a value. Other files, such as deskhand.yaml and tests, say everything where it applies.',
    'guards: *strict, in deskhand.yaml',
    'write the limits out',
  ],
  PB006: [
    'template without quotes',
    'YAML reads an unquoted {{ x }} as a mapping, and ends a text at the first colon or comma. Always quote a value with a template.',
    'size: {{ inputs.size }}',
    'size: "{{ inputs.size }}"',
  ],
  PB007: ['empty playbook', 'The file has no steps.', '# only a comment', 'playbook: 1'],
  PB101: [
    'unknown key',
    'A key that is not part of the language would be ignored; it is probably misspelled.',
    'retires: 3',
    'retry: { attempts: 3 }',
  ],
  PB102: [
    'key is missing',
    'The step or playbook requires this key.',
    '- id: a',
    '- id: a\n  uses: market/list-tickers',
  ],
  PB103: [
    'wrong shape',
    'The value has the wrong type: for example a text where a list is expected.',
    'steps: market/list-discount-rates',
    'steps: [{ uses: market/list-discount-rates }]',
  ],
  PB104: [
    'value not in the list',
    'Only certain values are allowed here.',
    'on-error: ignore',
    'on-error: continue',
  ],
  PB105: [
    'value not allowed',
    'The value is out of range, or written in an ambiguous way.',
    'timeout: 10',
    'timeout: 10s',
  ],
  PB106: [
    'input contradicts itself',
    'A limit does not apply to this type, no value meets the limits, or the default does not meet them.',
    'leverage: { type: integer, maximum: 20, default: 25 }',
    'leverage: { type: integer, maximum: 20, default: 5 }',
  ],
} as const satisfies RuleRows;
