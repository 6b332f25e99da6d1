import { Button } from '../../ui/button.tsx'
import { draftText, type PlaylistDraft } from './draft.ts'
import type { PlaylistChanges } from './use-playlist-changes.ts'

/** Describes the unsaved changes, with buttons to undo the last one, to discard or to save them. */
export function DraftBar(props: { changes: PlaylistChanges; draft: PlaylistDraft }) {
  const { changes, draft } = props
  const { isBusy, undo } = changes
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 rounded-md border border-accent bg-raised px-4 py-3"
    >
      <p className="min-w-0 flex-1 basis-52 text-sm font-medium break-words">
        {draftText(draft)}
        {changes.isRestored && (
          <span className="block font-normal text-muted">Unsaved changes restored.</span>
        )}
      </p>
      {undo && (
        <Button isBusy={isBusy} onClick={undo}>
          Undo
        </Button>
      )}
      <Button isBusy={isBusy} onClick={changes.discard}>
        Discard
      </Button>
      <Button
        tone="primary"
        isBusy={isBusy}
        disabled={changes.theirs !== null}
        onClick={() => void changes.save()}
      >
        Save
      </Button>
    </div>
  )
}
