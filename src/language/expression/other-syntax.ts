/** Expressions as other tools write them, with the place of the first difference and the form of ours. */
import { helpers } from './helpers/index.ts';
import { chosenByStep } from './grammar.ts';

/** Syntax of another language that is written differently here. */
export interface OtherSyntax {
  /** The offset in the text at which the syntax starts; it ends at `to`. */
  readonly from: number;
  readonly to: number;
  readonly message: string;
  readonly hint: string;
}

const helperOf: Readonly<Record<string, string>> = {
  '===': 'eq',
  '==': 'eq',
  '!==': 'ne',
  '!=': 'ne',
  '<>': 'ne',
  '<=': 'lte',
  '>=': 'gte',
  '<': 'lt',
  '>': 'gt',
  '&&': 'and',
  '||': 'or',
  '??': 'default',
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '=': 'eq',
  and: 'and',
  or: 'or',
  in: 'in',
  is: 'eq',
};

/**
 * The first operator, filter or other form of another language between `{{` and `}}`; a form that
 * the grammar accepts is found as well, so this explains a problem and does not decide that there is one.
 */
export function otherSyntaxIn(text: string): OtherSyntax | undefined {
  for (const { index, 0: whole } of text.matchAll(/\{\{.*?(?:\}\}|$)/gs)) {
    const found = inTemplate(whole, index);
    if (found === undefined) continue;
    return { ...found, message: `the template cannot be read: ${found.message}` };
  }
  return undefined;
}

/** Operators between the values of a text that has no template: `inputs.n > 0`. */
export function infixCondition(text: string): string | undefined {
  const found = inTemplate(`{{ ${text} }}`, 0);
  return found === undefined ? undefined : /\{\{ .+ \}\}/.exec(found.hint)?.[0];
}

function inTemplate(whole: string, offset: number): OtherSyntax | undefined {
  // Texts and the braces are blanked, so that offsets stay.
  const bare = whole
    .replaceAll(/"[^"]*"|'[^']*'/g, (quoted) => '_'.repeat(quoted.length))
    .replaceAll(/^\{\{+|\}\}+$/g, (braces) => ' '.repeat(braces.length));
  const at = (match: RegExpExecArray, word = 0): { from: number; to: number } => {
    const from = offset + match.index + match[0].indexOf(match[word] ?? '');
    return { from, to: from + (match[word] ?? '').length };
  };
  const index = /[\w\])](\[[^\]]*\]?)/.exec(bare);
  if (index !== null) {
    const key = whole.slice(...range(at(index, 1), offset)).replaceAll(/[["'\]]/g, '');
    const hint = /^\d+$/.test(key)
      ? 'write a position in a list with a dot: inputs.legs.0'
      : `write a key with a dot: inputs.legs.${/^\w+$/.test(key) ? key : 'name'}`;
    return { ...at(index, 1), message: 'a position or key in brackets is not supported', hint };
  }
  const call = /[\w.]+(?=\()/.exec(bare);
  if (call !== null) {
    const [name] = call;
    const hint = helpers.has(name)
      ? `write the values after it, without commas: {{ ${name} ${usageOf(name)} }}`
      : 'helpers are written before their values: {{ upper inputs.name }}';
    return { ...at(call), message: `${name}(…) is written without parentheses here`, hint };
  }
  const filter = /[^|](\|)(?!\|)\s*([\w.-]*)/.exec(bare);
  if (filter !== null) {
    const name = filter[2] ?? '';
    const value = whole.slice(2, filter.index + 1).trim();
    const hint =
      helpers.has(name) && isOperand(value)
        ? `write {{ ${name} ${value} }}`
        : 'a helper is written before its value: {{ upper inputs.name }}';
    return { ...at(filter, 1), message: 'filters after | are not supported', hint };
  }
  for (const { pattern, message, hint } of others) {
    const found = pattern.exec(bare);
    if (found !== null) return { ...at(found, 1), message, hint };
  }
  return infix(whole, bare, offset);
}

const others = [
  {
    pattern: /\s(\?)\s/,
    message: 'a ? b : c is not supported',
    hint: chosenByStep,
  },
  {
    pattern: /(?:^|[\s(])(!(?!=))/,
    message: 'the operator ! is not supported',
    hint: 'write {{ not inputs.flag }}',
  },
  {
    pattern: /(,)/,
    message: 'values are separated by blanks, not by commas',
    hint: 'write {{ gt inputs.size 0 }}',
  },
];

const symbols = String.raw`===|!==|==|!=|<>|<=|>=|&&|\|\||\?\?|[<>+*/]`;

function infix(whole: string, bare: string, offset: number): OtherSyntax | undefined {
  const between = /[\w)]\s+(and|or|in|is|-|=)\s+[\w([-]/;
  const found = new RegExp(`(${symbols})`).exec(bare) ?? between.exec(bare);
  const operator = found?.[1];
  if (found === null || operator === undefined) return undefined;
  const start = found.index + found[0].indexOf(operator);
  const [left, right = ''] = [whole.slice(2, start), whole.slice(start + operator.length)].map(
    (side) => side.replace(/\}\}+$/, '').trim(),
  );
  const named = helperOf[operator] ?? 'eq';
  // Other languages give the second value where the first is missing.
  const helper = named === 'or' && /^["'\d-]/.test(right) ? 'default' : named;
  const isWhole = isOperand(left) && isOperand(right);
  const form = isWhole
    ? `{{ ${helper} ${left} ${right} }}`
    : `{{ ${helper} ${exampleOf(helper)} }}`;
  const hint = `${isWhole ? 'write' : 'a helper is written before its values, as in'} ${form}`;
  return {
    from: offset + start,
    to: offset + start + operator.length,
    message: `the operator ${operator} is not supported`,
    hint: helper === 'div' ? `${hint.replace(' }}', ' scale=2 }}')}` : hint,
  };
}

function isOperand(text = ''): boolean {
  return /^(?:[\w.]+|-?\d+(?:\.\d+)?|"[^"]*"|'[^']*')$/.test(text);
}

function exampleOf(helper: string): string {
  return helper === 'and' || helper === 'or'
    ? '(gt inputs.size 0) (lt inputs.size 5)'
    : 'inputs.size 1';
}

function usageOf(name: string): string {
  return helpers.get(name)?.usage.split(' ').slice(1).join(' ') ?? '';
}

function range({ from, to }: { from: number; to: number }, offset: number): [number, number] {
  return [from - offset, to - offset];
}
