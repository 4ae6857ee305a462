/** Helpers for texts. */
import { composedText, listOf, text } from '../type.ts';
import { toJson, type Value } from '../value.ts';
import { countOf, joined, textOf, type Helper } from './define.ts';

const texts = { group: 'text', gives: composedText } as const;

export const textHelpers: Readonly<Record<string, Helper>> = {
  concat: {
    ...texts,
    usage: 'concat a b …',
    description: 'Two or more single values as one text.',
    example: ["concat '2026-11-' (pad 7 2)", '2026-11-07'],
    takes: ['scalar', 'scalar'],
    rest: 'scalar',
    evaluate: (args) => joined(args.map(textOf), ''),
  },
  lower: {
    ...texts,
    usage: 'lower text',
    description: 'The text in lower case.',
    example: ["lower 'BTC'", 'btc'],
    takes: ['scalar'],
    evaluate: ([value]) => textOf(value).toLowerCase(),
  },
  upper: {
    ...texts,
    usage: 'upper text',
    description: 'The text in upper case.',
    example: ["upper 'btc'", 'BTC'],
    takes: ['scalar'],
    evaluate: ([value]) => textOf(value).toUpperCase(),
  },
  trim: {
    ...texts,
    usage: 'trim text',
    description: 'The text without surrounding whitespace.',
    example: ["trim ' a '", 'a'],
    takes: ['scalar'],
    evaluate: ([value]) => textOf(value).trim(),
  },
  replace: {
    ...texts,
    usage: "replace text 'what' 'with'",
    description: 'The text with every occurrence of one text replaced by another.',
    example: ["replace 'BTC-USDT' '-' ''", 'BTCUSDT'],
    takes: ['scalar', 'text', 'text'],
    evaluate: ([value, what, by]) => joined(textOf(value).split(textOf(what)), textOf(by)),
  },
  split: {
    group: 'text',
    gives: listOf(composedText),
    usage: "split text ','",
    description: 'The parts of a text between a separator.',
    example: ["length (split 'a,b' ',')", '2'],
    takes: ['scalar', 'text'],
    evaluate: ([value, by]) => textOf(value).split(textOf(by)),
  },
  pad: {
    ...texts,
    usage: "pad text length with='0'",
    description: 'The text padded from the left.',
    example: ['pad 7 3', '007'],
    takes: ['scalar', 'number'],
    proofs: [undefined, lengthOf],
    named: { with: { kind: 'text' } },
    evaluate: ([value, length], named) =>
      textOf(value).padStart(
        lengthOf(length),
        named['with'] === undefined ? '0' : textOf(named['with']),
      ),
  },
  json: {
    group: 'text',
    gives: text,
    usage: 'json value',
    description: 'Any value as JSON text.',
    example: ['json (range 1 2)', '[1,2]'],
    takes: ['any'],
    evaluate: ([value]) => joined([JSON.stringify(toJson(value ?? null))], ''),
  },
};

function lengthOf(value: Value | undefined): number {
  return countOf(value, 'length', 1000);
}
