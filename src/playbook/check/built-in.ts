/** What the fields of a built-in step hold, where it is known before the run. */
import { momentOf, spanOf } from '../expression/helpers/define.ts';
import { EvaluationError, isList, type Value } from '../expression/value.ts';
import type { Step, Template } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { constantIn } from './constant.ts';

export function checkBuiltInValues({ uses, with: fields }: Step, problems: Problems): void {
  for (const [field, template] of fields) {
    const value = constantIn(template);
    const wrong = checks[`${uses} ${field}`]?.(value, template);
    if (wrong !== undefined) problems.add('PB204', template.at, wrong);
  }
}

/** What is wrong with a value; undefined is one that is known only later. */
type Check = (value: Value | undefined, template: Template) => string | undefined;

const checks: Readonly<Record<string, Check>> = {
  'wait for': (value) =>
    whenKnown(value, () =>
      spanOf(value) < 0 ? 'for is how long to wait: not below 0' : undefined,
    ),
  'wait until': (value) =>
    whenKnown(value, () => {
      momentOf(value);
      return undefined;
    }),
  'shell/run command': (value, template) => {
    const words = value !== undefined && isList(value) ? value : [];
    const { length, first } =
      template.kind === 'list'
        ? {
            length: template.items.length,
            first: template.items[0] && constantIn(template.items[0]),
          }
        : { length: value === undefined ? 1 : words.length, first: words[0] };
    if (length === 0) return 'command is empty: its first word is the program';
    return first === '' ? 'the first word of command is the program, and it is empty' : undefined;
  },
  'notify/webhook url': (value) => {
    if (typeof value !== 'string') return undefined;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    return url?.protocol === 'https:' ? undefined : 'url must be https://';
  },
};

function whenKnown(value: Value | undefined, read: () => string | undefined): string | undefined {
  if (value === undefined) return undefined;
  try {
    return read();
  } catch (error) {
    if (error instanceof EvaluationError) return error.message;
    throw error;
  }
}
