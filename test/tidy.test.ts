/** Tests of the house rules: layers, imports, sizes and words. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Each layer with the layers it may import; `base` is open to all. */
const floors: Readonly<Record<string, readonly string[]>> = {
  base: [],
  lock: [],
  api: [],
  client: ['api'],
  sandbox: ['api', 'lock'],
  journal: ['api', 'lock'],
  'state-store': ['api', 'journal', 'lock'],
  playbook: ['api'],
  plan: ['api', 'playbook', 'journal'],
  export: ['api', 'lock'],
  interpreter: ['api', 'journal', 'playbook', 'plan'],
  effects: ['api', 'journal', 'playbook', 'plan', 'export', 'interpreter'],
  runtime: ['api', 'journal', 'playbook', 'plan', 'export', 'interpreter', 'effects'],
  outputs: ['journal', 'state-store', 'export', 'effects'],
  approval: ['api', 'journal', 'plan'],
  report: ['api', 'journal', 'plan', 'export'],
  telemetry: ['api', 'journal', 'report'],
  overview: ['api', 'journal', 'report', 'telemetry'],
  notification: ['api', 'journal', 'playbook', 'effects', 'report'],
  schedule: ['api', 'journal', 'state-store', 'playbook', 'plan', 'export', 'interpreter'],
  'playbook-tests': [
    'api',
    'client',
    'sandbox',
    'journal',
    'playbook',
    'plan',
    'export',
    'interpreter',
    'effects',
    'runtime',
    'report',
  ],
  simulation: [
    'api',
    'client',
    'sandbox',
    'journal',
    'playbook',
    'plan',
    'interpreter',
    'runtime',
    'playbook-tests',
  ],
  config: [
    'api',
    'client',
    'sandbox',
    'journal',
    'state-store',
    'playbook',
    'plan',
    'approval',
    'notification',
  ],
  session: [
    'api',
    'client',
    'sandbox',
    'journal',
    'state-store',
    'playbook',
    'plan',
    'interpreter',
    'effects',
    'runtime',
    'outputs',
    'approval',
    'report',
    'telemetry',
    'notification',
    'schedule',
    'config',
  ],
  embedding: ['journal', 'playbook', 'plan', 'report', 'config', 'session'],
  server: [
    'api',
    'lock',
    'journal',
    'state-store',
    'playbook',
    'plan',
    'approval',
    'export',
    'outputs',
    'report',
    'config',
    'telemetry',
    'overview',
    'schedule',
  ],
  web: ['report', 'server'],
  cli: [
    'api',
    'lock',
    'server',
    'client',
    'sandbox',
    'journal',
    'state-store',
    'playbook',
    'plan',
    'export',
    'interpreter',
    'effects',
    'runtime',
    'outputs',
    'report',
    'telemetry',
    'overview',
    'notification',
    'playbook-tests',
    'simulation',
    'schedule',
    'approval',
    'config',
    'session',
  ],
};

/** The only places that may import each package. */
const doors: Readonly<Record<string, readonly string[]>> = {
  undici: ['src/client/transports/http.ts'],
  ajv: ['src/api/check.ts', 'src/playbook/'],
  yaml: ['src/playbook/', 'src/playbook-tests/update.ts'],
  handlebars: ['src/playbook/expression/'],
  re2js: ['src/playbook/pattern.ts'],
  croner: ['src/playbook/cron.ts'],
  zx: ['src/effects/shell.ts'],
  pg: ['src/state-store/postgres/driver.ts'],
  '@restatedev/restate-sdk': ['src/state-store/restate/sdk.ts'],
  listr2: ['src/cli/screens/list.ts'],
  'big.js': ['src/base/decimal.ts'],
  fflate: ['src/export/writers/xlsx.ts'],
  hyparquet: ['src/export/writers/parquet.ts'],
  'hyparquet-writer': ['src/export/writers/parquet.ts'],
  hono: ['src/server/'],
  '@hono/node-server': ['src/server/listener.ts'],
  'openid-client': ['src/server/sign-in/issuer.ts'],
  nodemailer: ['src/effects/email.ts'],
  preact: ['src/web/'],
  '@preact/signals': ['src/web/'],
  commander: ['src/cli/'],
  'vscode-languageserver': ['src/cli/lsp/', 'src/cli/commands/lsp.ts'],
  'vscode-languageserver-textdocument': ['src/cli/lsp/server.ts'],
  'fastest-levenshtein': ['src/base/text.ts'],
  vega: ['src/report/chart/draw.ts'],
  'vega-lite': ['src/report/chart/draw.ts'],
  marked: ['src/report/document/markdown.ts'],
  '@modelcontextprotocol/server': ['src/cli/mcp/server.ts'],
  'vega-interpreter': ['src/report/chart/draw.ts'],
};

