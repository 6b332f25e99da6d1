import { useState } from 'react'
import { useSession } from '../../../lib/session/session.tsx'
import { toast } from '../../../ui/toast.ts'
import { saveTheme, shownError } from './save-theme-draft.ts'
import type { ThemeDraft } from './use-theme-draft.ts'

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
