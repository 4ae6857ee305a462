/** Values of a playbook as templates: literals with their source, expressions with their locations. */
import { compileProse } from './expression/blocks.ts';
import { compileText } from './expression/compile.ts';
import type { Locals } from './expression/named.ts';
import { infixCondition } from './expression/other-syntax.ts';
import type { BlockBody, Expression, Template } from './playbook.ts';
import type { Problems } from './problems.ts';
import type { ScalarNode, SourceNode } from './text/node.ts';
import type { SourceText } from './text/positions.ts';

/** Reads the templates of one file. */
export class Templates {
  readonly #source: SourceText;
  readonly #problems: Problems;
  readonly #locals: Locals;

  /** @param locals the values of `let` that the templates may name */
  constructor(source: SourceText, problems: Problems, locals: Locals = new Map()) {
    this.#source = source;
    this.#problems = problems;
    this.#locals = locals;
  }

  /** Reads the templates of a part that may name more values of `let`. */
  with(more: Locals): Templates {
    return new Templates(this.#source, this.#problems, new Map([...this.#locals, ...more]));
  }

  /** Reads any value; undefined if one of its templates cannot be parsed, which is reported. */
  read(node: SourceNode): Template | undefined {
    switch (node.kind) {
      case 'scalar':
        this.#noteDollar(node);
        return this.#scalar(node);
      case 'list':
        return this.#list(node, (item) => this.read(item));
      case 'map':
        return this.#map(node, (value) => this.read(value));
    }
  }

  /** Reads the parts of a page: their texts may contain blocks. */
  pageParts(node: SourceNode): Template | undefined {
    if (node.kind !== 'list') return this.read(node);
    return this.#list(node, (part) => {
      if (part.kind !== 'map') return this.read(part);
      return this.#map(part, (value, key) =>
        key === 'text' && value.kind === 'scalar'
          ? this.#scalar(value, { blocks: true })
          : this.read(value),
      );
    });
  }

  #list(
    node: Extract<SourceNode, { kind: 'list' }>,
    read: (item: SourceNode) => Template | undefined,
  ): Template | undefined {
    const items = node.items.map(read);
    return items.includes(undefined)
      ? undefined
      : {
          kind: 'list',
          items: items.filter((item) => item !== undefined),
          at: this.#source.of(node),
        };
  }

  #map(
    node: Extract<SourceNode, { kind: 'map' }>,
    read: (value: SourceNode, key: string) => Template | undefined,
  ): Template | undefined {
    const entries = new Map<string, Template>();
    let isWhole = true;
    for (const [key, { value }] of node.entries) {
      const template = read(value, key);
      if (template === undefined) isWhole = false;
      else entries.set(key, template);
    }
    return isWhole ? { kind: 'map', entries, at: this.#source.of(node) } : undefined;
  }

  /** Reads a single expression, as `if`, `until` and `that` require it. */
  condition(node: SourceNode, name: string): Expression | undefined {
    const template = node.kind === 'scalar' ? this.#scalar(node) : this.read(node);
    if (template === undefined || template.kind === 'expression') return template?.expression;
    const text = node.kind === 'scalar' ? node.text : '';
    const isDollar = node.kind === 'scalar' && text.startsWith('${{');
    const at = isDollar ? this.#source.within(node, 0, 1) : this.#source.of(node);
    const form = text.includes('{{') ? undefined : infixCondition(text);
    this.#problems.add('PB308', at, `${name} must be a single {{ expression }}`, {
      hint: isDollar
        ? `write ${name}: ${JSON.stringify(text.slice(1))}, without $`
        : `${form === undefined ? 'as in' : 'write'} ${name}: "${form ?? '{{ gt inputs.count 0 }}'}"`,
    });
    return undefined;
  }

  /** `${{ x }}` is the form of other tools, and a price in dollars. */
  #noteDollar(node: ScalarNode): void {
    const { text, style } = node;
    if (style === 'unquoted' || !/^\$\{\{(?:(?!\}\})[^])*\}\}$/.test(text)) return;
    const place = this.#source.within(node, 0, 1);
    this.#problems.add('PB301', place, 'the $ is a part of the text', {
      level: 'warning',
      hint: `write ${JSON.stringify(text.slice(1))} for the value alone`,
    });
  }

  /** A reference in the form of shells and of JavaScript would be sent as its letters. */
  #refuseOtherForm(node: ScalarNode): void {
    const [, reference] = otherReference.exec(node.text.trim()) ?? [];
    if (reference === undefined) return;
    this.#problems.add('PB301', this.#source.of(node), 'this is text, not a value', {
      hint: `write "{{ ${reference} }}"`,
    });
  }

  #scalar(node: ScalarNode, { blocks = false } = {}): Template | undefined {
    const at = this.#source.of(node);
    const { value, text } = node;
    if (typeof value !== 'string' || !text.includes('{{')) {
      this.#refuseOtherForm(node);
      return { kind: 'literal', value, source: text, at };
    }
    const place = (from: number, to: number) => this.#source.within(node, from, to);
    const prose = (blocks ? compileProse : compileText)(text, place, this.#problems, this.#locals);
    if (prose === undefined) return undefined;
    const parts = prose.flatMap((part) =>
      typeof part === 'string' || !('block' in part) ? [part] : [],
    );
    if (parts.length < prose.length) return { kind: 'prose', parts: prose, at };
    const [only] = parts;
    return parts.length === 1 && only !== undefined && typeof only !== 'string'
      ? { kind: 'expression', expression: only, at }
      : { kind: 'text', parts, at };
  }
}

