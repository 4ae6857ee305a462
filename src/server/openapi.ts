/** The API of the server as OpenAPI 3.1, from its table of routes. */
import { propertiesOf, type JsonSchema } from '../api/schema.ts';
import { placeOf, type Route } from './route.ts';
import { routesOf } from './routes/index.ts';
import { components, failure } from './shapes.ts';

export function serverOpenApi(): unknown {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, route] of routesOf(false)) {
    const { method, path, names } = placeOf(name);
    (paths[path] ??= {})[method.toLowerCase()] = operation(name, route, names);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'deskhand serve',
      version: '1',
      description:
        'What the page of `deskhand serve` reads and does. A session cookie identifies the person; requests that write must come from the page itself.',
    },
    servers: [{ url: '/api/v1' }],
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'deskhand-8787' },
      },
      schemas: components,
    },
  };
}

function operation(name: string, route: Route, names: readonly string[]): object {
  const { title, role, parameters } = route;
  return {
    operationId: name.replaceAll(/[^A-Za-z]+/g, '_').replace(/_$/, ''),
    summary: title,
    ...(role !== 'anyone' && { security: [{ session: [] }], 'x-role': role }),
    'x-writes': route.kind === 'write',
    parameters: parametersOf(parameters.json, names),
    ...(route.kind === 'write' && { requestBody: { required: true, ...json(route.body.json) } }),
    responses: { ...success(route), default: { description: 'Refused', ...json(failure.json) } },
  };
}

function success(route: Route): object {
  const description = route.title;
  switch (route.kind) {
    case 'file':
      return { description, content: { 'application/octet-stream': {} } };
    case 'redirect':
      return { 302: { description } };
    case 'stream':
      return {
        200: { description, content: { 'text/event-stream': { schema: route.event.json } } },
      };
    case 'read':
    case 'write':
      return { 200: { description, ...json(route.answer.json) } };
  }
}

function parametersOf(schema: JsonSchema, inPath: readonly string[]): object[] {
  const { required } = schema;
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(propertiesOf(schema)).map(([name, each]) => ({
    name,
    in: inPath.includes(name) ? 'path' : 'query',
    ...(needed.includes(name) && { required: true }),
    schema: each,
  }));
}

function json(schema: JsonSchema): object {
  return { content: { 'application/json': { schema } } };
}
