/** Configuration files: one text for their schema, which editors read, and for the profiles they define. */
import { described, type JsonSchema } from '../../exchange/api/schema.ts';
import { readYaml } from '../../language/source.ts';
import { accountKeys, refuseAlike } from './account-id.ts';
import { outputs } from './kept-outputs.ts';
import {
  inside,
  map,
  mapIn,
  withDefault,
  wrong,
  type Part,
  type ReadBeside,
  type ValueOf,
} from './part.ts';
import { profileOf } from './profile-part.ts';
import type { Profile } from './profile.ts';
import { text } from './scalars.ts';
import { serve } from './served-team.ts';
import { state } from './state.ts';

/** Settings of one file; the schema of each is beside how it is read. */
export type ConfigFile = ValueOf<ReturnType<typeof configOf>>;

/**
 * @param beside reads a file that it names
 * @param keyed the profiles whose key is given by value, and not read from the source that they name
 * @throws ConfigError naming file, location and suggestion
 */
export function parseConfig(
  written: string,
  file: string,
  beside: ReadBeside,
  keyed: ReadonlySet<string> = new Set(),
): ConfigFile {
  const read = configOf(beside).read(readYaml(written, file, accountKeys), { file, path: '' });
  refuseAlike(
    [...read.profiles.values()],
    file,
    ({ name, secrets }) => (keyed.has(name) ? undefined : secrets),
    'its own secrets, such as secrets: { env: DESKB }',
  );
  return read;
}

/** The schema of a whole file, for editors. */
export function configSchema(): JsonSchema {
  return configOf((file) => ({ file, text: '' })).json;
}

/** A whole file. @param beside reads a file that it names */
function configOf(beside: ReadBeside) {
  return map(
    {
      profile: text({ description: 'Default profile, for playbooks without account' }),
      profiles: withDefault(profilesOf(beside), new Map()),
      state: described('Where locks and runs are stored', state),
      outputs: described('Where files that runs write are kept', outputs),
      serve: described('Who may use the page of `deskhand serve`, and where', serve),
    },
    { $schema: 'http://json-schema.org/draft-07/schema#', title: 'deskhand.yaml' },
  );
}

function profilesOf(beside: ReadBeside): Part<ReadonlyMap<string, Profile>> {
  const one = profileOf(beside);
  return {
    json: {
      type: 'object',
      description: 'Profiles by name',
      additionalProperties: { anyOf: [one.json, { type: 'null' }] },
    },
    read: (value, place) => {
      const entries = Object.entries(mapIn(value, place)).map(([name, own]) => {
        const at = inside(place, name);
        if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(name)) {
          throw wrong(at, 'must be a name of letters, digits, dots and dashes');
        }
        return [name, { name, ...one.read(own, at) }] as const;
      });
      return new Map(entries);
    },
  };
}
