/** A playbook as an Arazzo 1.0 description, for tools that document or draw workflows. */

// What Arazzo has no words for is unchanged, under `x-deskhand`. https://spec.openapis.org/arazzo/v1.0.1.html

import { operationIdOf, operationOf } from '../exchange/api/operations/index.ts';
import type { OperationName } from '../exchange/api/operations/index.ts';
import { successCode } from '../exchange/api/errors.ts';
import type { JsonRecord, Json } from '../base/json.ts';
import type { ExpressionNode } from './expression/node.ts';
import { isRequiredField } from './input-members.ts';
import type { DeclaredType, InputDeclaration, Playbook, Step, Template } from './playbook.ts';

/** The name of the OpenAPI description among the sources. */
const source = 'exchange';

/**
 * @param openapi address of the OpenAPI description, relative to the document
 * @returns undefined if no step calls the exchange: a workflow has at least one step
 */
export function arazzoOf(playbook: Playbook, openapi: string): JsonRecord | undefined {
  const steps = playbook.steps.flatMap(stepOf);
  if (steps.length === 0) return undefined;
  const others = [...playbook.steps, ...playbook.onFailure, ...playbook.finally].filter(
    (step) => !isIncluded(step, playbook),
  );
  const outputs = simple(playbook.outputs, (node) => outputPath(node, playbook.steps));
  const summary = `${playbook.name}, exported for reading: only deskhand checks, plans and records its writes`;
  const description = playbook.description?.trim() ?? summary;
  return {
    arazzo: '1.0.1',
    info: {
      title: playbook.name,
      summary,
      description,
      version: '1',
    },
    sourceDescriptions: [{ name: source, url: openapi, type: 'openapi' }],
    workflows: [
      {
        workflowId: playbook.name,
        summary,
        description,
        ...(playbook.inputs.size > 0 && { inputs: inputsOf(playbook) }),
        steps,
        ...(Object.keys(outputs).length > 0 && { outputs }),
        ...(others.length > 0 && {
          'x-deskhand': { 'other-steps': others.map(({ id, uses }) => ({ id, uses })) },
        }),
      },
    ],
  };
}

const isCall = ({ action }: Step): boolean => action.kind === 'call';
const isIncluded = (step: Step, { steps }: Playbook): boolean =>
  isCall(step) && steps.includes(step);

function stepOf(step: Step): JsonRecord[] {
  const { id, name, action } = step;
  if (action.kind !== 'call') return [];
  const kept = keptOf(step);
  return [
    {
      stepId: id,
      description: name ?? operationOf(action.operation).title,
      operationId: `$sourceDescriptions.${source}.${operationIdOf(action.operation)}`,
      ...requestOf(step, action.operation),
      successCriteria: [
        { condition: '$statusCode == 200' },
        { condition: `$response.body#/code == '${successCode}'` },
      ],
      outputs: {
        response: '$response.body#/data',
        ...simple(step.outputs ?? new Map<string, Template>(), responsePath),
      },
      ...(Object.keys(kept).length > 0 && { 'x-deskhand': kept }),
    },
  ];
}

function requestOf(step: Step, operation: OperationName): JsonRecord {
  const values = [...step.with].map(([name, template]) => [name, valueOf(template)] as const);
  if (values.length === 0) return {};
  return operationOf(operation).method === 'GET'
    ? { parameters: values.map(([name, value]) => ({ name, in: 'query', value })) }
    : { requestBody: { contentType: 'application/json', payload: Object.fromEntries(values) } };
}

/** The keys of a step that its request does not express. */
function keptOf(step: Step): JsonRecord {
  const { account, forEach, key, condition, until, poll, expect, write } = step;
  const complex = [...(step.outputs ?? [])].filter(
    ([, template]) => runtimeOf(template, responsePath) === undefined,
  );
  return {
    ...(account && { account: writtenAs(account) }),
    ...(forEach && { 'for-each': writtenAs(forEach) }),
    ...(key && { key: writtenAs(key) }),
    ...(condition && { if: condition.text }),
    ...(until && { until: until.text }),
    ...(poll && { poll: { everyMs: poll.everyMs, forMs: poll.forMs } }),
    ...(expect.length > 0 && { expect: expect.map(({ that }) => that.text) }),
    ...(write && { file: writtenAs(write.file) }),
    ...(complex.length > 0 && {
      outputs: Object.fromEntries(
        complex.map(([name, template]) => [name, writtenAs(template)] as const),
      ),
    }),
  };
}

