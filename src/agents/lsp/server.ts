/** Serves an editor over the language server protocol, with the results of the checker. */
import { relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  CodeActionKind,
  CompletionItemKind,
  DiagnosticSeverity,
  ResponseError,
  TextDocuments,
  TextDocumentSyncKind,
  type CodeAction,
  type CompletionItem,
  type Connection,
  type Diagnostic,
  type Range,
  type ServerCapabilities,
  type TextDocumentPositionParams,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { messageOf } from '../../base/error.ts';
import { appendTo } from '../../base/groups.ts';
import { canonicalText } from '../../language/canonical.ts';
import type { Problem } from '../../language/problem.ts';
import { includedHere } from '../../app/planning/playbooks.ts';
import type { ReadIncluded } from '../../language/includes.ts';
import { checkedText, isPlaybook, type Checked, type Surroundings } from './checked.ts';
import { completionsAt } from './complete.ts';
import type { Completion } from './completion.ts';
import { fixesAt } from './fixes.ts';
import { hoverAt } from './hover.ts';
import { renamable, renamed, RenameError } from './rename.ts';
import { givenIds, stepAt, type TextRange } from './steps.ts';

const capabilities: ServerCapabilities = {
  textDocumentSync: TextDocumentSyncKind.Incremental,
  completionProvider: { triggerCharacters: ['.', '{', ' ', '(', "'", '/', '*'] },
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
  hoverProvider: true,
  definitionProvider: true,
  renameProvider: { prepareProvider: true },
  documentFormattingProvider: true,
};

export interface ServerOptions {
  /** Reads limits and profiles of the folder, again for every check. */
  readonly limits: () => Promise<Omit<Surroundings, 'include'>>;
  readonly version: string;
}

/** Serves until the editor exits. */
export function serve(connection: Connection, { limits, version }: ServerOptions): void {
  const documents = new TextDocuments(TextDocument);
  const include = includedFrom(documents);
  const surroundings = async (): Promise<Surroundings> => {
    const known = await limits().catch(() => undefined); // its own commands report the problem
    return { include, ...known };
  };
  const ask = async ({ textDocument, position }: TextDocumentPositionParams): Promise<Asked> => {
    const document = documents.get(textDocument.uri);
    if (document === undefined) throw new ResponseError(0, 'the document is not open');
    return { document, offset: document.offsetAt(position), around: await surroundings() };
  };
  connection.onInitialize(({ workspaceFolders, rootUri }) => {
    const root = workspaceFolders?.[0]?.uri ?? rootUri;
    if (root?.startsWith('file:')) process.chdir(fileURLToPath(root));
    return { capabilities, serverInfo: { name: 'deskhand', version } };
  });
  publishProblems(connection, documents, surroundings);
  answerPlaces(connection, ask);
  answerRenames(connection, ask);
  answerFixes(connection, documents, surroundings);
  answerFormatting(connection, documents);
  documents.listen(connection);
  connection.listen();
}

/** Sends the problems of a document, and of the playbooks that it uses, whenever it changes. */
function publishProblems(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  surroundings: () => Promise<Surroundings>,
): void {
  const published = new Map<string, readonly string[]>();
  documents.onDidChangeContent(async ({ document }) => {
    const found = diagnosed(document, await surroundings());
    if (documents.get(document.uri)?.version !== document.version) return;
    const before = published.get(document.uri) ?? [];
    published.set(document.uri, [...found.keys()]);
    for (const uri of before.filter((other) => !found.has(other))) {
      await connection.sendDiagnostics({ uri, diagnostics: [] });
    }
    for (const [uri, diagnostics] of found) await connection.sendDiagnostics({ uri, diagnostics });
  });
  documents.onDidClose(async ({ document }) => {
    for (const uri of published.get(document.uri) ?? []) {
      await connection.sendDiagnostics({ uri, diagnostics: [] });
    }
    published.delete(document.uri);
  });
}

/** Finds the document and the surroundings of a request. @throws ResponseError */
type Ask = (params: TextDocumentPositionParams) => Promise<Asked>;

/** Answers what may be written, what is written, and where a step is defined. */
function answerPlaces(connection: Connection, ask: Ask): void {
  connection.onCompletion(async (params) => {
    const { document, offset, around } = await ask(params);
    const found = completionsAt(document.getText(), offset, fileOf(document.uri), around);
    return found.map((each) => itemOf(each, document));
  });
  connection.onHover(async (params) => {
    const { document, offset, around } = await ask(params);
    const found = hoverAt(checkedDocument(document, around), offset);
    if (found === undefined) return null;
    const contents = { kind: 'markdown' as const, value: found.description };
    return { contents, range: rangeOf(document, found.at) };
  });
  connection.onDefinition(async (params) => {
    const { document, offset, around } = await ask(params);
    const at = definitionAt(checkedDocument(document, around), offset);
    return at === undefined ? null : { uri: document.uri, range: rangeOf(document, at) };
  });
}

const kinds: Readonly<Record<Completion['kind'], CompletionItemKind>> = {
  key: CompletionItemKind.Property,
  value: CompletionItemKind.EnumMember,
  name: CompletionItemKind.Field,
  helper: CompletionItemKind.Function,
};

function itemOf(
  { kind, insert, at, ...shown }: Completion,
  document: TextDocument,
): CompletionItem {
  const newText = insert ?? shown.label;
  return { ...shown, kind: kinds[kind], textEdit: { range: rangeOf(document, at), newText } };
}

/** Answers with the changes that hints of problems name. */
function answerFixes(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  surroundings: () => Promise<Surroundings>,
): void {
  connection.onCodeAction(async ({ textDocument: { uri }, range }) => {
    const document = documents.get(uri);
    if (document === undefined || !isPlaybook(document.getText())) return [];
    const chosen = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
    const around = await surroundings();
    return fixesAt(document.getText(), chosen, fileOf(uri), around).map(
      ({ title, problem, at, text }): CodeAction => ({
        title,
        kind: CodeActionKind.QuickFix,
        diagnostics: [diagnosticOf(problem)],
        edit: { changes: { [uri]: [{ range: rangeOf(document, at), newText: text }] } },
      }),
    );
  });
}

function answerRenames(connection: Connection, ask: Ask): void {
  connection.onPrepareRename(async (params) => {
    const { document, offset, around } = await ask(params);
    const found = refusable(() => renamable(checkedDocument(document, around), offset));
    if (found === undefined) return null;
    return { range: rangeOf(document, found.at), placeholder: found.id };
  });
  connection.onRenameRequest(async (params) => {
    const { document, offset, around } = await ask(params);
    const { newName } = params;
    const checked = checkedDocument(document, around);
    const places = refusable(() => renamed(checked, offset, newName, around));
    const edits = places.map((at) => ({ range: rangeOf(document, at), newText: newName }));
    return { changes: { [document.uri]: edits } };
  });
}

function answerFormatting(connection: Connection, documents: TextDocuments<TextDocument>): void {
  connection.onDocumentFormatting(({ textDocument }) => {
    const document = documents.get(textDocument.uri);
    if (document === undefined) return [];
    const text = document.getText();
    const newText = refusable(() => canonicalText(text, fileOf(document.uri)));
    if (newText === text) return [];
    return [{ range: rangeOf(document, { start: 0, end: text.length }), newText }];
  });
}

interface Asked {
  readonly document: TextDocument;
  readonly offset: number;
  readonly around: Surroundings;
}

/** Reads included playbooks: open documents take precedence over files. */
function includedFrom(documents: TextDocuments<TextDocument>): ReadIncluded {
  return (file) => documents.get(pathToFileURL(file).href)?.getText() ?? includedHere(file);
}

/** The file name of a document as on the command line, relative to the workspace. */
function fileOf(uri: string): string {
  return uri.startsWith('file:') ? relative(process.cwd(), fileURLToPath(uri)) : uri;
}

function checkedDocument(document: TextDocument, around: Surroundings): Checked {
  return checkedText(document.getText(), fileOf(document.uri), around);
}

/** Problems of a document and the playbooks it uses, by document; none for other YAML. */
function diagnosed(document: TextDocument, around: Surroundings): Map<string, Diagnostic[]> {
  const found = new Map<string, Diagnostic[]>([[document.uri, []]]);
  if (!isPlaybook(document.getText())) return found;
  const { problems, file } = checkedDocument(document, around);
  for (const problem of problems) {
    const { at } = problem;
    const uri = at.file === file ? document.uri : pathToFileURL(at.file).href;
    appendTo(found, uri, diagnosticOf(problem));
  }
  return found;
}

function diagnosticOf({ code, level, message, hint, at: { start, end } }: Problem): Diagnostic {
  const place = ({ line, column }: Problem['at']['start']): Range['start'] => ({
    line: line - 1,
    character: column - 1,
  });
  return {
    code,
    source: 'deskhand',
    severity: level === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    message: hint === undefined ? message : `${message}\n${hint}`,
    range: { start: place(start), end: place(end) },
  };
}

/** The definition of the step id at an offset. */
function definitionAt(checked: Checked, offset: number): TextRange | undefined {
  const named = stepAt(checked, offset);
  return givenIds(checked).find(({ id }) => id === named?.id)?.at;
}

function rangeOf(document: TextDocument, { start, end }: TextRange): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

/** Returns a result, or throws a refusal as an error that the editor shows. */
function refusable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RenameError) throw new ResponseError(-32_803, error.message);
    throw new ResponseError(-32_803, messageOf(error));
  }
}
