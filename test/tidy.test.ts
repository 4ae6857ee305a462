/** The house rules as tests: floors, doors, sizes, words. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Each floor with the floors it may use; `base` is open to all. */
const floors: Readonly<Record<string, readonly string[]>> = {
  base: [],
  contract: [],
  client: ['contract'],
  sandbox: ['contract'],
  journal: ['contract'],
  state: ['contract', 'journal'],
  playbook: ['contract'],
  plan: ['contract', 'playbook', 'journal'],
  export: ['contract'],
  run: ['contract', 'journal', 'playbook', 'plan'],
  effects: ['contract', 'journal', 'playbook', 'plan', 'export', 'run'],
  engines: ['contract', 'journal', 'playbook', 'plan', 'export', 'run', 'effects'],
  approval: ['contract', 'journal', 'plan'],
  report: ['contract', 'journal', 'plan', 'export'],
  schedule: ['contract', 'journal', 'playbook', 'plan', 'export', 'run'],
  rehearsal: [
    'contract',
    'client',
    'sandbox',
    'journal',
    'playbook',
    'plan',
    'export',
    'run',
    'effects',
    'engines',
    'report',
  ],
  config: ['contract', 'client', 'sandbox', 'journal', 'state', 'playbook', 'plan', 'approval'],
  cli: [
    'contract',
    'client',
    'sandbox',
    'journal',
    'state',
    'playbook',
    'plan',
    'export',
    'run',
    'effects',
    'engines',
    'report',
    'rehearsal',
    'schedule',
    'approval',
    'config',
  ],
};

/** The only places that may import a package. */
const doors: Readonly<Record<string, readonly string[]>> = {
  undici: ['src/client/transports/http.ts'],
  ajv: ['src/contract/check.ts', 'src/playbook/'],
  yaml: ['src/playbook/', 'src/rehearsal/update.ts'],
  handlebars: ['src/playbook/expression/'],
  re2js: ['src/playbook/pattern.ts'],
  croner: ['src/playbook/cron.ts'],
  zx: ['src/effects/shell.ts'],
  listr2: ['src/cli/screens/list.ts'],
  'big.js': ['src/base/decimal.ts'],
  fflate: ['src/export/writers/xlsx.ts'],
  hyparquet: ['src/export/writers/parquet.ts'],
  'hyparquet-writer': ['src/export/writers/parquet.ts'],
  commander: ['src/cli/'],
  'fastest-levenshtein': ['src/base/text.ts'],
  vega: ['src/report/chart/draw.ts'],
  'vega-lite': ['src/report/chart/draw.ts'],
  marked: ['src/report/document/markdown.ts'],
  'vega-interpreter': ['src/report/chart/draw.ts'],
};

const sources = filesUnder('src').filter((file) => file.endsWith('.ts'));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !file.includes('node_modules'));
}

/** What a file imports, types and lazy parts included. */
function importsOf(file: string): string[] {
  return [
    ...read(file).matchAll(/^(?:import|export) [^;]*?from '([^']+)';|import\('([^']+)'\)/gms),
  ].map(([, named, lazy]) => named ?? lazy ?? '');
}

/** Imports that are there when the program runs: types are erased, a lazy one closes no circle. */
function loadedBy(file: string): string[] {
  return [...read(file).matchAll(/^(?:import|export) (?!type\b)[^;]*?from '([^']+)';/gms)].map(
    ([, target]) => target ?? '',
  );
}

function resolved(file: string, target: string): string {
  return normalize(join(dirname(file), target));
}

