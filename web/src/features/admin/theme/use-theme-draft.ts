import type { ThemeBody } from '@looptide/contracts/http/admin'
import { useEffect, useState } from 'react'
import { useActiveTheme } from '../../theme/api.ts'
import { isSameTheme, useLocalTheme } from '../../theme/local-theme.ts'
import { previewTheme } from '../../theme/theme-preview.ts'

/** What is being tried; it stays while one looks at other pages, as long as the app is open. */
let unsaved: ThemeBody | undefined

export type ThemeDraft = ReturnType<typeof useThemeDraft>

/** The theme in work on top of the one in use. While live preview is on, this page is drawn in it. */
export function useThemeDraft() {
  const { data: station, error, mutate } = useActiveTheme()
  const local = useLocalTheme(station)
  const [edited, setEdited] = useState(unsaved)
  const [isLive, setLive] = useState(true)
  const inUse = local ?? station
  const theme = edited ?? inUse
  const isDirty = edited !== undefined && inUse !== undefined && !isSameTheme(edited, inUse)

  const edit = (next: ThemeBody | undefined) => {
    unsaved = next
    setEdited(next)
  }
  // On top of the newest draft, not of the one last drawn: two uploads may end one after the other.
  const change = (part: Partial<ThemeBody>) => {
    const base = unsaved ?? inUse
    if (base) edit({ ...base, ...part })
  }
  useEffect(() => {
    previewTheme(isLive && isDirty && edited ? edited : null)
  }, [isLive, isDirty, edited])
  useEffect(() => () => previewTheme(null), [])

  return {
    /** Undefined until the station has told its own. */
    theme,
    station,
    /** The theme that only this browser is drawn in, because the station could not take it. */
    local,
    isDirty,
    isLive,
    setLive,
    change,
    /** Back to what is in use. With `saved`, only if the draft has not been changed since that was saved. */
    discard: (saved?: ThemeBody) => {
      if (saved === undefined || unsaved === undefined || isSameTheme(unsaved, saved)) edit(undefined)
    },
    hasFailed: error !== undefined && station === undefined,
    retry: () => void mutate(),
  }
}
