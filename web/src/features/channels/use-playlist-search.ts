import { textKey } from '@looptide/contracts/text'
import { useMemo, useState } from 'react'
import { type Entry, titleOf } from './draft.ts'

export type PlaylistSearch = ReturnType<typeof usePlaylistSearch>

/** Indexes of the entries whose title or artist contains the text; none for a blank text. */
export function matchesOf(entries: readonly Entry[], text: string): readonly number[] {
  const query = textKey(text)
  if (query === '') return []
  return entries.flatMap((entry, index) => {
    const shown = `${titleOf(entry)}\n${entry.video?.artistName ?? ''}`.toLowerCase()
    return shown.includes(query) ? [index] : []
  })
}

/** Search in a playlist: the matches and the current one. */
export function usePlaylistSearch(entries: readonly Entry[]) {
  const [text, setText] = useState('')
  const [position, setPosition] = useState(0)
  const matches = useMemo(() => matchesOf(entries, text), [entries, text])
  const current = matches.length === 0 ? 0 : position % matches.length
  return {
    text,
    matches,
    /** Index of the current match, from 0. */
    current,
    /** Index of the matching entry to scroll to; undefined without a match. */
    found: matches[current],
    setText: (next: string) => {
      setText(next)
      setPosition(0)
    },
    /** Goes to the next (1) or previous (-1) match and wraps around. */
    go: (by: 1 | -1) =>
      setPosition(matches.length === 0 ? 0 : (current + by + matches.length) % matches.length),
  }
}
