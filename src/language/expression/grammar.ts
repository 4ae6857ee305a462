/** The node kinds of the grammar's tree. */
const kinds: Readonly<Record<string, string>> = {
  PartialStatement: 'a partial',
  PartialBlockStatement: 'a partial',
  BlockStatement: 'a block',
  Decorator: 'a decorator',
  DecoratorBlock: 'a decorator',
  CommentStatement: 'a comment',
  NullLiteral: 'null',
  UndefinedLiteral: 'undefined',
};

export function kindOf(type: string): string {
  return kinds[type] ?? type;
}

interface Nodes {
  readonly ContentStatement: hbs.AST.ContentStatement;
  readonly MustacheStatement: hbs.AST.MustacheStatement;
  readonly BlockStatement: hbs.AST.BlockStatement;
  readonly SubExpression: hbs.AST.SubExpression;
  readonly PathExpression: hbs.AST.PathExpression;
  readonly StringLiteral: hbs.AST.StringLiteral;
  readonly BooleanLiteral: hbs.AST.BooleanLiteral;
}

function is<K extends keyof Nodes>(kind: K): (node: hbs.AST.Node) => node is Nodes[K] {
  return (node): node is Nodes[K] => node.type === kind;
}

export const isContent = is('ContentStatement');
export const isMustache = is('MustacheStatement');
export const isBlock = is('BlockStatement');
export const isSubExpression = is('SubExpression');
export const isPath = is('PathExpression');
export const isText = is('StringLiteral');
export const isBoolean = is('BooleanLiteral');

/** How a field is sent for some items only. */
export const leftOutByStep =
  'no expression leaves a field out: use one step with if for the items that have it, and one for the others';

/** How one of two values is chosen. */
export const chosenByStep =
  'write two steps with opposite `if`, or a default: {{ default inputs.size 1 }}';

/** Hints for kinds of nodes that are not allowed, by `kindOf`. */
export const hintsFor: Readonly<Record<string, string>> = {
  'a block': '{{#each}} and other blocks are allowed only in the text parts of report/page',
  null: leftOutByStep,
  undefined: leftOutByStep,
  'a comment':
    'write the opposite of a condition as {{ not inputs.flag }}, and a comment after # outside of quotes',
};