describe('the house', () => {
  test('a file has at most 300 lines', () => {
    const long = sources.filter((file) => read(file).split('\n').length - 1 > 300);
    expect(long).toEqual([]);
  });

  test('a file says its idea in its first line', () => {
    const silent = sources.filter((file) => !/^(#!.*\n)?\/\*\* /.test(read(file)));
    expect(silent).toEqual([]);
  });

  test('a floor uses only the floors below it', () => {
    const wrong = sources.flatMap((file) => {
      const floor = file.split('/')[1] ?? '';
      const allowed = floors[floor];
      if (allowed === undefined) return file === 'src/index.ts' ? [] : [`${file}: unknown floor`];
      return importsOf(file)
        .filter((target) => target.startsWith('.'))
        .map((target) => resolved(file, target).split('/')[1] ?? '')
        .filter((used) => used !== floor && used !== 'base' && !allowed.includes(used))
        .map((used) => `${file} uses ${used}`);
    });
    expect(wrong).toEqual([]);
  });

  test('no file reaches itself through its imports', () => {
    const graph = new Map(
      sources.map((file) => [
        file,
        loadedBy(file)
          .filter((target) => target.startsWith('.'))
          .map((target) => resolved(file, target)),
      ]),
    );
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (done.has(file) || path.includes(file)) return;
      for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
      done.add(file);
    };
    for (const file of sources) visit(file, []);
    expect(cycles).toEqual([]);
  });

  test('a package is used behind its door alone', () => {
    const wrong = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => !target.startsWith('.') && !target.startsWith('node:'))
        .map((target) => (target.startsWith('@') ? target : (target.split('/')[0] ?? '')))
        .filter((name) => !(doors[name] ?? []).some((door) => file.startsWith(door)))
        .map((name) => `${file} uses ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test('only the clock reads the clock, and nothing rolls its own dice', () => {
    const wrong = sources.filter(
      (file) =>
        file !== 'src/base/clock.ts' &&
        /Date\.now|performance\.now|setTimeout\(|setInterval\(|Math\.random/.test(read(file)),
    );
    expect(wrong).toEqual([]);
  });

  test('types are not silenced', () => {
    const wrong = sources.filter((file) =>
      /: any\b|as any\b|@ts-(ignore|nocheck|expect-error)/.test(read(file)),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the repository', () => {
  const texts = ['src', 'test', 'docs', 'workflows', 'bench', '.ci', 'bin']
    .flatMap((folder) => {
      try {
        return filesUnder(folder);
      } catch {
        return []; // a folder that is not there yet says nothing wrong
      }
    })
    .concat(['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'package.json'])
    .filter((file) => /\.(ts|mjs|js|md|ya?ml|json)$|\/run$/.test(file))
    .filter((file) => !file.endsWith('package-lock.json'));

  test('holds no unfinished places and no skipped tests', () => {
    const unfinished = new RegExp(['TO' + 'DO', 'FIX' + 'ME', 'not written' + ' yet'].join('|'));
    const skipped = new RegExp(`\\b(test|it|describe)\\.(${'sk' + 'ip'}|${'on' + 'ly'})\\b`);
    const wrong = texts.filter((file) => unfinished.test(read(file)) || skipped.test(read(file)));
    expect(wrong).toEqual([]);
  });

  test('names no machine', () => {
    const places = new RegExp(['/wo' + 'rk/', '/ro' + 'ot/', 'registry\\.npm' + 'js'].join('|'));
    expect(texts.filter((file) => places.test(read(file)))).toEqual([]);
  });

  test('has a small supply chain: no install script, integrity everywhere, no addresses', () => {
    const lock = JSON.parse(read('package-lock.json')) as {
      packages: Record<
        string,
        { dev?: boolean; hasInstallScript?: boolean; integrity?: string; resolved?: string }
      >;
    };
    const packages = Object.entries(lock.packages).filter(([name]) => name !== '');
    const runtime = packages.filter(([, about]) => about.dev !== true);
    expect(runtime.filter(([, about]) => about.hasInstallScript)).toEqual([]);
    expect(packages.filter(([, about]) => about.integrity === undefined)).toEqual([]);
    expect(packages.filter(([, about]) => about.resolved !== undefined)).toEqual([]);
    expect(runtime.length).toBeLessThanOrEqual(45);
  });
});
