/** The API of the server as OpenAPI 3.1, from its table of routes. */
import { propertiesOf, type JsonSchema } from '../../exchange/api/schema.ts';
import { placeOf, type Route } from './route.ts';
import { routesOf } from './routes/index.ts';
import { components } from './components.ts';
import { failure } from './shapes.ts';

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
      contact: { name: 'deskhand' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
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
    description: `${title}.`,
    tags: [tagOf(placeOf(name).path)],
    security: role === 'anyone' ? [] : [{ session: [] }],
    ...(role !== 'anyone' && { 'x-role': role }),
    'x-writes': route.kind === 'write',
    parameters: parametersOf(parameters.json, names),
    ...(route.kind === 'write' && { requestBody: { required: true, ...json(route.body.json) } }),
    responses: {
      ...success(route),
      '4XX': { description: 'Refused', ...json(failure.json) },
      default: { description: 'Failed', ...json(failure.json) },
    },
  };
}

const tags: Readonly<Record<string, string>> = {
  about: 'The server and the person',
  accounts: 'Profiles, their guards and findings',
  events: 'Notices of changes, as a stream',
  history: 'The days and last runs of a playbook or schedule',
  home: 'What needs a person, and the last runs',
  needs: 'What needs a person: to acknowledge it',
  jobs: 'Jobs for workers',
  orders: 'The orders of all runs',
  passkeys: 'Passkeys that may approve',
  plans: 'Plans, their approval, and their runs',
  playbook: 'One playbook and its tests',
  playbooks: 'The playbooks of a folder',
  runs: 'Runs, their events, files and actions',
  sandbox: 'The clock, prices and faults of the sandbox',
  schedules: 'Schedules and their occurrences',
  search: 'Events of all runs',
  session: 'Sessions of people',
  'sign-in': 'Signing in with the issuer of the team',
};

/** The tag of a path, which is its first part. @throws Error if the tag has no description */
function tagOf(path: string): string {
  const tag = path.split('/')[1] ?? '';
  if (!Object.hasOwn(tags, tag)) throw new Error(`the tag of ${path} has no description`);
  return tag;
}

function success(route: Route): object {
  const description = route.title;
  switch (route.kind) {
    case 'file':
      return { 200: { description, content: { 'application/octet-stream': {} } } };
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
