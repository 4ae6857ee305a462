/** Refusals of the engine in the codes of the unified account. */
import { Refusal } from '../refusal.ts';

/** The unified account's code for each code of the classic account that the engine uses. */
const codes: Readonly<Record<string, string>> = {
  '22001': '25204',
  '40109': '25204',
  '40102': '25100',
  '22012': '25100',
  '22039': '25104',
  '22040': '25104',
  '43115': '25104',
  '45034': '25212',
  '40754': '25202',
  '40762': '25203',
  '40757': '25227',
  '22002': '25227',
  '40774': '25236',
  '400172': '25236',
  '40808': '25244',
  '45110': '25207',
  '45111': '25207',
  '45112': '25208',
  '40761': '25211',
  '40797': '25223',
  '22038': '25200',
  '40020': '25200',
  '45115': '25200',
};

/** Runs an action of the engine. @throws Refusal with a code of the unified account */
export function inUnifiedCodes<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const code = codes[error.code];
    throw code === undefined ? error : new Refusal(code, error.message);
  }
}
