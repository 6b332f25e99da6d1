import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import type { PlaylistSearch } from './use-playlist-search.ts'

/** Search field for the playlist, with buttons for the previous and next match. */
export function PlaylistSearchField({
  search,
  onSelectAll,
}: {
  search: PlaylistSearch
  onSelectAll: () => void
}) {
  const { text, matches, current } = search
  return (
    <search className="flex flex-wrap items-end gap-2">
      <div className="min-w-48 flex-1">
        <TextField
          label="Find in this playlist"
          type="search"
          placeholder="Title or artist"
          autoComplete="off"
          value={text}
          onChange={(event) => search.setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            search.go(event.shiftKey ? -1 : 1)
          }}
        />
      </div>
      {text.trim() !== '' && (
        <>
          <p role="status" className="py-2.5 text-sm text-muted tabular-nums">
            {matches.length === 0 ? 'No match' : `${current + 1} of ${matches.length}`}
          </p>
          <IconButton
            icon="up"
            label="Previous match"
            disabled={matches.length === 0}
            onClick={() => search.go(-1)}
          />
          <IconButton
            icon="down"
            label="Next match"
            disabled={matches.length === 0}
            onClick={() => search.go(1)}
          />
          <Button disabled={matches.length === 0} onClick={onSelectAll}>
            Select matches
          </Button>
        </>
      )}
    </search>
  )
}
