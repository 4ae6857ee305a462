/** Values of a playbook as templates: literals with their source, expressions with their places. */
import { compileText } from './expression/compile.ts';
import type { Expression, Template } from './playbook.ts';
import type { Problems } from './problems.ts';
import type { ScalarNode, SourceNode } from './text/node.ts';
import type { SourceText } from './text/positions.ts';

/** Reads templates of one file. */
export class Templates {
  readonly #source: SourceText;
  readonly #problems: Problems;

  constructor(source: SourceText, problems: Problems) {
    this.#source = source;
    this.#problems = problems;
  }

  /** Any value; undefined when a template in it cannot be read, which is told. */
  read(node: SourceNode): Template | undefined {
    const at = this.#source.of(node);
    switch (node.kind) {
      case 'scalar':
        return this.#scalar(node);
      case 'list': {
        const items = node.items.map((item) => this.read(item));
        return items.includes(undefined)
          ? undefined
          : { kind: 'list', items: items.filter((item) => item !== undefined), at };
      }
      case 'map': {
        const entries = new Map<string, Template>();
        let isWhole = true;
        for (const [key, { value }] of node.entries) {
          const template = this.read(value);
          if (template === undefined) isWhole = false;
          else entries.set(key, template);
        }
        return isWhole ? { kind: 'map', entries, at } : undefined;
      }
    }
  }

  /** One whole expression, as `if`, `until` and `that` want it. */
  condition(node: SourceNode, name: string): Expression | undefined {
    const template = this.read(node);
    if (template === undefined || template.kind === 'expression') return template?.expression;
    this.#problems.add(
      'PB308',
      this.#source.of(node),
      `${name} must be one whole {{ expression }}`,
      {
        hint: `as in ${name}: "{{ gt inputs.count 0 }}"`,
      },
    );
    return undefined;
  }

  #scalar(node: ScalarNode): Template | undefined {
    const at = this.#source.of(node);
    const { value, text } = node;
    if (typeof value !== 'string' || !text.includes('{{')) {
      return { kind: 'literal', value, source: text, at };
    }
    const place = (from: number, to: number) => this.#source.within(node, from, to);
    const parts = compileText(text, place, this.#problems);
    if (parts === undefined) return undefined;
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
      return template.parts.filter((part) => typeof part !== 'string');
    case 'list':
      return template.items.flatMap(expressionsIn);
    case 'map':
      return [...template.entries.values()].flatMap(expressionsIn);
  }
}

/** Whether a template says something else for each item of a for-each. */
export function dependsOnItem(template: Template): boolean {
  return expressionsIn(template).some(({ references }) =>
    references.some(({ root }) => root === 'each'),
  );
}

/** Whether a template says the same wherever it is used in a run. */
export function isFixed(template: Template): boolean {
  return expressionsIn(template).every(({ references }) =>
    references.every(({ root }) => root === 'run'),
  );
}

/** A template as text: the same for two that always become the same. */
export function textOfTemplate(template: Template): string {
  switch (template.kind) {
    case 'literal':
      return template.source;
    case 'expression':
      return spaced(template.expression);
    case 'text':
      return template.parts
        .map((part) => (typeof part === 'string' ? part : spaced(part)))
        .join('');
    case 'list':
      return `[${template.items.map(textOfTemplate).join()}]`;
    case 'map':
      return `{${[...template.entries].map(([key, item]) => `${key}:${textOfTemplate(item)}`).join()}}`;
  }
}

function spaced({ text }: Expression): string {
  return text.replace(/\s+/g, ' ').replace(/^\{\{ ?(.*?) ?\}\}$/, '{{ $1 }}');
}
