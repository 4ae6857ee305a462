/** `explain`: documents an operation, a subject, a rule, a helper, an answer code or an error. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { overview, pageOf } from '../../app/explain/topic-page.ts';
import { explained } from '../../app/explain/explained.ts';
import { topicOf, type Topic } from '../../app/explain/topics.ts';

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
