import { ApiError } from '../../../lib/api-error.ts'
import { toast } from '../../../ui/toast.ts'
import { forgetLocalTheme, isSameTheme, keepThemeHere } from '../../theme/local-theme.ts'
import { drafts } from '../drafts/account-drafts.ts'
import type { Draft } from '../drafts/draft-store.ts'
import { putTheme, renewThemeVersion } from './api.ts'
import { isThemeDraft, type ThemeDraftValue } from './theme-version.ts'

export const THEME_DRAFT = 'theme'

/** Saves the theme's draft, whether the customizer is open or not; see {@link saveTheme}. */
export async function saveThemeDraft({ key, value }: Draft): Promise<void> {
  if (isThemeDraft(value)) await saveTheme(value)
  else drafts.drop(key)
}

/**
 * Saves a theme for everybody. A station that does not answer leaves it in this browser and counts as success (docs/product/admin.md §4); a refusal is shown and thrown, and the draft stays, as it does when it was changed meanwhile.
 */
export async function saveTheme(value: ThemeDraftValue): Promise<void> {
  try {
    await putOverSame(value)
    forgetLocalTheme()
    dropIfSaved(value)
    toast({ title: 'Theme Saved', description: 'Every open page shows it now.', tone: 'success' })
  } catch (failure) {
    if (failure instanceof ApiError && !failure.isOutage) throw refusal(refusalText(failure))
    keepThemeHere(value.theme, value.base.theme)
    dropIfSaved(value)
    toast({
      title: 'Theme Saved',
      description: 'Saved locally: the station did not answer, so only this browser shows it.',
      tone: 'success',
      durationMs: 8_000,
    })
  }
}

/** Puts the theme in use over the one it is based on, also when somebody has saved that one again. */
async function putOverSame({ theme, base }: ThemeDraftValue): Promise<void> {
  try {
    await putTheme(theme, base.etag)
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.code !== 'precondition_failed') throw failure
    const current = await renewThemeVersion()
    if (!isSameTheme(current.theme, base.theme)) throw failure
    await putTheme(theme, current.etag)
  }
}

function dropIfSaved({ theme }: ThemeDraftValue): void {
  const known = drafts.find(THEME_DRAFT)?.value
  if (isThemeDraft(known) && isSameTheme(known.theme, theme)) drafts.drop(THEME_DRAFT)
}

/** An error that has been shown. */
export function refusal(text: string): Error {
  toast({ title: 'Error', description: text, tone: 'error' })
  return new Error(text)
}

function refusalText({ status, code, message }: ApiError): string {
  if (code === 'precondition_failed') return 'Another admin has saved a theme. Your changes are kept.'
  if (status === 401) return 'You must be logged in to save theme settings'
  return status === 403 ? 'Administrator access required to save theme settings' : message
}
