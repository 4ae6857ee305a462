/** Tools that answer from the program itself: operations, and topics of `explain`. */
import {
  integer,
  list,
  named,
  oneOf,
  optional,
  record,
  text,
  truth,
  anything,
  choice,
} from '../../../exchange/api/schema.ts';
import {
  isOperation,
  operationNames,
  operationOf,
} from '../../../exchange/api/operations/index.ts';
import {
  propertiesOf,
  propertyOf,
  isSchema,
  type JsonSchema,
} from '../../../exchange/api/schema.ts';
import { familyOf } from '../../../exchange/api/family.ts';
import { UsageError } from '../../../base/error.ts';
import { nearWord } from '../../../base/text.ts';
import { explained } from '../../../app/explain/explained.ts';
import { explainOutput } from '../../../app/documents/exchange.ts';
import { one } from '../../../app/documents/common.ts';
import { argumentsOf, tool } from '../tool.ts';
import { plainTheme } from '../plain-theme.ts';
import { overview, pageOf } from '../../../app/explain/topic-page.ts';
import { topicOf } from '../../../app/explain/topics.ts';

const name = optional(
  text({ minLength: 1, maxLength: 100, description: 'Only this operation: futures/place-order' }),
);

export const listOperations = tool({
  name: 'list_operations',
  title: 'List operations',
  description:
    'List the operations of the exchange that playbooks can use. With `name`, include the JSON Schemas of its input and its response.',
  writes: 'nothing',
  isConnected: false,
  input: argumentsOf({ name }),
  output: record({
    version: one,
    operations: list(
      record({
        name: text(),
        number: optional(integer({ description: 'In the interface; absent for a companion' })),
        family: optional(choice(['classic', 'unified'], { description: 'Accounts it serves' })),
        title: text(),
        effect: choice(['read', 'set', 'keyed', 'once']),
        access: choice(['public', 'signed']),
        fields: list(text(), { description: 'Fields of its input' }),
        required: list(text()),
        input: optional(named(anything, { description: 'JSON Schema' })),
        output: optional(named(anything, { description: 'JSON Schema' })),
      }),
    ),
  }),
  call: async ({ name: asked }) => {
    if (asked !== undefined && !isOperation(asked)) {
      const near = nearWord(asked, operationNames);
      throw new UsageError(
        `unknown operation ${JSON.stringify(asked)}`,
        near ? `did you mean ${near}?` : 'call list_operations without arguments',
      );
    }
    const names = asked === undefined ? operationNames : [asked];
    const operations = names.map((each) => {
      const operation = operationOf(each);
      const { number, title, effect, access, input, output } = operation;
      const family = familyOf(operation);
      const { required } = input.json;
      return {
        name: each,
        ...(number !== undefined && { number }),
        ...(family !== undefined && { family }),
        title,
        effect,
        access,
        fields: Object.keys(propertiesOf(input.json)),
        required: Array.isArray(required) ? required.map(String) : [],
        ...(asked !== undefined && { input: input.json, output: output.json }),
      };
    });
    return { structured: { version: 1, operations } };
  },
});

const topic = optional(
  text({
    minLength: 1,
    maxLength: 100,
    description:
      'An operation, built-in step, subject, rule such as PB002, helper, code of the exchange or error code; without it, all topics are listed',
  }),
);
const field = optional(
  text({ minLength: 1, maxLength: 100, description: 'A field of the operation in `topic`' }),
);

/** The schema of a field of an operation, at each place where it occurs. */
const fieldPage = record({
  name: text(),
  in: choice(['input', 'output']),
  isRequired: truth,
  schema: named(anything, { description: 'JSON Schema' }),
});

export const explain = tool({
  name: 'explain',
  title: 'Explain',
  description:
    'Explain an operation, a field of it, a rule, a helper of expressions, an error code or another topic. Offline.',
  writes: 'nothing',
  isConnected: false,
  input: argumentsOf({ topic, field }),
  output: oneOf(explainOutput, record({ version: one, fields: list(fieldPage) })),
  call: async ({ topic: word, field: wanted }) => {
    if (wanted !== undefined) return { structured: { version: 1, fields: fieldsOf(word, wanted) } };
    const found = word === undefined ? undefined : topicOf(word);
    const lines = found === undefined ? overview(plainTheme) : pageOf(found, plainTheme);
    return { structured: { ...explained(found) }, text: lines.join('\n') };
  },
});

function fieldsOf(operation: string | undefined, name: string): readonly object[] {
  if (operation === undefined || !isOperation(operation)) {
    throw new UsageError('field needs an operation in topic', 'topic: futures/place-order');
  }
  const { input, output } = operationOf(operation);
  const found = [
    ...withField(input.json, name).map((page) => ({ in: 'input', ...page })),
    ...withField(output.json, name).map((page) => ({ in: 'output', ...page })),
  ];
  if (found.length > 0) return found;
  const near = nearWord(name, [...namesIn(input.json), ...namesIn(output.json)]);
  throw new UsageError(
    `${operation} has no field ${JSON.stringify(name)}`,
    near ? `did you mean ${near}?` : `call explain with topic ${operation}`,
  );
}

/** The places of a field in a schema, at any depth. */
function withField(schema: JsonSchema, name: string): readonly object[] {
  const { required, items } = schema;
  const properties = propertiesOf(schema);
  const here = Object.hasOwn(properties, name)
    ? [
        {
          name,
          isRequired: Array.isArray(required) && required.includes(name),
          schema: propertyOf(schema, name),
        },
      ]
    : [];
  const below = [...Object.values(properties), items].filter(isSchema);
  return [...here, ...below.flatMap((each) => withField(each, name))];
}

function namesIn(schema: JsonSchema): readonly string[] {
  const properties = propertiesOf(schema);
  const below = [...Object.values(properties), schema['items']].filter(isSchema);
  return [...Object.keys(properties), ...below.flatMap(namesIn)];
}
