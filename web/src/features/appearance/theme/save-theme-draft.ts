import { ApiError, isVersionConflict } from '../../../lib/api/api-error.ts'
import { forgetLocalTheme, isSameTheme, keepThemeHere } from '../../../lib/theme/local-theme.ts'
import { toast } from '../../../ui/toast.ts'
import { drafts } from '../../admin/drafts/account-drafts.ts'
import type { Draft } from '../../admin/drafts/draft-store.ts'
import { activateTheme, reloadThemeVersion } from './api.ts'
import { isThemeDraft, type ThemeDraftValue } from './theme-version.ts'

export const THEME_DRAFT = 'theme'

/** Saves the theme draft, even if the customizer is not open; see {@link saveTheme}. */
export async function saveThemeDraft({ key, value }: Draft): Promise<void> {
  if (isThemeDraft(value)) await saveTheme(value)
  else drafts.remove(key)
}

/**
 * Saves a theme for everyone. If the server does not respond, the theme is saved in this browser, which counts as
 * success (docs/product/admin.md §4). A rejection is shown and thrown. The draft is kept after a rejection, and also if
 * it was changed during the save.
 */
export async function saveTheme(value: ThemeDraftValue): Promise<void> {
  try {
    await activateOverSame(value)
    forgetLocalTheme()
    removeDraftIfSaved(value)
    toast({ title: 'Theme Saved', description: 'Applied to all open pages.', tone: 'success' })
  } catch (failure) {
    if (failure instanceof ApiError && !failure.isOutage) throw shownError(rejectionText(failure), failure)
    keepThemeHere(value.theme, value.base.theme)
    removeDraftIfSaved(value)
    toast({
      title: 'Theme Saved',
      description: 'Saved locally: the server did not respond, so only this browser uses it.',
      tone: 'success',
      durationMs: 8_000,
    })
  }
}

/** Activates the theme. If the version differs but the active theme equals the draft's base, it is overwritten. */
async function activateOverSame({ theme, base }: ThemeDraftValue): Promise<void> {
  try {
    await activateTheme(theme, base.etag)
  } catch (failure) {
    if (!isVersionConflict(failure)) throw failure
    const current = await reloadThemeVersion()
    if (!isSameTheme(current.theme, base.theme)) throw failure
    await activateTheme(theme, current.etag)
  }
}

function removeDraftIfSaved({ theme }: ThemeDraftValue): void {
  const known = drafts.find(THEME_DRAFT)?.value
  if (isThemeDraft(known) && isSameTheme(known.theme, theme)) drafts.remove(THEME_DRAFT)
}

/** Shows an error as a toast and returns it to be thrown; `cause` is the failed request. */
export function shownError(text: string, cause?: ApiError): Error {
  toast({ title: 'Error', description: text, tone: 'error' })
  return new Error(text, { cause })
}

function rejectionText(failure: ApiError): string {
  const { status, message } = failure
  if (isVersionConflict(failure)) return 'Another admin has saved a theme. Your changes are kept.'
  if (status === 401) return 'You must be logged in to save theme settings'
  return status === 403 ? 'Administrator access required to save theme settings' : message
}
