/** Parses `{{#each}}`, `{{#if}}` and `{{#unless}}` of a page's text. */
import { nearWord } from '../../base/text.ts';
import { blockWords, type Block, type BlockBody } from '../playbook.ts';
import { didYouMean, type Problems } from '../problems.ts';
import { readText, type Placing, type Reader } from './compile.ts';
import type { Locals } from './named.ts';
import { isBlock } from './grammar.ts';

const depthMax = 8; // nesting levels; a longer chain of else is hard to read, too

/** Parses a text that may contain blocks; undefined if it has a problem, which is reported. */
export function compileProse(
  text: string,
  place: Placing,
  problems: Problems,
  locals: Locals,
): BlockBody | undefined {
  const read = readText(text, place, problems, { blocks: true, locals });
  return read && bodyOf(read.program, read.reader, 0);
}

function bodyOf(program: hbs.AST.Program, reader: Reader, depth: number): BlockBody | undefined {
  const parts = program.body.map((statement) =>
    isBlock(statement) ? blockOf(statement, reader, depth + 1) : reader.part(statement),
  );
  if (parts.includes(undefined)) return undefined;
  return parts.flatMap((part) => (part === undefined || part === '' ? [] : [part]));
}

function blockOf(
  statement: hbs.AST.BlockStatement,
  reader: Reader,
  depth: number,
): Block | undefined {
  const { path, params, hash, program, inverse } = statement;
  const name = reader.written(path);
  if (/^\{\{(?:\{\{|~?\^)/.test(reader.written(statement))) {
    return reader.report(
      'PB302',
      path,
      'this kind of block is not allowed',
      `write {{#${name} … }}`,
    );
  }
  if (depth > depthMax) {
    const hint = 'split rows in a report/table first';
    return reader.report('PB301', path, `blocks are nested deeper than ${depthMax}`, hint);
  }
  const word = blockWords.find((known) => known === name);
  if (word === undefined) {
    const hint =
      didYouMean(nearWord(name, blockWords)).hint ?? `blocks are ${blockWords.join(', ')}`;
    return reader.report('PB303', path, `unknown block ${JSON.stringify(name)}`, hint);
  }
  const [argument, ...more] = params;
  const others = more.length + (hash?.pairs.length ?? 0) + (program.blockParams?.length ?? 0);
  if (argument === undefined || others > 0) {
    const hint = word === 'each' ? 'as in {{#each steps.ID.rows}}' : `as in {{#${word} (gt a b)}}`;
    return reader.report('PB310', path, `${word} takes one value`, hint);
  }
  const over = reader.argument(argument);
  const body = bodyOf(program, reader, depth);
  // A text without else has no program for it, in spite of the grammar's types.
  const otherwise =
    Object.hasOwn(statement, 'inverse') && inverse ? bodyOf(inverse, reader, depth) : [];
  return over && body && otherwise && { block: word, over, body, otherwise };
}
