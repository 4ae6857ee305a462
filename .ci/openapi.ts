/** The API as OpenAPI 3.1, for other people’s tools. */
import { isRecord, type Json } from '../src/base/json.ts';
import { familyOf } from '../src/exchange/api/family.ts';
import type { Operation } from '../src/exchange/api/operation.ts';
import {
  isCompanion,
  operationIdOf,
  operationNames,
  operationOf,
  type OperationName,
} from '../src/exchange/api/operations/index.ts';
import type { JsonSchema } from '../src/exchange/api/schema.ts';

export function openApi(): unknown {
  const page = {
    openapi: '3.1.0',
    info: {
      title: 'Exchange account, trading, market and agent data service',
      version: '1',
      description:
        'Printed from deskhand’s contract: the 18 operations of the interface, and 13 companions, marked x-companion, that complete both account families. Every response is an envelope.',
      contact: { name: 'deskhand' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '{base_url}', variables: { base_url: { default: 'http://127.0.0.1:8788' } } }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(operationNames.map((name) => pathOf(name, operationOf(name)))),
    components: { securitySchemes, schemas: { Envelope: envelope(true) } },
  };
  // A word of editors, which readers of OpenAPI may refuse.
  const forOthers = (key: string, value: unknown): unknown =>
    key === 'patternErrorMessage' ? undefined : value;
  return JSON.parse(JSON.stringify(page, forOthers));
}

/** The first part of a name. */
const tags: Readonly<Record<string, string>> = {
  account: 'Sub-accounts, settings of unified accounts',
  agent: 'Customers of an agent: volume, assets',
  futures: 'Futures of classic accounts: orders, positions, leverage, bills, ranks',
  loan: 'Loans: symbols, orders',
  margin: 'Margin: interest rates',
  market: 'Public market data',
  order: 'Open and historical orders',
  tax: 'Records for tax returns',
  trade: 'Unified accounts: orders, positions',
};

/** No security at all, which is not the same as nothing said. */
const publicAccess: readonly object[] = [];

const refusal = json({ $ref: '#/components/schemas/Envelope' });

const header = (name: string, description: string): object => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
});

const securitySchemes = {
  key: header('ACCESS-KEY', 'The key'),
  sign: header(
    'ACCESS-SIGN',
    'Base64 of HMAC-SHA256 (or RSA-SHA256) over timestamp, method, path, query with its question mark, body',
  ),
  passphrase: header('ACCESS-PASSPHRASE', 'The passphrase'),
  timestamp: header('ACCESS-TIMESTAMP', 'Unix milliseconds, within 30 s of the exchange’s clock'),
};

function pathOf(name: OperationName, operation: Operation): [string, object] {
  const { method, path, title, access, permission, isMainOnly, limit, leaderLimit } = operation;
  const family = familyOf(operation);
  const page = {
    operationId: operationIdOf(name),
    summary: title,
    tags: [name.replace(/\/.*/, '')],
    description: [`${title}.`, ...operation.doubts].join('\n'),
    security:
      access === 'signed' ? [{ key: [], sign: [], passphrase: [], timestamp: [] }] : publicAccess,
    'x-deskhand-name': name,
    'x-effect': operation.effect,
    ...(isCompanion(name) && { 'x-companion': true }),
    ...(family !== undefined && { 'x-account-family': family }),
    'x-rate-limit': limit,
    ...(leaderLimit && { 'x-rate-limit-leaders': leaderLimit }),
    ...(permission && { 'x-permission': permission }),
    ...(isMainOnly && { 'x-main-account-only': true }),
    ...(method === 'GET' ? { parameters: parameters(operation.input.json) } : bodyOf(operation)),
    responses: {
      200: { description: title, ...json(envelope(operation.output.json)) },
      '4XX': { description: 'Refused: `code` and `msg` say why', ...refusal },
      '5XX': { description: 'The exchange failed; a write may have been executed', ...refusal },
    },
  };
  return [path, { [method.toLowerCase()]: page }];
}

function bodyOf({ input }: Operation): object {
  return { requestBody: { required: true, ...json(input.json) } };
}

function parameters({ properties, required }: JsonSchema): object[] {
  const names = Array.isArray(required) ? required : [];
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(names.includes(name) && { required: true }),
    schema,
  }));
}

function envelope(data: Json): JsonSchema {
  return {
    type: 'object',
    properties: {
      code: { type: 'string', examples: ['00000'] },
      msg: { type: 'string', examples: ['success'] },
      requestTime: { type: 'integer', description: 'Unix milliseconds' },
      data,
    },
    required: ['code', 'msg', 'requestTime', 'data'],
  };
}

function json(schema: Json): object {
  return { content: { 'application/json': { schema } } };
}