/** Every expression in a template. */
export function expressionsIn(template: Template): readonly Expression[] {
  switch (template.kind) {
    case 'literal':
      return [];
    case 'expression':
      return [template.expression];
    case 'text':
    case 'prose':
      return expressionsWithin(template.parts);
    case 'list':
      return template.items.flatMap(expressionsIn);
    case 'map':
      return [...template.entries.values()].flatMap(expressionsIn);
  }
}

function expressionsWithin(parts: BlockBody): readonly Expression[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string') return [];
    if (!('block' in part)) return [part];
    const { over, body, otherwise } = part;
    return [over, ...expressionsWithin(body), ...expressionsWithin(otherwise)];
  });
}

/** Whether a template differs between the items of a for-each. */
export function dependsOnItem(template: Template): boolean {
  return expressionsIn(template).some(({ references }) =>
    references.some(({ root }) => root === 'each'),
  );
}

/** Whether a template has the same value everywhere in a run. */
export function isFixed(template: Template): boolean {
  return expressionsIn(template).every(({ references }) =>
    references.every(({ root }) => root === 'run'),
  );
}

/** A template as text: equal for two that always have the same value. */
export function textOfTemplate(template: Template): string {
  switch (template.kind) {
    case 'literal':
      return template.source;
    case 'expression':
      return spaced(template.expression);
    case 'text':
    case 'prose':
      return template.parts.map(textOfPart).join('');
    case 'list':
      return `[${template.items.map(textOfTemplate).join()}]`;
    case 'map':
      return `{${[...template.entries].map(([key, item]) => `${key}:${textOfTemplate(item)}`).join()}}`;
  }
}

function textOfPart(part: BlockBody[number]): string {
  if (typeof part === 'string') return part;
  if (!('block' in part)) return spaced(part);
  const { block, over, body, otherwise } = part;
  const [within, after] = [body, otherwise].map((parts) => parts.map(textOfPart).join(''));
  return `{{#${block} ${over.text}}}${within}{{else}}${after}{{/${block}}}`;
}

function spaced({ text, locals, at }: Expression): string {
  const plain = text.replace(/\s+/g, ' ').replace(/^\{\{ ?(.*?) ?\}\}$/, '{{ $1 }}');
  // Another step may have another value of this name.
  return locals.some(({ isOfStep }) => isOfStep) ? `${plain} at ${at.start.offset}` : plain;
}

/** A reference in another syntax that is the whole text: `${inputs.size}`. */
const otherReference =
  /^\$\{\s*((?:inputs|steps|each|row|response|run|secrets|failure)\.[\w.-]+)\s*\}$/;
