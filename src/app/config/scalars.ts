/** Single values of a configuration file: texts, words, numbers, shares and durations, and lists of texts. */
import { lengthIn, type Millis } from '../../base/clock.ts';
import { isDecimalText, shareText } from '../../base/decimal.ts';
import { listed, nearWord } from '../../base/text.ts';
import * as schema from '../../exchange/api/schema.ts';
import { wrong, type Part, type Place } from './part.ts';

type JsonSchema = schema.JsonSchema;

export function text(json: JsonSchema = {}): Part<string> {
  return {
    ...schema.text(json),
    read: (value, place) => {
      if (typeof value === 'string') return value;
      throw wrong(place, 'must be text');
    },
  };
}

/** One word of a closed set. */
export function word<const W extends readonly string[]>(
  words: W,
  json: JsonSchema = {},
): Part<W[number]> {
  return {
    ...schema.choice(words, json),
    read: (value, place) => {
      const found = words.find((each) => each === value);
      if (found !== undefined) return found;
      throw wrong(place, `must be ${listed(words, 'or')}`, nearWord(scalarText(value), words));
    },
  };
}

/** A whole number; its bounds are those of its schema. */
export function count(
  json: JsonSchema & { readonly minimum: number; readonly maximum?: number },
): Part<number> {
  const { minimum, maximum } = json;
  return {
    ...schema.integer(json),
    read: (value, place) => {
      const written = scalarText(value);
      if (!/^\d{1,9}$/.test(written)) throw wrong(place, 'must be a whole number');
      const number = Number(written);
      if (number >= minimum && number <= (maximum ?? number)) return number;
      throw wrong(
        place,
        maximum === undefined
          ? `must be ${minimum} or more`
          : `must be from ${minimum} to ${maximum}`,
      );
    },
  };
}

/** Whether something applies. */
export function flag(description: string): Part<boolean> {
  return {
    ...schema.described(description, schema.truth),
    read: (value, place) => {
      if (typeof value === 'boolean') return value;
      throw wrong(place, 'must be true or false');
    },
  };
}

/** A decimal as text; YAML may write it as a number. */
export function amount(description: string): Part<string> {
  return {
    json: { type: ['number', 'string'], description },
    read: (value, place) => {
      const written = scalarText(value);
      if (isDecimalText(written) && !written.startsWith('-')) return written;
      throw wrong(place, 'must be a decimal number such as 50000');
    },
  };
}

/** A share of a price: `5%` or `0.05`, kept as `0.05`. */
export function share(description: string): Part<string> {
  return {
    json: { type: ['number', 'string'], description },
    read: (value, place) => {
      const ratio = shareText(scalarText(value));
      if (ratio !== undefined) return ratio;
      throw wrong(place, 'must be a percentage or ratio such as 5% or 0.05');
    },
  };
}

/** A duration such as `15m`, in milliseconds. */
export function duration(description: string): Part<Millis> {
  return {
    ...schema.text({ description }),
    read: (value, place) => {
      const length = lengthIn(scalarText(value));
      if (length !== undefined && length > 0) return length;
      throw wrong(place, 'must be a duration such as 90s, 15m, 2h or 3d');
    },
  };
}

export function texts(
  json: JsonSchema = {},
  items: schema.Schema<unknown> = schema.text(),
): Part<readonly string[]> {
  return { ...schema.list(items, json), read: textsIn };
}

/** One text, or a list of them. */
export function textOrTexts(description: string): Part<string | readonly string[]> {
  return {
    ...schema.described(description, schema.either(schema.text(), schema.list(schema.text()))),
    read: (value, place) => (typeof value === 'string' ? value : textsIn(value, place)),
  };
}

export function textsIn(value: unknown, place: Place): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw wrong(place, 'must be a list of texts');
}

/** A number or text as written; anything else as text that is invalid for any part. */
function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
