/** Values of a built-in step that are known before the run. */
import { isLoopbackName } from '../../base/host.ts';
import { listed } from '../../base/text.ts';
import { momentOf, spanOf } from '../expression/helpers/define.ts';
import { EvaluationError, isList, type Value } from '../expression/value.ts';
import { channelNamed, channelNames } from '../channels/index.ts';
import { email } from '../channels/email.ts';
import type { Step, Template } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { approvalChecks } from './approve-fields.ts';
import { constantIn } from './constant.ts';

export function checkBuiltInValues({ uses, with: fields }: Step, problems: Problems): void {
  for (const [field, template] of fields) {
    const value = constantIn(template);
    const wrong = checks[`${uses} ${field}`]?.(value, template);
    if (wrong !== undefined) problems.add('PB204', template.at, wrong);
  }
}

/** The problem of a value; undefined for one that is known only later. */
type Check = (value: Value | undefined, template: Template) => string | undefined;

const checks: Readonly<Record<string, Check>> = {
  ...Object.fromEntries(
    Object.entries(approvalChecks).map(([name, check]): [string, Check] => [
      name,
      (value) => (value === undefined ? undefined : whenKnown(value, () => check(value))),
    ]),
  ),
  'wait for': (value) =>
    whenKnown(value, () => (spanOf(value) < 0 ? 'for must not be negative' : undefined)),
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
    if (length === 0) return 'command is empty: its first word must be the program';
    return first === ''
      ? 'the first word of command must be the program, but it is empty'
      : undefined;
  },
  'notify/webhook url': (value) => {
    if (typeof value !== 'string') return undefined;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url?.protocol === 'https:') return undefined;
    if (url?.protocol === 'http:' && isLoopbackName(url.hostname)) return undefined; // only in the sandbox
    if (url && email.serves(url)) return email.addressProblem(url, true);
    return 'url must be https:// (or smtps:// or smtp:// for e-mail)';
  },
  'notify/webhook format': (value) =>
    typeof value !== 'string' || channelNamed(value)
      ? undefined
      : `format is ${listed(channelNames, 'or')}`,
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
