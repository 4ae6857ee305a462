/** Links to the files of a run, which the browser saves. */
import type { JSX } from 'preact';
import type { Answer } from '../api.ts';
import { Panel } from './panel.tsx';

type View = Answer<'GET /runs/{run}'>;

/** Links that the browser follows, because they have a target. */
export function Downloads({
  view: { downloads, row },
  desk,
}: {
  readonly view: View;
  readonly desk: string;
}): JSX.Element | null {
  if (downloads.length === 0) return null;
  const address = (path: string, part?: string): string => {
    const query = new URLSearchParams({ path, ...(part && { part }), ...(desk && { desk }) });
    return `/api/v1/runs/${encodeURIComponent(row.run)}/file?${query.toString()}`;
  };
  return (
    <Panel id="downloads" title="Download">
      <ul class="plain">
        {downloads.map(({ path, hasManifest }) => (
          <li>
            <a target="_self" href={address(path)}>
              {path}
            </a>{' '}
            {hasManifest && (
              <a target="_self" href={address(path, 'manifest')} aria-label={`Manifest of ${path}`}>
                manifest
              </a>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
