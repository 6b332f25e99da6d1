import type { ThemeBody } from '@looptide/contracts/http/admin'
import { useEffect, useState } from 'react'
import { paths } from '../../../app/paths.ts'
import { useActiveTheme } from '../../theme/api.ts'
import { isSameTheme, useLocalTheme } from '../../theme/local-theme.ts'
import { previewTheme } from '../../theme/theme-preview.ts'
import { drafts } from '../drafts/account-drafts.ts'
import { discardDraft } from '../drafts/discard-draft.ts'
import { useDraft, useDraftsReady } from '../drafts/use-drafts.ts'
import { useThemeVersion } from './api.ts'
import { THEME_DRAFT } from './save-theme-draft.ts'
import { isThemeDraft, mergeTheme, type ThemeDraftValue, themeConflict } from './theme-version.ts'

export type ThemeDraft = ReturnType<typeof useThemeDraft>

/** The theme in work on top of the one in use. While live preview is on, this page is drawn in it. */
export function useThemeDraft() {
  const { data: station, error, mutate } = useActiveTheme()
  const local = useLocalTheme(station)
  const version = useThemeVersion(station)
  const isReady = useDraftsReady()
  const { value: draft, isRestored } = useDraft(THEME_DRAFT, isThemeDraft)
  const [isLive, setLive] = useState(true)
  const inUse = local ?? station
  const edited = draft?.theme
  const theme = edited ?? inUse
  const base = draft?.base ?? version
  const isDirty = edited !== undefined && inUse !== undefined && !isSameTheme(edited, inUse)
  const conflict = themeConflict(draft, version)

  const keep = (value: ThemeDraftValue) =>
    drafts.put({
      key: THEME_DRAFT,
      kind: 'theme',
      label: 'Theme',
      path: paths.admin('theme-customizer'),
      value,
    })
  // On top of the newest draft, not of the one last drawn: two uploads may end one after the other.
  const change = (part: Partial<ThemeBody>) => {
    const known = drafts.find(THEME_DRAFT)?.value
    const newest = isThemeDraft(known) ? known : undefined
    const before = newest?.theme ?? inUse
    const from = newest?.base ?? version
    if (!before || !from) return
    const next = { ...before, ...part }
    if (inUse && isSameTheme(next, inUse)) drafts.drop(THEME_DRAFT)
    else keep({ theme: next, base: from })
  }
  useEffect(() => {
    previewTheme(isLive && isDirty && edited ? edited : null)
  }, [isLive, isDirty, edited])
  useEffect(() => () => previewTheme(null), [])

  return {
    /** Undefined until the station's own and its version are known. */
    theme: isReady && version ? theme : undefined,
    base,
    /** The theme that only this browser is drawn in, because the station could not take it. */
    local,
    isDirty,
    isRestored,
    isLive,
    setLive,
    change,
    /** Back to what is in use. */
    discard: () => discardDraft(THEME_DRAFT),
    /** What another admin has saved since the draft was begun. */
    conflict,
    merge: () => {
      if (draft && conflict) {
        keep({ theme: mergeTheme(draft.base.theme, draft.theme, conflict.theme), base: conflict })
      }
    },
    overwrite: () => {
      if (draft && conflict) keep({ ...draft, base: conflict })
    },
    hasFailed: error !== undefined && station === undefined,
    retry: () => void mutate(),
  }
}
