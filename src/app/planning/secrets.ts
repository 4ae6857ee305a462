/** Refuses secrets in a playbook or its inputs, which are written to plans, journals and reports. */
import { redactor, secretFinder, type Secret } from '../../base/secret.ts';
import { plainText } from '../../base/text.ts';
import { toJson, type Value } from '../../language/expression/value.ts';
import type { Playbook } from '../../language/playbook.ts';
import { InvalidError } from './invalid.ts';

/** @throws InvalidError naming the file or the input with a secret of the session */
export function refuseSecrets(
  { file, text, includes }: Playbook,
  inputs: Readonly<Record<string, Value>>,
  secrets: readonly Secret[],
): void {
  const holds = secretFinder(secrets);
  const written = [{ file, text }, ...includes].find((each) => holds(each.text));
  if (written !== undefined) {
    throw new InvalidError(
      `${plainText(written.file)} contains a secret of this profile`,
      'remove it and keep the secret only in the profile; it may also be in the history of the file',
    );
  }
  refuseSecretInputs(inputs, secrets);
}

/** Refuses secrets in inputs alone. @throws InvalidError */
export function refuseSecretInputs(
  inputs: Readonly<Record<string, Value>>,
  secrets: readonly Secret[],
): void {
  const holds = secretFinder(secrets);
  for (const [name, value] of Object.entries(inputs)) {
    if (!holds(JSON.stringify(toJson(value)))) continue;
    throw new InvalidError(
      `input ${plainText(redactor(secrets)(name))} contains a secret of this profile`,
      'inputs are written to plans, journals and reports; use {{ secrets.NAME }} where one is needed',
    );
  }
}
