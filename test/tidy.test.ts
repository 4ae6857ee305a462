/** Tests of the house rules: rooms, imports, sizes and words. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Each room of `src` with the rooms it may import from; `base` is open to all. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  base: [],
  exchange: [],
  language: ['exchange'],
  engine: ['exchange', 'language'],
  sandbox: ['exchange'],
  stores: ['exchange', 'engine'],
  report: ['exchange', 'engine'],
  rehearsal: ['exchange', 'language', 'engine', 'sandbox', 'report'],
  app: ['exchange', 'language', 'engine', 'sandbox', 'stores', 'report', 'rehearsal'],
  serve: ['exchange', 'language', 'engine', 'stores', 'report', 'app'],
  agents: ['exchange', 'language', 'engine', 'stores', 'report', 'app'],
  cli: [
    'exchange',
    'language',
    'engine',
    'sandbox',
    'stores',
    'report',
    'rehearsal',
    'app',
    'serve',
    'agents',
  ],
};

/** The same within rooms whose folders have an order. */
const within: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  exchange: { api: [], client: ['api'] },
  engine: {
    journal: [],
    plan: ['journal'],
    export: [],
    interpreter: ['journal', 'plan'],
    effects: ['journal', 'plan', 'export', 'interpreter'],
    runtime: ['journal', 'plan', 'interpreter', 'effects'],
    approval: ['journal', 'plan'],
  },
};

