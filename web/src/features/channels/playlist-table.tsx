import type { Channel } from '@looptide/contracts/http/channels'
import { typedNumber } from '@looptide/contracts/typed-text'
import { type FormEvent, useState } from 'react'
import { numberText } from '../../lib/count-text.ts'
import { showFailure } from '../../lib/failures.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { afterClick, type Selection, withoutRows } from '../admin/selection.ts'
import { findCurrentVideo } from './api.ts'
import { withGroupMovedTo, withPlayedNext } from './draft.ts'
import { PlaylistRows } from './playlist-rows.tsx'
import type { PlaylistChanges } from './use-playlist-changes.ts'
import { type PlaylistSearch, usePlaylistSearch } from './use-playlist-search.ts'

/** Number of rows from which the search field is shown. */
const SEARCH_FROM = 8

/** The playlist rows with search, selection and bulk actions. */
export function PlaylistTable({ channel, changes }: { channel: Channel; changes: PlaylistChanges }) {
  const { entries, edit } = changes
  const [chosen, setChosen] = useState<Selection>(new Set())
  const [lastClicked, setLastClicked] = useState<string | null>(null)
  const search = usePlaylistSearch(entries)
  const selected = new Set(chosen.size === 0 ? [] : entries.flatMap(({ id }) => (chosen.has(id) ? [id] : [])))
  const canChange = !changes.isBusy

  const select = (id: string, isRange: boolean) => {
    const rows = isRange ? entries.map((entry) => entry.id) : [id]
    setChosen(afterClick(chosen, rows, id, isRange ? lastClicked : null))
    setLastClicked(id)
  }
  const remove = (ids: Selection) => {
    edit(entries.filter(({ id }) => !ids.has(id)))
    setChosen(withoutRows(chosen, [...ids]))
  }
  const playNext = async () => {
    try {
      edit(withPlayedNext(entries, selected, await findCurrentVideo(channel.id)))
    } catch (failure) {
      showFailure(failure, { title: 'Failed to update playlist order', text: 'Please try again.' })
    }
  }

  return (
    <>
      {entries.length >= SEARCH_FROM && (
        <PlaylistSearchField
          search={search}
          onSelectAll={() =>
            setChosen(new Set([...chosen, ...search.matches.flatMap((index) => entries[index]?.id ?? [])]))
          }
        />
      )}
      <SelectionBar
        count={selected.size}
        canChange={canChange}
        isShuffled={changes.isShuffled}
        onPlayNext={() => void playNext()}
        onPlace={(place) => edit(withGroupMovedTo(entries, selected, place))}
        onRemove={() => remove(selected)}
        onClear={() => setChosen(new Set())}
      />
      <PlaylistRows
        items={entries}
        canChange={canChange}
        selected={selected}
        found={search.found}
        onSelect={select}
        onReorder={edit}
        onRemove={({ id }) => remove(new Set([id]))}
      />
    </>
  )
}

/** Search field for the playlist, with buttons for the previous and next match. */
function PlaylistSearchField({ search, onSelectAll }: { search: PlaylistSearch; onSelectAll: () => void }) {
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

/** Bulk actions for the selected videos of a playlist. Renders nothing without a selection. */
function SelectionBar(props: {
  count: number
  canChange: boolean
  /** Disables "Play next": with shuffle, the list order does not determine what plays next. */
  isShuffled: boolean
  onPlayNext: () => void
  /** Moves the selection to a position, from 0. */
  onPlace: (place: number) => void
  onRemove: () => void
  onClear: () => void
}) {
  const { count, canChange, isShuffled } = props
  if (count === 0) return null
  return (
    <fieldset className="flex min-w-0 flex-wrap items-end gap-2 rounded-md border border-line bg-panel p-3">
      <legend className="sr-only">Selected videos</legend>
      <p role="status" className="mr-auto py-2.5 text-sm font-medium">
        {numberText(count)} selected
      </p>
      <Button
        disabled={!canChange || isShuffled}
        title={isShuffled ? 'Not available while shuffle is on' : undefined}
        onClick={props.onPlayNext}
      >
        Play next
      </Button>
      <MoveForm canChange={canChange} onPlace={props.onPlace} />
      <Button icon="remove" disabled={!canChange} onClick={props.onRemove}>
        Remove selected
      </Button>
      <Button tone="plain" onClick={props.onClear}>
        Clear selection
      </Button>
    </fieldset>
  )
}

function MoveForm({ canChange, onPlace }: { canChange: boolean; onPlace: (place: number) => void }) {
  const [text, setText] = useState('')
  const position = typedNumber(text)
  const isValid = Number.isInteger(position) && position >= 1
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isValid) return
    onPlace(position - 1)
    setText('')
  }
  return (
    <form onSubmit={submit} className="flex items-center gap-2">
      <label className="flex items-center gap-2 text-sm">
        To position
        <input
          className="field w-20"
          type="text"
          inputMode="numeric"
          autoComplete="off"
          maxLength={5}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <Button type="submit" disabled={!canChange || !isValid}>
        Move
      </Button>
    </form>
  )
}
