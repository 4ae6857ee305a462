/** The kinds of nodes in the tree that the grammar gives. */
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

export function isContent(node: hbs.AST.Node): node is hbs.AST.ContentStatement {
  return node.type === 'ContentStatement';
}
export function isMustache(node: hbs.AST.Node): node is hbs.AST.MustacheStatement {
  return node.type === 'MustacheStatement';
}
export function isSubExpression(node: hbs.AST.Node): node is hbs.AST.SubExpression {
  return node.type === 'SubExpression';
}
export function isPath(node: hbs.AST.Node): node is hbs.AST.PathExpression {
  return node.type === 'PathExpression';
}
export function isText(node: hbs.AST.Node): node is hbs.AST.StringLiteral {
  return node.type === 'StringLiteral';
}
export function isBoolean(node: hbs.AST.Node): node is hbs.AST.BooleanLiteral {
  return node.type === 'BooleanLiteral';
}
export function isBlock(node: hbs.AST.Node): node is hbs.AST.BlockStatement {
  return node.type === 'BlockStatement';
}
