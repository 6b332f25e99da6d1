import { useState } from 'react'
import { ApiError } from '../../../lib/api-error.ts'
import { useSession } from '../../../lib/session.tsx'
import { toast } from '../../../ui/toast.ts'
import { forgetLocalTheme, keepThemeHere } from '../../theme/local-theme.ts'
import { useSaveTheme } from './api.ts'
import type { ThemeDraft } from './use-theme-draft.ts'

/**
 * Saves the draft for everybody. A station that does not answer leaves it in this browser and counts as success
 * (admin specification §4); a refusal is told and thrown, and the draft stays.
 */
export function useThemeSave(draft: ThemeDraft) {
  const { status } = useSession()
  const save = useSaveTheme()
  const [isBusy, setBusy] = useState(false)

  const attempt = async () => {
    const { theme, station } = draft
    if (!theme || !station || isBusy) return
    if (status !== 'signed-in') throw refusal('You must be logged in to save theme settings')
    if (!draft.isDirty && !draft.local) {
      toast({ title: 'Theme Saved', description: 'Nothing had changed.', tone: 'success' })
      return
    }
    setBusy(true)
    try {
      await save(theme)
      forgetLocalTheme()
      draft.discard(theme)
      toast({ title: 'Theme Saved', description: 'Every open page shows it now.', tone: 'success' })
    } catch (failure) {
      if (failure instanceof ApiError && !failure.isOutage) throw refusal(refusalText(failure))
      keepThemeHere(theme, station)
      draft.discard(theme)
      toast({
        title: 'Theme Saved',
        description: 'Saved locally: the station did not answer, so only this browser shows it.',
        tone: 'success',
        durationMs: 8_000,
      })
    } finally {
      setBusy(false)
    }
  }
  return { save: attempt, isBusy }
}

/** An error that has been told. */
function refusal(text: string): Error {
  toast({ title: 'Error', description: text, tone: 'error' })
  return new Error(text)
}

function refusalText({ status, message }: ApiError): string {
  if (status === 401) return 'You must be logged in to save theme settings'
  return status === 403 ? 'Administrator access required to save theme settings' : message
}
