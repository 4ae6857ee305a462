/** A collector on this machine that accepts only what the OTLP specification allows in JSON. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly from: number;
  readonly to: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly {
    name: string;
    at: number;
    attributes: Readonly<Record<string, unknown>>;
  }[];
  readonly status: { readonly code?: number; readonly message?: string };
}

export interface Collector {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  readonly resources: unknown[];
  readonly requests: {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
  }[];
  /** Problems of what was received. */
  readonly problems: string[];
  close(): void;
}

/** @param statuses of the first responses, in order; then 200. Undefined: no response */
export async function openCollector(statuses: (number | undefined)[] = []): Promise<Collector> {
  const collector = { spans: [], resources: [], requests: [], problems: [] } as Omit<
    Collector,
    'url' | 'close'
  >;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { url: path = '', headers } = request;
      collector.requests.push({ path, headers, body });
      const status = statuses.length > 0 ? statuses.shift() : 200;
      if (status === undefined) return;
      if (status === 200) {
        try {
          read(JSON.parse(body), collector);
        } catch (error) {
          collector.problems.push(String(error));
        }
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert(address !== null && typeof address === 'object');
  return {
    ...collector,
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

function read(body: Loose, { spans, resources }: Pick<Collector, 'spans' | 'resources'>): void {
  only(body, ['resourceSpans']);
  for (const one of body.resourceSpans) {
    only(one, ['resource', 'scopeSpans']);
    only(one.resource, ['attributes']);
    resources.push(attributesIn(one.resource.attributes));
    for (const scoped of one.scopeSpans) {
      only(scoped, ['scope', 'spans']);
      only(scoped.scope, ['name', 'version']);
      spans.push(...scoped.spans.map(spanIn));
    }
  }
}

const spanFields = [
  'traceId',
  'spanId',
  'parentSpanId',
  'name',
  'kind',
  'startTimeUnixNano',
  'endTimeUnixNano',
  'attributes',
  'events',
  'status',
];

function spanIn(span: Loose): ReceivedSpan {
  only(span, spanFields);
  const { traceId, spanId, parentSpanId, name, kind, attributes, events, status } = span;
  assert.match(traceId, /^(?!0+$)[0-9a-f]{32}$/);
  assert.match(spanId, /^(?!0+$)[0-9a-f]{16}$/);
  if (parentSpanId !== undefined) assert.match(parentSpanId, /^(?!0+$)[0-9a-f]{16}$/);
  assert(typeof name === 'string' && name !== '');
  assert([1, 2, 3, 4, 5].includes(kind), `kind ${kind}`);
  only(status, ['code', 'message']);
  if (status.code !== undefined) assert([1, 2].includes(status.code));
  const [from, to] = [timeIn(span.startTimeUnixNano), timeIn(span.endTimeUnixNano)];
  assert(from <= to, `${name} ends before it starts`);
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind,
    from,
    to,
    status,
    attributes: attributesIn(attributes),
    events: events.map((event: Loose) => {
      only(event, ['timeUnixNano', 'name', 'attributes']);
      return {
        name: event.name,
        at: timeIn(event.timeUnixNano),
        attributes: attributesIn(event.attributes),
      };
    }),
  };
}

/** fixed64 is a decimal text. @returns ms */
function timeIn(nanos: unknown): number {
  assert(
    typeof nanos === 'string' && /^[1-9]\d{18}$/.test(nanos),
    `${String(nanos)} is not nanoseconds`,
  );
  return Number(BigInt(nanos) / 1_000_000n);
}

function attributesIn(all: Loose): Record<string, unknown> {
  const pairs = all.map(({ key, value, ...rest }: Loose) => {
    assert.deepEqual(rest, {});
    assert(typeof key === 'string' && key !== '');
    const [[kind, content] = ['', undefined], ...others] = Object.entries(value);
    assert.equal(others.length, 0);
    if (kind === 'intValue')
      assert(typeof content === 'string' && /^-?\d+$/.test(content), `int64 ${content}`);
    else
      assert.equal(
        typeof content,
        { stringValue: 'string', boolValue: 'boolean', doubleValue: 'number' }[kind],
      );
    return [key, kind === 'intValue' ? Number(content) : content];
  });
  const record = Object.fromEntries(pairs);
  assert.equal(Object.keys(record).length, all.length, 'an attribute is there twice');
  return record;
}

function only(value: Loose, fields: readonly string[]): void {
  for (const field of Object.keys(value)) assert(fields.includes(field), `unknown field ${field}`);
}