/** A runtime expression of Arazzo where there is one, otherwise the value as written. */
const valueOf = (template: Template): Json => runtimeOf(template, inputPath) ?? writtenAs(template);

type PathWords = (node: ExpressionNode) => string | undefined;

function runtimeOf(template: Template, words: PathWords): string | undefined {
  return template.kind === 'expression' ? words(template.expression.node) : undefined;
}

function simple(templates: ReadonlyMap<string, Template>, words: PathWords): JsonRecord {
  return Object.fromEntries(
    [...templates].flatMap(([name, template]) => {
      const text = runtimeOf(template, words);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
}

/** The path of an input, such as `inputs.symbol`. */
const inputPath: PathWords = (node) =>
  node.kind === 'path' && node.root === 'inputs' && node.path.length === 1
    ? `$inputs.${node.path[0]}`
    : undefined;

/** The path of a field in a response, such as `response.list.0.price`. */
const responsePath: PathWords = (node) =>
  node.kind === 'path' && node.root === 'response'
    ? `$response.body#/${['data', ...node.path].map(inPointer).join('/')}`
    : undefined;

/** `steps.market.outputs.mark`, of a step that is in the description and has this output there. */
function outputPath(node: ExpressionNode, steps: readonly Step[]): string | undefined {
  if (node.kind !== 'path' || node.root !== 'steps') return undefined;
  const [id, part, name = 'response', ...more] = node.path;
  const step = steps.find((each) => each.id === id && isCall(each));
  if (step === undefined || more.length > 0) return undefined;
  if (part === 'response') {
    return node.path.length === 2 ? `$steps.${id}.outputs.response` : undefined;
  }
  const template = part === 'outputs' ? step.outputs?.get(name) : undefined;
  return template && runtimeOf(template, responsePath) && `$steps.${id}.outputs.${name}`;
}

const inPointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** A value with its expressions as texts. */
function writtenAs(template: Template): Json {
  switch (template.kind) {
    case 'literal':
      return template.value;
    case 'expression':
      return template.expression.text;
    case 'text':
      return template.parts.map((part) => (typeof part === 'string' ? part : part.text)).join('');
    case 'list':
      return template.items.map(valueOf);
    case 'map':
      return Object.fromEntries(
        [...template.entries].map(([name, each]) => [name, valueOf(each)] as const),
      );
    case 'prose':
      throw new Error('only pages have prose, and they call no operation');
  }
}

function inputsOf({ inputs }: Playbook): JsonRecord {
  const all = [...inputs.values()];
  const required = all.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(all.map((each) => [each.name, inputOf(each)] as const)),
    ...(required.length > 0 && { required }),
  };
}

function inputOf(declared: DeclaredType & Pick<InputDeclaration, 'default'>): JsonRecord {
  const { type, description, values, pattern, minimum, maximum } = declared;
  return {
    ...shapeOf(declared),
    ...(description !== undefined && { description }),
    ...(values && { enum: [...values] }),
    ...(pattern !== undefined && { pattern }),
    ...(type === 'integer' && minimum !== undefined && { minimum: Number(minimum) }),
    ...(type === 'integer' && maximum !== undefined && { maximum: Number(maximum) }),
    ...(declared.default && { default: writtenAs(declared.default) }),
  };
}

function shapeOf({ type, items, fields = new Map() }: DeclaredType): JsonRecord {
  switch (type) {
    case 'integer':
    case 'boolean':
      return { type };
    case 'decimal':
      return { anyOf: [{ type: 'number' }, { type: 'string' }] };
    case 'list':
      return { type: 'array', ...(items && { items: inputOf(items) }) };
    case 'map':
      return { type: 'object', ...(items && { additionalProperties: inputOf(items) }) };
    case 'record': {
      const required = [...fields].flatMap(([name, each]) => (isRequiredField(each) ? [name] : []));
      return {
        type: 'object',
        properties: Object.fromEntries([...fields].map(([name, each]) => [name, inputOf(each)])),
        ...(required.length > 0 && { required }),
        additionalProperties: false,
      };
    }
    case 'string':
    case 'enum':
    case 'duration':
      return { type: 'string' };
    case 'time':
      return { type: 'string', format: 'date-time' };
  }
}
