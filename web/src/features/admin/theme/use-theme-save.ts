import { useState } from 'react'
import { useSession } from '../../../lib/session.tsx'
import { toast } from '../../../ui/toast.ts'
import { refusal, saveTheme } from './save-theme-draft.ts'
import type { ThemeDraft } from './use-theme-draft.ts'

/** Saves the theme that is shown, see {@link saveTheme}; says so when there is nothing to save. */
export function useThemeSave({ theme, base, isDirty, local }: ThemeDraft) {
  const { status } = useSession()
  const [isBusy, setBusy] = useState(false)
  const hasNothing = !isDirty && !local

  const save = async () => {
    if (!theme || !base || isBusy) return
    if (status !== 'signed-in') throw refusal('You must be logged in to save theme settings')
    if (hasNothing) return sayUnchanged()
    setBusy(true)
    try {
      await saveTheme({ theme, base })
    } finally {
      setBusy(false)
    }
  }
  /** For Save Changes, which saves drafts by itself. */
  const saveRest = async () => {
    if (!isDirty) await save()
  }
  return { save, saveRest, isBusy }
}

function sayUnchanged(): void {
  toast({ title: 'Theme Saved', description: 'Nothing had changed.', tone: 'success' })
}
