/** `explain`: what is known about an operation, a subject, a rule, a helper, an answer code or an error. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { operationNames, operationOf } from '../../exchange/api/operations/index.ts';
import { helperPages } from '../../language/expression/helpers/index.ts';
import { builtIns } from '../../language/playbook.ts';
import { rules } from '../../language/rules.ts';
import { ofBuiltIns } from '../../language/schema/with.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { errorNames } from '../explain/errors.ts';
import { overview, pageOf } from '../explain/page.ts';
import { subjects } from '../explain/subjects.ts';
import { topicOf, type Topic } from '../explain/topics.ts';
import type { ExplainOutput } from '../output/exchange.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const [word] = args.positionals;
  const format = outputOf(context, ['text', 'json']);
  const topic = word === undefined ? undefined : topicOf(word);
  if (args.isOn('schema')) out.line(schemaOf(topic));
  else if (format === 'json') out.json(explained(topic));
  else out.line((topic === undefined ? overview(out.theme) : pageOf(topic, out.theme)).join('\n'));
  return exits.done;
}

/** A topic as JSON, or the list of topics. */
export function explained(topic: Topic | undefined): ExplainOutput {
  return topic === undefined ? index() : dataOf(topic);
}

function schemaOf(topic: Topic | undefined): string {
  if (topic?.kind !== 'operation') {
    throw new UsageError(
      '--schema is for an operation',
      'deskhand explain futures/place-order --schema',
    );
  }
  const { input, output } = operationOf(topic.name);
  return JSON.stringify({ input: input.json, output: output.json }, undefined, 2);
}

const version = 1; // of the JSON output

function dataOf(topic: Topic): ExplainOutput {
  switch (topic.kind) {
    case 'operation':
      return { version, ...topic, operation: operationOf(topic.name) };
    case 'built-in':
      return { version, ...topic, with: ofBuiltIns[topic.name] };
    case 'subject':
      return { version, ...topic, ...subjects[topic.name] };
    case 'error':
      return { version, ...topic, explanation: errorNames[topic.name] };
    case 'rule':
    case 'helper':
    case 'answer':
      return { version, ...topic };
  }
}

function index(): ExplainOutput {
  return {
    version,
    operations: operationNames,
    builtIns,
    subjects: Object.keys(subjects),
    rules: rules.map(({ code, title }) => ({ code, title })),
    helpers: helperPages.map(({ name, usage }) => ({ name, usage })),
    errors: Object.keys(errorNames),
  };
}
