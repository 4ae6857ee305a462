/** `GET /runs/{run}/file`: a file that a run wrote. Only bytes with the digest in its journal are sent. */
import { join } from 'node:path';
import { choice, optional, text } from '../../../exchange/api/schema.ts';
import { plainText, shellWord } from '../../../base/text.ts';
import { manifestEnding } from '../../../engine/export/manifest.ts';
import { filePartsOf } from '../../../engine/export/target.ts';
import { digestAt } from '../../../engine/export/verify.ts';
import { proven, type Proof } from '../../../stores/outputs/content.ts';
import { filesOf } from '../../../stores/outputs/written-files.ts';
import { partsOf } from '../../../stores/outputs/parts.ts';
import { seeFiles } from '../../../stores/outputs/seen.ts';
import { deskOf } from '../route-context.ts';
import { NotFoundError, Refusal } from '../failure.ts';
import { exactRecord, runParameters, sends, type Sent } from '../route.ts';

export const runFile = sends({
  title: 'Download a file that a run wrote, or its manifest',
  role: 'viewer',
  parameters: exactRecord({
    ...runParameters,
    path: text({ description: 'As recorded in the journal', minLength: 1, maxLength: 500 }),
    part: optional(choice(['manifest'])),
  }),
  handle: async ({ parameters }, server) => {
    const { run, path, part } = parameters;
    const desk = deskOf(server, run, parameters.desk);
    const recorded = filesOf(await desk.entries(run)).filter((each) => each.path === path);
    const [seen] = await seeFiles(recorded, { run, workspace: desk.folder });
    const fetched = `fetch it: deskhand runs files ${shellWord(run)} --into DIR`;
    if (seen === undefined) throw new NotFoundError(`${run} wrote no such file`, fetched);
    if (seen.place.kind !== 'here') {
      const because = seen.place.kind === 'missing' ? `: ${seen.place.because}` : '';
      throw new Refusal(
        409,
        'file-elsewhere',
        `${plainText(path, 160)} is not here${because}`,
        fetched,
      );
    }
    const found = join(desk.folder, ...filePartsOf(path));
    if (part === undefined) return sent(found, seen.file);
    const manifest = `${found}${manifestEnding}`;
    const sha256 = seen.file.hasManifest ? await digestAt(manifest) : undefined;
    if (sha256 === undefined) throw new NotFoundError(`${plainText(path, 160)} has no manifest`);
    return sent(manifest, { path: `${path}${manifestEnding}`, sha256 });
  },
});

function sent(found: string, proof: Proof): Sent {
  const name = proof.path.split('/').at(-1) ?? 'file';
  return {
    name,
    ...(proof.bytes !== undefined && { bytes: proof.bytes }),
    content: proven(partsOf(found), proof),
  };
}
