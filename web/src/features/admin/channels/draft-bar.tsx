import type { Channel } from '@looptide/contracts/http/channels'
import { Button } from '../../../ui/button.tsx'
import { draftText, type PlaylistDraft } from './draft.ts'
import type { PlaylistChanges } from './use-playlist-changes.ts'

/** The unsaved changes in words, to be undone step by step, discarded or saved. */
export function DraftBar(props: { channel: Channel; changes: PlaylistChanges; draft: PlaylistDraft }) {
  const { channel, changes, draft } = props
  const { isBusy, undo } = changes
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 rounded-md border border-accent bg-raised px-4 py-3"
    >
      <p className="min-w-0 flex-1 text-sm font-medium break-words">
        {draftText(draft, channel)}
        {changes.isRestored && (
          <span className="block font-normal text-muted">Restored: you had not saved these changes.</span>
        )}
      </p>
      {undo && (
        <Button disabled={isBusy} onClick={undo}>
          Undo
        </Button>
      )}
      <Button disabled={isBusy} onClick={changes.discard}>
        Discard
      </Button>
      <Button tone="primary" disabled={isBusy || changes.theirs !== null} onClick={() => void changes.save()}>
        Save
      </Button>
    </div>
  )
}
