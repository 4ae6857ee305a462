/** Parses `{{ … }}`: Handlebars provides the grammar and the parser, and nothing of it is executed. */
import handlebars from 'handlebars';
import { isDecimalText } from '../../base/decimal.ts';
import type { Expression, Reference } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import type { SourceRange } from '../source-range.ts';
import type { RuleCode } from '../rules.ts';
import { effortOf } from './effort.ts';
import {
  hintsFor,
  isBoolean,
  isContent,
  isMustache,
  isPath,
  isSubExpression,
  isText,
  kindOf,
} from './grammar.ts';
import { helpers } from './helpers/index.ts';
import { evaluateNode } from './interpret.ts';
import { helperHint } from './other-helpers.ts';
import { otherSyntaxIn } from './other-syntax.ts';
import { nestingIn, unreadable } from './unreadable.ts';
import {
  pathsIn,
  type CallNode,
  type ExpressionNode,
  type LocalValue,
  type PathNode,
} from './node.ts';
import { located } from './located.ts';
import { namedNode, noLocals, type Locals } from './named.ts';
import { withDigits, withLetters } from './numerals.ts';
import { booleanType, decimalType, integerType } from './type.ts';
import { numberIn } from './value.ts';

const lengthMax = 8 * 1024;
const depthMax = 16;

/** The parts of a text with templates, in order. */
export type Parts = readonly (string | Expression)[];

/** Location of a part of the text in the file. */
export type Placing = (from: number, to: number) => SourceRange;

/** Parses a text; undefined if it has a problem, which is reported. */
export function compileText(
  text: string,
  place: Placing,
  problems: Problems,
  locals: Locals = noLocals,
): Parts | undefined {
  const read = readText(text, place, problems, { locals });
  const parts = read?.program.body.map((statement) => read.reader.part(statement));
  if (parts === undefined || parts.includes(undefined)) return undefined;
  return parts.flatMap((part) => (part === undefined || part === '' ? [] : [part]));
}

/** A parsed text, and its converter. */
interface ReadText {
  readonly program: hbs.AST.Program;
  readonly reader: Reader;
}

/**
 * The syntax tree of a text; undefined if it cannot be parsed, which is reported.
 * @param blocks whether blocks are allowed: then `this` and `@index` are, too, and a line with only
 * a block tag leaves no empty line
 */
export function readText(
  text: string,
  place: Placing,
  problems: Problems,
  { blocks = false, locals = noLocals }: { readonly blocks?: boolean; readonly locals?: Locals },
): ReadText | undefined {
  const whole = place(0, text.length);
  if (text.length > lengthMax) {
    problems.add('PB301', whole, 'the template is longer than 8 KiB');
    return undefined;
  }
  if (nestingIn(text) > depthMax) {
    problems.add('PB301', whole, `the template is nested deeper than ${depthMax}`);
    return undefined;
  }
  const program = parsed(text, blocks, place, problems);
  return program && { program, reader: new Reader(text, place, problems, { blocks, locals }) };
}

function parsed(
  text: string,
  blocks: boolean,
  place: Placing,
  problems: Problems,
): hbs.AST.Program | undefined {
  const trees = treesOf(problems);
  const name = `${blocks} ${text}`;
  try {
    const tree =
      trees.get(name) ?? handlebars[blocks ? 'parse' : 'parseWithoutProcessing'](withLetters(text));
    trees.set(name, tree);
    return tree;
  } catch (error) {
    const report = error instanceof Error ? error.message : '';
    const { from, to, message, hint } = unreadable(text, report);
    problems.add('PB301', place(from, to), message, { hint });
    return undefined;
  }
}

/** Steps repeat expressions: each text is parsed once for all playbooks with these problems. */
const allTrees = new WeakMap<Problems, Map<string, hbs.AST.Program>>();

function treesOf(problems: Problems): Map<string, hbs.AST.Program> {
  const trees = allTrees.get(problems) ?? new Map<string, hbs.AST.Program>();
  allTrees.set(problems, trees);
  return trees;
}

/** Converts the parser's tree to ours, and refuses what the language does not support. */
export class Reader {
  readonly #text: string;
  readonly #place: Placing;
  readonly #problems: Problems;
  readonly #blocks: boolean;
  readonly #locals: Locals;
  /** The values of `let` that the current expression names. */
  #named = new Set<LocalValue>();
  readonly #lines: readonly number[];

  constructor(
    text: string,
    place: Placing,
    problems: Problems,
    { blocks, locals }: { readonly blocks: boolean; readonly locals: Locals },
  ) {
    this.#text = text;
    this.#place = place;
    this.#problems = problems;
    this.#blocks = blocks;
    this.#locals = locals;
    this.#lines = text
      .split('\n')
      .reduce<number[]>((starts, line) => [...starts, (starts.at(-1) ?? 0) + line.length + 1], [0]);
  }