/** The only places that may import each package. */
const doors: Readonly<Record<string, readonly string[]>> = {
  undici: ['src/exchange/client/transports/http.ts'],
  ajv: ['src/exchange/api/check.ts', 'src/language/'],
  yaml: ['src/language/', 'src/rehearsal/tests/update.ts'],
  handlebars: ['src/language/expression/'],
  re2js: ['src/language/pattern.ts'],
  croner: ['src/language/cron.ts'],
  zx: ['src/engine/effects/shell.ts'],
  pg: ['src/stores/postgres/driver.ts'],
  '@restatedev/restate-sdk': ['src/stores/restate/sdk.ts'],
  listr2: ['src/cli/screens/live-window.ts'],
  'big.js': ['src/base/decimal.ts'],
  fflate: ['src/engine/export/writers/xlsx.ts'],
  hyparquet: ['src/engine/export/writers/parquet.ts'],
  'hyparquet-writer': ['src/engine/export/writers/parquet.ts'],
  hono: ['src/serve/server/'],
  '@hono/node-server': ['src/serve/server/listener.ts'],
  'openid-client': ['src/serve/server/sign-in/issuer.ts'],
  nodemailer: ['src/engine/effects/email.ts', 'src/engine/effects/email-message.ts'],
  preact: ['src/serve/web/'],
  '@preact/signals': ['src/serve/web/'],
  commander: ['src/cli/'],
  'vscode-languageserver': ['src/agents/lsp/', 'src/cli/commands/lsp.ts'],
  'vscode-languageserver-textdocument': ['src/agents/lsp/server.ts'],
  'fastest-levenshtein': ['src/base/text.ts'],
  vega: ['src/report/chart/draw.ts'],
  'vega-lite': ['src/report/chart/draw.ts'],
  marked: ['src/report/document/markdown.ts'],
  '@modelcontextprotocol/server': ['src/agents/mcp/server.ts'],
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

/** Imports of our own files, with the rooms and the folders of both ends. */
const arrows = sources.flatMap((file) => {
  const [, from = '', inner = ''] = file.split('/');
  return importsOf(file)
    .filter((path) => path.startsWith('.'))
    .map((path) => {
      const [, to = '', target = ''] = resolved(file, path).split('/');
      return { file, from, to, inner, target };
    });
});

describe('the source code', () => {
  test('has no base name in more than three folders, and one context', () => {
    const folders = new Map<string, string[]>();
    for (const file of sources) {
      const name = basename(file);
      if (name !== 'index.ts') folders.set(name, [...(folders.get(name) ?? []), dirname(file)]);
    }
    const shared = [...folders].filter(([, found]) => found.length > 3);
    expect(shared).toEqual([]);
    expect(folders.get('context.ts')).toEqual(['src/cli']);
  });

  test('has at most 300 lines per file', () => {
    const long = sources.filter((file) => read(file).split('\n').length - 1 > 300);
    expect(long).toEqual([]);
  });

  test('states the purpose of each file in its first line', () => {
    const silent = sources.filter((file) => !/^(#!.*\n)?\/\*\* /.test(read(file)));
    expect(silent).toEqual([]);
  });

  test('imports only from lower rooms', () => {
    const wrong = arrows.flatMap(({ file, from, to }) => {
      const allowed = rooms[from];
      if (allowed === undefined) return file === 'src/index.ts' ? [] : [`${file}: unknown room`];
      return to === from || to === 'base' || allowed.includes(to) ? [] : [`${file} uses ${to}`];
    });
    expect(wrong).toEqual([]);
  });

  test('imports within a room only from lower folders', () => {
    const wrong = arrows.flatMap(({ file, from, to, inner, target }) => {
      const order = within[from];
      if (order === undefined || from !== to || inner === target) return [];
      return order[inner]?.includes(target) ? [] : [`${file} uses ${target}`];
    });
    expect(wrong).toEqual([]);
  });

  test('has at most 75 arrows between rooms and their ordered folders', () => {
    const seen = arrows
      .filter(({ file }) => file !== 'src/index.ts')
      .flatMap(({ from, to, inner, target }) => {
        if (from !== to) return [`${from} → ${to}`];
        return within[from] === undefined || inner === target
          ? []
          : [`${from}/${inner} → ${from}/${target}`];
      });
    expect(new Set(seen).size).toBeLessThanOrEqual(75);
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
        file !== 'src/serve/web/clock.ts' && // of the browser
        /Date\.now|performance\.now|setTimeout\(|setInterval\(|Math\.random/.test(read(file)),
    );
    expect(wrong).toEqual([]);
  });

  test('says that a write is in doubt in one module, and that a call is in another', () => {
    const making = (text: RegExp): string[] => sources.filter((file) => text.test(read(file)));
    expect(making(/kind: 'doubt',\s*because/)).toEqual(['src/engine/journal/doubt.ts']);
    expect(making(/new DoubtError\(/)).toEqual([
      'src/exchange/api/exchange.ts', // the same one with one more sentence
      'src/exchange/client/retry-verdict.ts',
    ]);
  });

  test('reads files only through one door, which refuses devices and pipes', () => {
    const others = [
      'src/base/read-file.ts',
      'src/base/lock/', // names that people cannot choose, and handles that are not links
      'src/app/config/secret-file.ts', // checks the mode through the same handle
      'src/engine/export/verify.ts', // any size, in chunks, through the handle of `openToRead`
      'src/engine/export/read-rows.ts', // content that was just verified
      'src/engine/export/target-lock.ts', // a handle
      'src/exchange/client/shared-pace.ts', // a handle
      'src/serve/server/published.ts', // a table of the kernel
      'src/rehearsal/tests/trial.ts', // files of a private folder
    ];
    const wrong = sources.filter(
      (file) =>
        !others.some((door) => file.startsWith(door)) &&
        /\breadFile(Sync)?\(|createReadStream\(/.test(read(file)),
    );
    expect(wrong).toEqual([]);
  });

  test('starts this program in one module, and other programs in a few', () => {
    const starting = sources.filter((file) => importsOf(file).includes('node:child_process'));
    expect(starting.toSorted()).toEqual([
      'src/app/config/secrets.ts', // the program of a profile that prints its secrets
      'src/app/machine/start-process.ts', // this program
      'src/base/lock/kernel.ts', // asks the system for the start of a process
      'src/base/platform/end-process.ts', // taskkill
      'src/engine/approval/keygen.ts', // ssh-keygen
      'src/engine/effects/shell.ts', // shell/run of playbooks
      'src/stores/git/command.ts', // git
    ]);
  });

  test('asks for the operating system, and what depends on it, only in src/base/platform', () => {
    // Each with the files that may have it.
    const facts: readonly (readonly [pattern: RegExp, others: readonly string[]])[] = [
      [/process\.platform|os\.platform\(|\bplatform\(\)/, []],
      [/import \{[^}]*\brename(?:Sync)?\b[^}]*\} from 'node:fs/, []],
      [/import \{[^}]*\bf?truncateSync\b[^}]*\} from 'node:fs'/, []],
      [/\.truncate\(/, ['src/engine/journal/journal.ts']], // by its path
      [/'SIG(?:TERM|HUP|BREAK)'/, []],
      [/kill\(-/, []],
      [/\bhomedir\b/, []],
      [
        /['`]\/proc\//,
        ['src/engine/export/target.ts', 'src/base/lock/kernel.ts', 'src/serve/server/published.ts'],
      ],
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
      'src/engine/journal/file.ts', // replaces a whole file; `replaceOwnFile` asks whose it is
      'src/engine/export/disk.ts', // under a hidden name, until `placeFor` allows the requested name
      'src/app/schedule/state-files.ts', // in the state folder, through handles that follow no link
      'src/cli/running/documents.ts', // the page of a pipeline's job, named by the host
      'src/cli/commands/demo.ts', // only where nothing exists
      'src/engine/approval/keygen.ts', // private folders
      'src/app/approval/sign.ts',
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

  test('has each room of src, and no other', () => {
    const folders = new Set(sources.map((file) => file.split('/')[1]));
    folders.delete('index.ts');
    expect(new Set(map)).toEqual(folders);
  });

  test('has each room below those it imports from', () => {
    const wrong = Object.entries(rooms).flatMap(([room, uses]) =>
      uses
        .filter((used) => map.indexOf(used) > map.indexOf(room))
        .map((used) => `${room} uses ${used}`),
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
      'test/engine/interpreter/shell.test.ts',
      'test/stores/store.test.ts',
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
