/** The pages of `explain` as text: one topic, or the list of all. */
import { verdictOf, type ErrorRow } from '../../exchange/api/errors.ts';
import {
  companionNames,
  interfaceNames,
  operationOf,
  type OperationName,
} from '../../exchange/api/operations/index.ts';
import { helperPages, type HelperPage } from '../../language/expression/helpers/index.ts';
import { builtIns, type BuiltIn } from '../../language/playbook.ts';
import { rules, type Rule } from '../../language/rules.ts';
import { ofBuiltIns } from '../../language/schema/with.ts';
import { columns, wrapped } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';
import { errorNames } from './errors.ts';
import { operationPage } from './operation.ts';
import { subjects, type Subject, type SubjectName } from './subjects.ts';
import type { Topic } from './topics.ts';

/** The lines of a topic. */
export function pageOf(topic: Topic, theme: Theme): string[] {
  switch (topic.kind) {
    case 'operation':
      return operationPage(topic.name, theme);
    case 'built-in':
      return builtInPage(topic.name, theme);
    case 'subject':
      return subjectPage(topic.name, theme);
    case 'rule':
      return rulePage(topic.rule, theme);
    case 'helper':
      return helperPage(topic.helper, theme);
    case 'answer':
      return answerPage(topic.row, theme);
    case 'error':
      return [theme.paint('strong', topic.name), '', ...wrapped(errorNames[topic.name], theme, 0)];
  }
}

/** The list of all topics, except the codes of the exchange. */
export function overview(theme: Theme): string[] {
  const heading = (text: string): string => theme.paint('strong', text);
  return [
    heading('Operations of the interface'),
    ...operationRows(interfaceNames, theme),
    '',
    heading('Companions, which complete both account families'),
    ...operationRows(companionNames, theme),
    '',
    heading('Steps of deskhand itself'),
    ...columns(
      builtIns.map((name) => [name, ofBuiltIns[name].title]),
      theme,
      { indent: 2 },
    ),
    '',
    heading('Subjects'),
    ...columns(
      Object.entries(subjects).map(([name, { title }]) => [name, title]),
      theme,
      { indent: 2 },
    ),
    '',
    heading('Rules of validate'),
    ...columns(
      rules.map(({ code, title }) => [code, title]),
      theme,
      { indent: 2 },
    ),
    '',
    heading('Helpers of expressions'),
    ...wrapped(helperPages.map(({ name }) => name).join('  '), theme, 2),
    '',
    heading('Errors'),
    ...wrapped(Object.keys(errorNames).join('  '), theme, 2),
    '',
    'Answer codes of the exchange are explained too: deskhand explain 40762',
  ];
}

function operationRows(names: readonly OperationName[], theme: Theme): string[] {
  const rows = names.map((name) => [name, operationOf(name).effect, operationOf(name).title]);
  return columns(rows, theme, { indent: 2 });
}

function builtInPage(name: BuiltIn, theme: Theme): string[] {
  const { title, description, properties, required = [] } = ofBuiltIns[name];
  const rows = Object.entries(properties).map(([field, schema]) => [
    field,
    required.includes(field) ? 'required' : '',
    schema.description,
  ]);
  return [
    `${theme.paint('strong', name)}  ${title}`,
    'a step of deskhand itself; no operation of the exchange',
    '',
    ...wrapped(description, theme, 0),
    '',
    theme.paint('strong', 'Fields'),
    ...columns(rows, theme, { indent: 2 }),
  ];
}

function subjectPage(name: SubjectName, theme: Theme): string[] {
  const { title, description, rows }: Subject = subjects[name];
  return [
    `${theme.paint('strong', name)}  ${title}`,
    ...description.flatMap((text) => ['', ...wrapped(text, theme, 0)]),
    '',
    ...columns(rows, theme, { indent: 2 }),
  ];
}

function rulePage({ code, title, explanation, bad, good }: Rule, theme: Theme): string[] {
  const block = (text: string): string[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`);
  return [
    `${theme.paint('strong', code)}  ${title}`,
    '',
    ...wrapped(explanation, theme, 0),
    '',
    theme.paint('bad', 'Wrong'),
    ...block(bad),
    '',
    theme.paint('good', 'Right'),
    ...block(good),
  ];
}

function helperPage({ name, usage, description, example }: HelperPage, theme: Theme): string[] {
  return [
    theme.paint('strong', name),
    `{{ ${usage} }}`,
    '',
    ...wrapped(description, theme, 0),
    '',
    `${example.expression}  ${theme.glyphs.arrow}  ${example.result}`,
  ];
}

const verdictWords = {
  refused: 'The exchange refused it; nothing was executed.',
  'not-executed':
    'It states that nothing was executed: the write is sent again with on-doubt: resend, and looked up or in doubt with ask.',
  unknown: 'It may have been executed. A write is looked up before anything else is done.',
} as const;

const provenanceWords = {
  doc: 'from the exchange’s public documents',
  issue: 'from public reports of users',
  choice: 'chosen by the sandbox, because the real code is not known',
} as const;

function answerPage({ code, class: kind, meaning, provenance }: ErrorRow, theme: Theme): string[] {
  return [
    `${theme.paint('strong', code)}  ${meaning}`,
    '',
    ...columns(
      [
        ['class', kind],
        ['for a write', verdictWords[verdictOf(kind)]],
        ['known', provenanceWords[provenance]],
      ],
      theme,
      { indent: 0 },
    ),
  ];
}
