/** `explain`: what is known about an operation, a subject, a rule, a helper, an answer code or an error. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { verdictOf, type ErrorRow } from '../../contract/errors.ts';
import { operationNames, operationOf } from '../../contract/operations/index.ts';
import { helperPages, type HelperPage } from '../../playbook/expression/helpers/index.ts';
import { builtIns, type BuiltIn } from '../../playbook/playbook.ts';
import { rules, type Rule } from '../../playbook/rules.ts';
import { ofBuiltIns } from '../../playbook/schema/with.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { errorNames } from '../explain/errors.ts';
import { operationPage } from '../explain/operation.ts';
import { subjects, type Subject, type SubjectName } from '../explain/subjects.ts';
import { topicOf, type Topic } from '../explain/topics.ts';
import { columns, wrapped } from '../screens/columns.ts';
import type { Look } from '../screens/look.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { out } = context.terminal;
  const [word] = given.words;
  const format = outputOf(context, ['text', 'json']);
  const topic = word === undefined ? undefined : topicOf(word);
  if (given.isOn('schema')) out.line(schemaOf(topic));
  else if (format === 'json')
    out.line(JSON.stringify(topic === undefined ? index() : dataOf(topic)));
  else out.line((topic === undefined ? overview(out.look) : pageOf(topic, out.look)).join('\n'));
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

function pageOf(topic: Topic, look: Look): string[] {
  switch (topic.kind) {
    case 'operation':
      return operationPage(topic.name, look);
    case 'built-in':
      return builtInPage(topic.name, look);
    case 'subject':
      return subjectPage(topic.name, look);
    case 'rule':
      return rulePage(topic.rule, look);
    case 'helper':
      return helperPage(topic.helper, look);
    case 'answer':
      return answerPage(topic.row, look);
    case 'error':
      return [look.paint('strong', topic.name), '', ...wrapped(errorNames[topic.name], look, 0)];
  }
}

function dataOf(topic: Topic): unknown {
  switch (topic.kind) {
    case 'operation':
      return { ...topic, operation: operationOf(topic.name) };
    case 'built-in':
      return { ...topic, with: ofBuiltIns[topic.name] };
    case 'subject':
      return { ...topic, ...subjects[topic.name] };
    case 'error':
      return { ...topic, explanation: errorNames[topic.name] };
    case 'rule':
    case 'helper':
    case 'answer':
      return topic;
  }
}

function builtInPage(name: BuiltIn, look: Look): string[] {
  const { title, description, properties, required = [] } = ofBuiltIns[name];
  const rows = Object.entries(properties).map(([field, schema]) => [
    field,
    required.includes(field) ? 'required' : '',
    schema.description,
  ]);
  return [
    `${look.paint('strong', name)}  ${title}`,
    'a step of deskhand itself; no operation of the exchange',
    '',
    ...wrapped(description, look, 0),
    '',
    look.paint('strong', 'Fields'),
    ...columns(rows, look, { indent: 2 }),
  ];
}

function subjectPage(name: SubjectName, look: Look): string[] {
  const { title, says, rows }: Subject = subjects[name];
  return [
    `${look.paint('strong', name)}  ${title}`,
    ...says.flatMap((text) => ['', ...wrapped(text, look, 0)]),
    '',
    ...columns(rows, look, { indent: 2 }),
  ];
}

function rulePage({ code, title, explanation, bad, good }: Rule, look: Look): string[] {
  const block = (text: string): string[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`);
  return [
    `${look.paint('strong', code)}  ${title}`,
    '',
    ...wrapped(explanation, look, 0),
    '',
    look.paint('bad', 'Not so'),
    ...block(bad),
    '',
    look.paint('good', 'But so'),
    ...block(good),
  ];
}

function helperPage({ name, usage, description, example }: HelperPage, look: Look): string[] {
  return [
    look.paint('strong', name),
    `{{ ${usage} }}`,
    '',
    ...wrapped(description, look, 0),
    '',
    `${example.expression}  ${look.glyphs.arrow}  ${example.result}`,
  ];
}

const verdictWords = {
  refused: 'The exchange said no; nothing happened.',
  'not-executed': 'The request was turned away before it was executed; it is tried again.',
  unknown: 'It may have happened. A write is looked up before anything else is done.',
} as const;

const provenanceWords = {
  doc: 'from the exchange’s public documents',
  issue: 'from public reports of users',
  choice: 'chosen by the sandbox where nothing is known',
} as const;

function answerPage({ code, class: kind, meaning, provenance }: ErrorRow, look: Look): string[] {
  return [
    `${look.paint('strong', code)}  ${meaning}`,
    '',
    ...columns(
      [
        ['class', kind],
        ['for a write', verdictWords[verdictOf(kind)]],
        ['known', provenanceWords[provenance]],
      ],
      look,
      { indent: 0 },
    ),
  ];
}

function overview(look: Look): string[] {
  const heading = (text: string): string => look.paint('strong', text);
  return [
    heading('Operations'),
    ...columns(
      operationNames.map((name) => [name, operationOf(name).effect, operationOf(name).title]),
      look,
      { indent: 2 },
    ),
    '',
    heading('Steps of deskhand itself'),
    ...columns(
      builtIns.map((name) => [name, ofBuiltIns[name].title]),
      look,
      { indent: 2 },
    ),
    '',
    heading('Subjects'),
    ...columns(
      Object.entries(subjects).map(([name, { title }]) => [name, title]),
      look,
      { indent: 2 },
    ),
    '',
    heading('Rules of validate'),
    ...columns(
      rules.map(({ code, title }) => [code, title]),
      look,
      { indent: 2 },
    ),
    '',
    heading('Helpers of expressions'),
    ...wrapped(helperPages.map(({ name }) => name).join('  '), look, 2),
    '',
    heading('Errors'),
    ...wrapped(Object.keys(errorNames).join('  '), look, 2),
    '',
    'Answer codes of the exchange are explained too: deskhand explain 40762',
  ];
}

function index(): unknown {
  return {
    operations: operationNames,
    builtIns,
    subjects: Object.keys(subjects),
    rules: rules.map(({ code, title }) => ({ code, title })),
    helpers: helperPages.map(({ name, usage }) => ({ name, usage })),
    errors: Object.keys(errorNames),
  };
}
