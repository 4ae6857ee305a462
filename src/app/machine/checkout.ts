/** The files of this checkout, compared with a plan made elsewhere. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { plainText } from '../../base/text.ts';
import { sha256 } from '../../base/json.ts';
import { readRegularSync } from '../../base/read-file.ts';
import { StalePlanError } from '../../engine/plan/stale.ts';
import { folderOf, type AppContext } from '../app-context.ts';
import { pathFrom } from '../planning/playbooks.ts';
import type { RecordedPlaybook } from '../../engine/journal/recorded-playbook.ts';

/** The repository of a folder, if it is in one. */
function checkoutRoot(folder: string): string | undefined {
  for (let at = realpathSync(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** The error when files of this checkout are not those of the plan; another machine may have them. */
export class CheckoutError extends StalePlanError {}

type Where = Pick<AppContext, 'folder' | 'given'>;

const missing = 'is not in this checkout';

/**
 * The reason why a file cannot be compared with a plan. Undefined when it can: it is in this checkout,
 * outside any checkout, or the plan names it by an absolute path.
 */
export function outsideCheckout(file: string, context: Where = {}): string | undefined {
  const folder = folderOf(context);
  try {
    const path = realpathSync(pathFrom(folder, file));
    if (!statSync(path).isFile()) return 'is not a file here';
    const root = isAbsolute(file) ? undefined : checkoutRoot(folder);
    if (root === undefined) return undefined;
    const inside = relative(root, path);
    const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
    return isOutside ? 'is outside this checkout' : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return missing;
    throw error;
  }
}

/**
 * Compares the playbook of a plan, and those it uses, with the files of this checkout.
 * @param mayBeMissing an approver may have only the plan
 * @throws CheckoutError when one of them differs or is missing
 */
export function refuseOtherTexts(
  { id, playbook }: { readonly id: string; readonly playbook: Omit<RecordedPlaybook, 'name'> },
  context: Where,
  { mayBeMissing = false } = {},
): void {
  for (const { file, text, digest } of [playbook, ...(playbook.includes ?? [])]) {
    const named = plainText(file, 200);
    const given = context.given?.playbook;
    if (given?.file === file) {
      if (given.text === text && sha256(text) === digest) continue;
      throw new CheckoutError(`the given playbook is not what plan ${id} was made from`);
    }
    const why = outsideCheckout(file, context);
    if (why === missing && mayBeMissing) continue;
    if (why !== undefined) {
      throw new CheckoutError(
        `plan ${id} was made from ${named}, which ${why}`,
        'run it in the repository of its playbook',
      );
    }
    const found = readRegularSync(pathFrom(folderOf(context), file));
    if (sha256(found) === digest && found.equals(Buffer.from(text))) continue;
    throw new CheckoutError(`${named} is not what plan ${id} was made from`);
  }
}
