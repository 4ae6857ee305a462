/** Rules of a playbook as a text and of its structure. */
import type { RuleRows } from './row.ts';

export const readingRules = {
  PB001: [
    'not valid YAML',
    'The file could not be read as YAML 1.2, so nothing after this place can be trusted.',
    'steps: [',
    'steps: [{ uses: market/list-discount-rates }]',
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
    'steps: market/list-discount-rates',
    'steps: [{ uses: market/list-discount-rates }]',
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
  PB106: [
    'input contradicts itself',
    'A limit says nothing about this type, no value can keep the limits, or the default does not keep them.',
    'leverage: { type: integer, maximum: 20, default: 25 }',
    'leverage: { type: integer, maximum: 20, default: 5 }',
  ],
} as const satisfies RuleRows;
