import type { Channel } from '@looptide/contracts/http/channels'
import { useState } from 'react'
import { afterClick, type Selection, withoutRows } from '../admin/selection.ts'
import { showFailure } from '../admin/show-failure.ts'
import { findCurrentVideo } from './api.ts'
import { withGroupMovedTo, withPlayedNext } from './draft.ts'
import { PlaylistRows } from './playlist-rows.tsx'
import { PlaylistSearchField } from './playlist-search.tsx'
import { SelectionBar } from './selection-bar.tsx'
import type { PlaylistChanges } from './use-playlist-changes.ts'
import { usePlaylistSearch } from './use-playlist-search.ts'

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