  part(statement: hbs.AST.Statement): string | Expression | undefined {
    const [from, to] = this.#offsets(statement.loc);
    if (isContent(statement)) return withDigits(statement.value);
    if (!isMustache(statement)) {
      const kind = kindOf(statement.type);
      return this.#refused(from, to, kind, hintsFor[kind]);
    }
    if (!statement.escaped || this.#text.startsWith('{{{', from))
      return this.#refused(from, to, '{{{ }}}');
    return this.#expression(this.#call(statement, from, to), from, to);
  }

  /** The argument of a block. */
  argument(expression: hbs.AST.Expression): Expression | undefined {
    return this.#expression(this.#value(expression), ...this.#offsets(expression.loc));
  }

  /** Reports a node that is not allowed here. */
  report(code: RuleCode, node: hbs.AST.Node, message: string, hint: string): undefined {
    this.#problems.add(code, this.#place(...this.#offsets(node.loc)), message, { hint });
    return undefined;
  }

  /** A statement as written in the file. */
  written({ loc }: hbs.AST.Node): string {
    return this.#text.slice(...this.#offsets(loc));
  }

  #expression(node: ExpressionNode | undefined, from: number, to: number): Expression | undefined {
    if (node === undefined) return undefined;
    const references = pathsIn(node).map(({ root, path, at }): Reference => ({ root, path, at }));
    const at = this.#place(from, to);
    const effort = effortOf(this.#problems);
    const locals = [...this.#named];
    this.#named = new Set();
    return {
      text: this.#text.slice(from, to),
      at,
      references,
      locals,
      node,
      effort,
      evaluate: (scope) => located(at, () => evaluateNode(node, scope, effort)),
    };
  }

  /** `{{ path }}` or `{{ helper a b=c }}`. */
  #call(
    { path, params, hash, loc }: hbs.AST.MustacheStatement | hbs.AST.SubExpression,
    from: number,
    to: number,
  ): ExpressionNode | undefined {
    const hasArguments = params.length > 0 || (hash?.pairs.length ?? 0) > 0;
    if (!hasArguments && !(isPath(path) && helpers.has(path.original))) return this.#value(path);
    if (!isPath(path)) return this.#refused(from, to, 'a literal with arguments');
    const name = path.original;
    const [nameFrom, nameTo] = this.#offsets(path.loc);
    if (!helpers.has(name)) {
      const other = otherSyntaxIn(this.#text);
      if (other !== undefined && other.from >= from && other.to <= to) {
        const { message, hint } = other;
        this.#problems.add('PB301', this.#place(other.from, other.to), message, { hint });
        return undefined;
      }
      this.#problems.add(
        'PB303',
        this.#place(nameFrom, nameTo),
        `unknown helper ${JSON.stringify(name)}`,
        helperHint(name, helpers.keys()),
      );
      return undefined;
    }
    const positional = params.map((param) => this.#value(param));
    const named = (hash?.pairs ?? []).map(({ key, value }) => [key, this.#value(value)] as const);
    if (positional.includes(undefined) || named.some(([, value]) => value === undefined))
      return undefined;
    const node: CallNode = {
      kind: 'call',
      helper: name,
      positional: positional.filter((value) => value !== undefined),
      named: new Map(named.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))),
      at: this.#place(...this.#offsets(loc)),
    };
    return node;
  }

  #value(expression: hbs.AST.Expression): ExpressionNode | undefined {
    const [from, to] = this.#offsets(expression.loc);
    const at = this.#place(from, to);
    if (isSubExpression(expression)) return this.#call(expression, from, to);
    if (isPath(expression)) return this.#path(expression, from, to);
    if (isText(expression))
      return {
        kind: 'literal',
        value: expression.value,
        type: { kind: 'text', values: [expression.value] },
        at,
      };
    if (isBoolean(expression))
      return { kind: 'literal', value: expression.value, type: booleanType, at };
    if (expression.type === 'NumberLiteral') {
      const written = this.#text.slice(from, to); // the parser's number has lost digits
      if (!isDecimalText(written)) return this.#refused(from, to, `the number ${written}`);
      const value = numberIn(written);
      const type = typeof value === 'number' ? integerType : decimalType;
      return { kind: 'literal', value, type, at };
    }
    const kind = kindOf(expression.type);
    return this.#refused(from, to, kind, hintsFor[kind]);
  }

  #path(path: hbs.AST.PathExpression, from: number, to: number): ExpressionNode | undefined {
    const words = path.parts.map(withDigits);
    const isOfBlock = this.#blocks && path.depth === 0;
    if (path.data) {
      words.unshift(`@${words.shift() ?? ''}`);
      if (!isOfBlock || !ofRound.has(words.join('.'))) {
        return this.#refused(from, to, words.join('.'));
      }
    }
    if (path.depth > 0) return this.#refused(from, to, '../');
    if (isOfBlock && /^this(?:\.|$)/.test(path.original)) words.unshift('this');
    const [root, ...rest] = words;
    if (root === undefined) return this.#refused(from, to, 'this');
    if (withDigits(path.original) !== words.join('.')) {
      return this.#refused(from, to, path.original, `write ${words.join('.')}`);
    }
    if (
      words.some((part) => part === '__proto__' || part === 'constructor' || part === 'prototype')
    ) {
      return this.#refused(from, to, path.original);
    }
    const node: PathNode = { kind: 'path', root, path: rest, at: this.#place(from, to) };
    const local = root === 'let' ? this.#locals.get(rest[0] ?? '') : undefined;
    if (local === undefined) return node;
    this.#named.add(local);
    return namedNode(node, local);
  }

  #refused(from: number, to: number, what: string, hint?: string): undefined {
    const message = `${what} is not allowed in a template`;
    this.#problems.add('PB302', this.#place(from, to), message, hint === undefined ? {} : { hint });
    return undefined;
  }

  #offsets({ start, end }: hbs.AST.SourceLocation): [number, number] {
    return [
      (this.#lines[start.line - 1] ?? 0) + start.column,
      (this.#lines[end.line - 1] ?? 0) + end.column,
    ];
  }
}

/** Variables of an iteration of `each`. */
const ofRound: ReadonlySet<string> = new Set(['@index', '@first', '@last']);
