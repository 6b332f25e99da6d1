import type { ThemeBody } from '@looptide/contracts/http/themes'
import { useEffect, useState } from 'react'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { useActiveTheme } from '../../../lib/theme/api.ts'
import { isSameTheme, useLocalTheme } from '../../../lib/theme/local-theme.ts'
import { previewTheme } from '../../../lib/theme/theme-preview.ts'
import { toast } from '../../../ui/toast.ts'
import { discardDraft, drafts, useDraft, useDraftsReady } from '../../admin/drafts/account-drafts.ts'
import { useThemeVersion } from './api.ts'
import { saveTheme, shownError, THEME_DRAFT } from './save-theme-draft.ts'
import { isThemeDraft, mergeTheme, type ThemeDraftValue, themeConflict } from './theme-version.ts'

export type ThemeDraft = ReturnType<typeof useThemeDraft>

/** The edited theme on top of the active one. With live preview this page uses it. */
export function useThemeDraft() {
  const { data: activeTheme, error, mutate } = useActiveTheme()
  const local = useLocalTheme(activeTheme)
  const { data: version, error: versionError, mutate: reloadVersion } = useThemeVersion(activeTheme)
  const isReady = useDraftsReady()
  const { value: draft, isRestored } = useDraft(THEME_DRAFT, isThemeDraft)
  const [isLive, setLive] = useState(true)
  const inUse = local ?? activeTheme
  const edited = draft?.theme
  const theme = edited ?? inUse
  const base = draft?.base ?? version
  const isDirty = edited !== undefined && inUse !== undefined && !isSameTheme(edited, inUse)
  const conflict = themeConflict(draft, version)

  // Based on the newest draft, not on the last rendered one: two uploads may end between two renders.
  const change = (part: Partial<ThemeBody>) => {
    const known = drafts.find(THEME_DRAFT)?.value
    const newest = isThemeDraft(known) ? known : undefined
    const before = newest?.theme ?? inUse
    const from = newest?.base ?? version
    if (!before || !from) return
    const next = { ...before, ...part }
    if (inUse && isSameTheme(next, inUse)) drafts.remove(THEME_DRAFT)
    else keep({ theme: next, base: from })
  }
  useLivePreview(isLive && isDirty && edited ? edited : null)

  return {
    /** Undefined until the active theme and its version are loaded. */
    theme: isReady && version ? theme : undefined,
    base,
    /** The theme saved only in this browser, because the server did not respond. */
    local,
    isDirty,
    isRestored,
    isLive,
    setLive,
    change,
    /** Discards the draft and returns to the active theme. */
    discard: () => discardDraft(THEME_DRAFT),
    /** The theme that another admin has saved since the draft was started. */
    conflict,
    merge: () => {
      if (draft && conflict) {
        keep({ theme: mergeTheme(draft.base.theme, draft.theme, conflict.theme), base: conflict })
      }
    },
    overwrite: () => {
      if (draft && conflict) keep({ ...draft, base: conflict })
    },
    hasFailed:
      (error !== undefined && activeTheme === undefined) ||
      (versionError !== undefined && version === undefined),
    retry: () => {
      void mutate()
      void reloadVersion()
    },
  }
}

const keep = (value: ThemeDraftValue): void =>
  drafts.put({
    key: THEME_DRAFT,
    kind: 'theme',
    label: 'Theme',
    path: paths.admin('theme-customizer'),
    value,
  })

/** Draws this page in a theme; null ends the preview. */
function useLivePreview(theme: ThemeBody | null): void {
  useEffect(() => previewTheme(theme), [theme])
  useEffect(() => () => previewTheme(null), [])
}

/** Saves the shown theme, see {@link saveTheme}. Shows a toast if there is nothing to save. */
export function useThemeSave({ theme, base, isDirty, local }: ThemeDraft) {
  const { status } = useSession()
  const [isBusy, setBusy] = useState(false)
  const isSaved = !isDirty && !local

  const save = async () => {
    if (!theme || !base || isBusy) return
    if (status !== 'signed-in') throw shownError('You must be logged in to save theme settings')
    if (isSaved) return showUnchanged()
    setBusy(true)
    try {
      await saveTheme({ theme, base })
    } finally {
      setBusy(false)
    }
  }
  /** Called by Save Changes, which saves the draft itself: saves a theme that is only in this browser. */
  const saveLocal = async () => {
    if (!isDirty) await save()
  }
  return { save, saveLocal, isBusy }
}

function showUnchanged(): void {
  toast({ title: 'Theme Saved', description: 'There are no changes to save.', tone: 'success' })
}
