/** A text with a signature below it: of an SSH key, or of a passkey. */
import { assertionIn, passkeyBegin, type Assertion } from './passkey/assertion.ts';
import { signatureIn, sshBegin, type SshSignature } from './signature.ts';

/** A signature in a file; whether it is valid is decided elsewhere. */
export type Signature = SshSignature | Assertion;

const kinds = [
  { begin: sshBegin, parse: signatureIn },
  { begin: passkeyBegin, parse: assertionIn },
] as const;

/** A signed text and its signature; undefined for any other file. */
export function partsOf(
  text: string,
): { readonly body: string; readonly signature: Signature } | undefined {
  for (const { begin, parse } of kinds) {
    const cut = text.indexOf(`\n${begin}\n`) + 1; // at the start of a line
    if (cut === 0) continue;
    const signature = parse(text.slice(cut));
    if (signature !== undefined) return { body: text.slice(0, cut), signature };
  }
  return undefined;
}

/** The identifier of the signing key in the file: a fingerprint, or a credential id. */
export function keyNameOf(signature: Signature): string {
  return signature.kind === 'ssh' ? signature.fingerprint : signature.id;
}
