/** The parser of Handlebars alone: the rest of the package would only be loaded. */
declare module 'handlebars/dist/cjs/handlebars/compiler/base.js' {
  import type {} from 'handlebars';
  export function parseWithoutProcessing(input: string): hbs.AST.Program;
  /** The same, without the lines that hold only the tag of a block. */
  export function parse(input: string): hbs.AST.Program;
}
