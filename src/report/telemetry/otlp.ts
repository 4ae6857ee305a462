/** Spans in the JSON encoding of the OpenTelemetry protocol: ids in hex, 64-bit numbers as text. */
import type { Millis } from '../../base/clock.ts';
import type { Attribute, Attributes, Span } from './span.ts';

export interface Resource {
  /** The resource attribute `service.name`. */
  readonly service: string;
  readonly version: string;
}

/** A body for `/v1/traces`: an ExportTraceServiceRequest. */
export function otlpTraces(spans: readonly Span[], { service, version }: Resource): object {
  return {
    resourceSpans: [
      {
        resource: {
          attributes: attributesOf({ 'service.name': service, 'service.version': version }),
        },
        scopeSpans: [{ scope: { name: 'deskhand', version }, spans: spans.map(otlpSpan) }],
      },
    ],
  };
}

const kinds = { internal: 1, client: 3 } as const; // SPAN_KIND_INTERNAL, SPAN_KIND_CLIENT
const statusError = 2; // STATUS_CODE_ERROR

function otlpSpan(span: Span): object {
  const { traceId, spanId, parentSpanId, name, kind, from, to, attributes, events, error } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanosOf(from),
    endTimeUnixNano: nanosOf(to),
    attributes: attributesOf(attributes),
    events: events.map((event) => ({
      timeUnixNano: nanosOf(event.at),
      name: event.name,
      attributes: attributesOf(event.attributes),
    })),
    status: error === undefined ? {} : { code: statusError, message: error },
  };
}

function attributesOf(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));
}

/** The encoding of an attribute: whole numbers are 64-bit integers, which this JSON has as text. */
function valueOf(value: Attribute): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

function nanosOf(ms: Millis): string {
  return String(BigInt(Math.round(ms)) * 1_000_000n);
}
