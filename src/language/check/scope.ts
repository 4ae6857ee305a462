/** The scope of expressions: the types of inputs, steps, responses and rows. */
import { endedOrder } from '../../exchange/api/ended-order.ts';
import { keyedWriteOf } from '../../exchange/api/meant-order.ts';
import type { KeyedWrite } from '../../exchange/api/keyed-write.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import {
  anything,
  integerType,
  listOf,
  membersOf,
  recordOf,
  text,
  timeType,
  typeOfSchema,
  type Field,
  type Type,
} from '../expression/type.ts';
import { failedField, isPartial } from '../partial.ts';
import type { DeclaredType, Playbook, Step } from '../playbook.ts';
import { countsRows, writtenFile } from '../written-file.ts';

/** The items of a for-each without a result, and why. */
function failedType(item: Type): Type {
  return listOf(recordOf({ key: text, value: item, code: text, message: text }));
}

/** The type of an input as declared. */
export function inputType(
  declared: Pick<DeclaredType, 'type' | 'items' | 'fields' | 'values'>,
): Type {
  switch (declared.type) {
    case 'string':
      return text;
    case 'enum':
      return { kind: 'text', values: declared.values ?? [] };
    case 'list':
      return { kind: 'list', items: declared.items ? inputType(declared.items) : anything };
    case 'map':
      return { kind: 'map', values: declared.items ? inputType(declared.items) : anything };
    case 'record': {
      const fields = [...(declared.fields ?? [])].map(([name, field]): [string, Field] => [
        name,
        { type: inputType(field), ...(field.isOptional && { isOptional: true }) },
      ]);
      return { kind: 'record', fields: new Map(fields) };
    }
    case 'integer':
    case 'decimal':
    case 'boolean':
    case 'time':
    case 'duration':
      return { kind: declared.type };
  }
}

const times = { time: timeType, 'scheduled-for': timeType };
export const timesType = recordOf(times);
export const runType = recordOf({ id: text, playbook: text, ...times });
export const failureType = recordOf({ step: text, code: text, message: text });

export function inputsType(playbook: Playbook): Type {
  const fields = [...playbook.inputs].map(([name, declared]): [string, Field] => [
    name,
    { type: inputType(declared) },
  ]);
  return { kind: 'record', fields: new Map(fields) };
}

/** `each` of a for-each over a collection. */
export function eachType(collection: Type): Type {
  return recordOf({ key: text, value: membersOf(collection) ?? anything, index: integerType });
}

/** The response of a step's operation, with all pages of a list. */
export function responseType(step: Step): Type {
  if (step.action.kind === 'playbook') return step.action.answer;
  if (step.uses === 'shell/run') return printedType;
  if (step.uses === 'approve') return approvedType;
  if (step.uses === 'report/chart') return recordOf(step.with.has('file') ? { file: text } : {});
  if (step.action.kind !== 'call') return anything;
  if (step.write !== undefined) return writtenType;
  return answerOf(step, step.action.operation);
}

/** The type of an operation's response to a step: an order that it places has an id. */
function answerOf(step: Step, operation: OperationName): Type {
  const type = answerType(operation);
  const keyed = keyedWriteOf(operation);
  return keyed && !mayLackId(step, keyed) ? withId(type, keyed.id) : type;
}

/** The response of a step that writes its rows to a file: they are not kept in the run. */
export const writtenType = recordOf({ file: text, rows: integerType });

const printedType = recordOf({ exit: integerType, stdout: text, stderr: text });

const approvedType = recordOf({ who: listOf(text) });

const answerTypes = new Map<OperationName, Type>();

/** Computed on first use: a playbook uses few operations, in many steps. */
function answerType(operation: OperationName): Type {
  const { ends, output } = operationOf(operation);
  const { json } = ends === undefined ? output : endedOrder;
  const type = answerTypes.get(operation) ?? typeOfSchema(json);
  answerTypes.set(operation, type);
  return type;
}

/** Whether the response of a step may lack the id of its order. */
function mayLackId(step: Step, { lacksId }: KeyedWrite): boolean {
  const given = lacksId && step.with.get(lacksId.field);
  return given !== undefined && !(given.kind === 'literal' && given.value === lacksId?.unless);
}

function withId(type: Type, field: string): Type {
  if (type.kind !== 'record') return type;
  const fields = new Map(type.fields);
  const id = fields.get(field);
  if (id) fields.set(field, { type: id.type });
  return { kind: 'record', fields };
}

/** A row of a list, for the columns of a file; of an operation without one, its response. */
export function rowType(step: Step): Type {
  if (step.action.kind !== 'call') return anything;
  const { operation } = step.action;
  const { page, rows } = operationOf(operation);
  const field = page?.rows ?? rows;
  const answer = answerOf(step, operation);
  const type = field && answer.kind === 'record' ? answer.fields.get(field)?.type : answer;
  return type?.kind === 'list' ? type.items : (type ?? anything);
}

/** The type of the facts that a manifest states about its file. */
const manifestType = recordOf({ file: text, rows: integerType, bytes: integerType, sha256: text });

/** The results of a step, each item's in a for-each, and the type of its items. */
interface StepResults {
  readonly outputs: Type;
  readonly response: Type;
  readonly item: Type;
}

/** The type of `steps.ID`: outputs, the response, the step's files, and the items that failed. */
export function stepType(step: Step, { outputs, response, item }: StepResults): Type {
  const isForEach = step.forEach !== undefined;
  const of = (values: Type): Type => (isForEach ? { kind: 'map', values } : values);
  return recordOf({
    ...(isForEach && isPartial(step) && { [failedField]: failedType(item) }),
    outputs: of(outputs),
    response: of(response),
    ...(writtenFile(step) && { file: of(text), files: { kind: 'list', items: text } }),
    ...(countsRows(step) && { rows: of(integerType) }),
    ...(step.write && { manifest: of(manifestType) }),
  });
}