const sources = filesUnder('src').filter((file) => /\.tsx?$/.test(file));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  readonly peerDependencies: Readonly<Record<string, string>>;
};

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((file) => !file.includes('node_modules'));
}

/** All imports of a file, including types and lazy imports. */
function importsOf(file: string): string[] {
  return [
    ...read(file).matchAll(/^(?:import|export) [^;]*?from '([^']+)';|import\('([^']+)'\)/gms),
  ].map(([, named, lazy]) => named ?? lazy ?? '');
}

/**
 * Static imports of a file, types included; a lazy import does not count for cycles. The sandbox's orders,
 * positions and wallets refer to each other: there, types do not count.
 */
function namedBy(file: string): string[] {
  const pattern = file.startsWith('src/sandbox/engine/model/')
    ? /^(?:import|export) (?!type\b)[^;]*?from '([^']+)';/gms
    : /^(?:import|export) [^;]*?from '([^']+)';/gms;
  return [...read(file).matchAll(pattern)].map(([, target]) => target ?? '');
}

function resolved(file: string, target: string): string {
  return normalize(join(dirname(file), target));
}

/** The anchors of a Markdown page, one for each heading. */
function anchorsOf(file: string): string[] {
  return [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Words and phrases that have a plain replacement, refused in `src`, documents and messages. */
const replacedWords = new RegExp(
  [
    /«|»/,
    /\b(?:anew|beforehand|whence|whither|hence|thereof|therein|lest|till|naught|befall|dwell)\b/,
    /\b(?:mend(?:s|ed|ing)?|judg(?:es?|ed|ing)|tidy|near words?|unless said|for ever|by and by)\b/,
    /\bof (?:its|their) own\b|(?<!long )\bas (?:it is|they are)\b/,
    /\b(?:is|are|was|were) told\b|\bis no (?!less|more)\b/,
    /\b(?:goes|gone|went) on\b/,
    /\bwhat (?:becomes?|became|came|comes|must come) of\b/,
    /\b(?:held|holds?) (?:back|against)\b/,
    /\bnobody (?:heard|hears|was told)\b/,
    /\b(?:stands?|stood)\b/,
    /\b(?:finds nobody|hand on the|not well|nothing but|once more|a word of)\b/,
    /\b(?:whichever|whoever|somebody|anybody|without a word|thrown away|any longer|last word)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);

describe('the source code', () => {
  test('has at most 300 lines per file', () => {
    const long = sources.filter((file) => read(file).split('\n').length - 1 > 300);
    expect(long).toEqual([]);
  });

  test('states the purpose of each file in its first line', () => {
    const silent = sources.filter((file) => !/^(#!.*\n)?\/\*\* /.test(read(file)));
    expect(silent).toEqual([]);
  });

  test('imports only from lower floors', () => {
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

  test('has no import cycles', () => {
    const graph = new Map(
      sources.map((file) => [
        file,
        namedBy(file)
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

  test('imports each package only through its door', () => {
    const wrong = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => !target.startsWith('.') && !target.startsWith('node:'))
        .map((target) =>
          target
            .split('/')
            .slice(0, target.startsWith('@') ? 2 : 1)
            .join('/'),
        )
        .filter((name) => !(doors[name] ?? []).some((door) => file.startsWith(door)))
        .map((name) => `${file} uses ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test('loads an optional peer only when it is used', () => {
    const peers = Object.keys(manifest.peerDependencies);
    const atStart = peers.flatMap((name) =>
      sources.filter((file) =>
        new RegExp(`^(import|export) (?!type\\b)[^;]*'${name}['/]`, 'm').test(read(file)),
      ),
    );
    expect(peers).toEqual(['@restatedev/restate-sdk', 'pg']);
    expect(atStart).toEqual([]);
  });

  test('reads the clock only in the clock, and draws no random numbers elsewhere', () => {
    const wrong = sources.filter(
      (file) =>
        file !== 'src/base/clock.ts' &&
        file !== 'src/web/clock.ts' && // of the browser
        /Date\.now|performance\.now|setTimeout\(|setInterval\(|Math\.random/.test(read(file)),
    );
    expect(wrong).toEqual([]);
  });

  test('says that a write is in doubt in one module, and that a call is in another', () => {
    const making = (text: RegExp): string[] => sources.filter((file) => text.test(read(file)));
    expect(making(/kind: 'doubt',\s*because/)).toEqual(['src/journal/doubt.ts']);
    expect(making(/new DoubtError\(/)).toEqual([
      'src/api/exchange.ts', // the same one with one more sentence
      'src/client/retry-verdict.ts',
    ]);
  });

  test('reads files only through one door, which refuses devices and pipes', () => {
    const others = [
      'src/base/read-file.ts',
      'src/lock/', // names that people cannot choose, and handles that are not links
      'src/config/secret-file.ts', // checks the mode through the same handle
      'src/export/verify.ts', // any size, in chunks, through the handle of `openToRead`
      'src/export/read-rows.ts', // content that was just verified
      'src/export/target-lock.ts', // a handle
      'src/client/shared-pace.ts', // a handle
      'src/server/published.ts', // a table of the kernel
      'src/playbook-tests/trial.ts', // files of a private folder
    ];
    const wrong = sources.filter(
      (file) =>
        !others.some((door) => file.startsWith(door)) &&
        /\breadFile(Sync)?\(|createReadStream\(/.test(read(file)),
    );
    expect(wrong).toEqual([]);
  });

  test('asks for the operating system, and what depends on it, only in src/base/platform', () => {
    // Each with the files that may have it.
    const facts: readonly (readonly [pattern: RegExp, others: readonly string[]])[] = [
      [/process\.platform|os\.platform\(|\bplatform\(\)/, []],
      [/import \{[^}]*\brename(?:Sync)?\b[^}]*\} from 'node:fs/, []],
      [/import \{[^}]*\bf?truncateSync\b[^}]*\} from 'node:fs'/, []],
      [/\.truncate\(/, ['src/journal/journal.ts']], // by its path
      [/'SIG(?:TERM|HUP|BREAK)'/, []],
      [/kill\(-/, []],
      [/\bhomedir\b/, ['src/cli/approval/decision.ts']], // ~/.ssh is there on every system
      [/['`]\/proc\//, ['src/export/target.ts', 'src/lock/kernel.ts', 'src/server/published.ts']],
    ];
    const wrong = facts.flatMap(([pattern, others]) =>
      sources
        .filter((file) => !file.startsWith('src/base/platform/') && !others.includes(file))
        .filter((file) => pattern.test(read(file)))
        .map((file) => `${file}: ${pattern.source}`),
    );
    expect(wrong).toEqual([]);
  });

  test('writes files only through a few doors, which check who wrote the existing file', () => {
    const others = [
      'src/journal/file.ts', // replaces a whole file; `replaceOwnFile` asks whose it is
      'src/export/disk.ts', // under a hidden name, until `placeFor` allows the requested name
      'src/schedule/files.ts', // in the state folder, through handles that follow no link
      'src/cli/session/documents.ts', // the page of a pipeline's job, named by the host
      'src/cli/commands/demo.ts', // only where nothing exists
      'src/approval/keygen.ts', // private folders
      'src/cli/approval/decision.ts',
    ];
    const wrong = sources.filter(
      (file) =>
        !others.includes(file) &&
        /\b(?:(?:write|append|copy)File(?:Sync)?|createWriteStream|cp(?:Sync)?)\((?!step)/.test(
          read(file).replace(/(?:async )?function writeFile\(/g, ''),
        ),
    );
    expect(wrong).toEqual([]);
  });

  test('silences no types', () => {
    const wrong = sources.filter((file) =>
      /: any\b|as any\b|@ts-(ignore|nocheck|expect-error)/.test(read(file)),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the map of CONTRIBUTING.md', () => {
  const map = [...read('CONTRIBUTING.md').matchAll(/^\| `src\/([\w-]+)` \|/gm)].map(
    ([, name]) => name,
  );

  test('has each folder of src, and no other', () => {
    const folders = new Set(sources.map((file) => file.split('/')[1]));
    folders.delete('index.ts');
    expect(new Set(map)).toEqual(folders);
  });

  test('has each folder below those it imports from', () => {
    const wrong = Object.entries(floors).flatMap(([floor, uses]) =>
      uses
        .filter((used) => map.indexOf(used) > map.indexOf(floor))
        .map((used) => `${floor} uses ${used}`),
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
        return []; // a missing folder is no violation
      }
    })
    .concat(['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'package.json'])
    .filter((file) => /\.(ts|mjs|js|md|ya?ml|json)$|\/run$/.test(file))
    .filter((file) => !file.endsWith('package-lock.json'));

  test('starts programs in tests with the temporary folder of the tests', () => {
    const wrong = texts.filter(
      (file) =>
        /^test\/(?!peers\/|tidy)/.test(file) &&
        /\bPATH\b(?! ?\+)/.test(read(file)) &&
        !/TMPDIR/.test(read(file)),
    );
    expect(wrong.toSorted()).toEqual([
      'test/base/platform/platform.test.ts', // invented variables
      'test/interpreter/shell.test.ts',
      'test/state-store/store.test.ts',
    ]);
  });

  test('appends to lists of a map in place, because copies make long runs quadratic', () => {
    const copies = /\.set\([^;]*\[\s*\.\.\.\(\s*[\w.]+\.get\(/;
    expect(sources.filter((file) => copies.test(read(file)))).toEqual([]);
  });

  test('has no unfinished places and no skipped tests', () => {
    const unfinished = new RegExp(['TO' + 'DO', 'FIX' + 'ME', 'not written' + ' yet'].join('|'));
    const skipped = new RegExp(`\\b(test|it|describe)\\.(${'sk' + 'ip'}|${'on' + 'ly'})\\b`);
    const wrong = texts.filter((file) => unfinished.test(read(file)) || skipped.test(read(file)));
    expect(wrong).toEqual([]);
  });

  test('has a target for every link in its documents', () => {
    const pages = texts.filter((file) => file.endsWith('.md'));
    const wrong = pages.flatMap((file) =>
      [
        ...read(file)
          .replaceAll(/^```[^]*?^```/gm, '')
          .matchAll(/\]\((?!https?:)([^)\s]+)\)/g),
      ]
        .map(([, link = '']) => link.split('#'))
        .filter(([path = '', anchor]) => {
          const target = path === '' ? file : normalize(join(dirname(file), path));
          if (!existsSync(join(root, target))) return true;
          return anchor !== undefined && !anchorsOf(target).includes(anchor);
        })
        .map(([path, anchor]) => `${file}: ${[path, anchor].filter(Boolean).join('#')}`),
    );
    expect(wrong).toEqual([]);
  });

  test('names only documents that exist', () => {
    const wrong = texts.flatMap((file) =>
      [...read(file).matchAll(/\bdocs\/[a-z-]+\.md\b/g)]
        .filter(([name]) => !existsSync(join(root, name)))
        .map(([name]) => `${file}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test('uses none of the replaced words', () => {
    const pages = texts.filter((file) => /^(?:src|docs)\/|^(?:README|SECURITY)\.md$/.test(file));
    const wrong = pages.flatMap((file) =>
      [
        ...read(file)
          .replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ')
          .matchAll(replacedWords),
      ].map(([word]) => `${file}: ${word}`),
    );
    expect(wrong).toEqual([]);
  });

  test('names no machine', () => {
    const places = new RegExp(['/wo' + 'rk/', '/ro' + 'ot/', 'registry\\.npm' + 'js'].join('|'));
    expect(texts.filter((file) => places.test(read(file)))).toEqual([]);
  });

  test('has a small supply chain: no install scripts, integrity everywhere, no addresses', () => {
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
