import { useMemo, useState } from 'react'
import { type Entry, titleOf } from './draft.ts'

export type PlaylistSearch = ReturnType<typeof usePlaylistSearch>

/** Indexes of the entries whose title or artist contains the text; none for a blank text. */
export function matchesOf(entries: readonly Entry[], text: string): readonly number[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  return entries.flatMap((entry, index) => {
    const shown = `${titleOf(entry)}\n${entry.video?.artistName ?? ''}`.toLowerCase()
    return shown.includes(wanted) ? [index] : []
  })
}

/** A search inside a playlist: its matches, and which of them is the current one. */
export function usePlaylistSearch(entries: readonly Entry[]) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const matches = useMemo(() => matchesOf(entries, text), [entries, text])
  const current = matches.length === 0 ? 0 : at % matches.length
  return {
    text,
    matches,
    /** Which of the matches, from 0. */
    current,
    /** Index of the entry that is shown; undefined without a match. */
    found: matches[current],
    setText: (next: string) => {
      setText(next)
      setAt(0)
    },
    /** To the next match (1) or the one before (-1), around the ends. */
    go: (by: 1 | -1) => setAt(matches.length === 0 ? 0 : (current + by + matches.length) % matches.length),
  }
}
