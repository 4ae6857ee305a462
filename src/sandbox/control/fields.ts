/** Reads the body of a control request field by field, and says what is wrong with it. */
import { isDecimalText } from '../../base/decimal.ts';
import { isRecord } from '../../base/json.ts';
import { Refusal } from '../refusal.ts';

export class Fields {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #where: string;

  /** @throws Refusal when the value is no object */
  constructor(value: unknown, where = 'the body') {
    if (!isRecord(value)) throw new Refusal('40017', `${where} must be an object`);
    this.#values = value;
    this.#where = where;
  }

  /** All of it, as it was given. */
  whole(): unknown {
    return this.#values;
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  value(name: string): unknown {
    return this.#values[name];
  }

  text(name: string): string {
    const value = this.#values[name];
    if (typeof value === 'string' && value !== '') return value;
    throw this.#wrong(name, 'a text');
  }

  optionalText(name: string): string | undefined {
    return this.has(name) ? this.text(name) : undefined;
  }

  /** A decimal as text. */
  decimal(name: string): string {
    const value = this.text(name);
    if (isDecimalText(value)) return value;
    throw this.#wrong(name, 'a decimal number as text');
  }

  /** A number, not below zero. */
  number(name: string): number {
    const value = this.#values[name];
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
    throw this.#wrong(name, 'a number from 0');
  }

  optionalNumber(name: string): number | undefined {
    return this.has(name) ? this.number(name) : undefined;
  }

  flag(name: string, initial: boolean): boolean {
    const value = this.#values[name] ?? initial;
    if (typeof value === 'boolean') return value;
    throw this.#wrong(name, 'true or false');
  }

  choice<const W extends string>(name: string, words: readonly W[]): W {
    const word = words.find((candidate) => candidate === this.#values[name]);
    if (word !== undefined) return word;
    throw this.#wrong(name, words.join(' or '));
  }

  optionalChoice<const W extends string>(name: string, words: readonly W[]): W | undefined {
    return this.has(name) ? this.choice(name, words) : undefined;
  }

  /** Words of a closed set, as a list; none when absent. */
  choices<const W extends string>(name: string, words: readonly W[]): readonly W[] {
    return this.list(name).map((value) => new Fields({ [name]: value }, name).choice(name, words));
  }

  texts(name: string): readonly string[] {
    return this.list(name).map((value) => new Fields({ [name]: value }, name).text(name));
  }

  list(name: string): readonly unknown[] {
    const value = this.#values[name] ?? [];
    if (Array.isArray(value)) return value;
    throw this.#wrong(name, 'a list');
  }

  /** An object within. */
  within(name: string): Fields {
    return new Fields(this.#values[name], name);
  }

  /** The objects of a list, each with its place in it. */
  each(name: string): readonly Fields[] {
    return this.list(name).map((value, place) => new Fields(value, `${name}[${place}]`));
  }

  #wrong(name: string, wanted: string): Refusal {
    return new Refusal('40017', `${name} of ${this.#where} must be ${wanted}`);
  }
}
