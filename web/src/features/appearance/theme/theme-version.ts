import type { ThemeBody } from '@looptide/contracts/http/themes'
import { isSameTheme } from '../../../lib/theme/local-theme.ts'

/** A theme with its version (`etag`). */
export interface VersionedTheme {
  theme: ThemeBody
  etag: string
}

/** An unsaved theme and the saved one on which it is based. */
export interface ThemeDraftValue {
  theme: ThemeBody
  base: VersionedTheme
}

export const THEME_LABELS: Record<keyof ThemeBody, string> = {
  primaryColor: 'Primary Color',
  secondaryColor: 'Secondary Color',
  accentColor: 'Accent Color',
  backgroundColor: 'Background Color',
  textColor: 'Text Color',
  fontFamily: 'Font Family',
  fontSize: 'Font Size',
  borderRadius: 'Border Radius',
  logoUrl: 'Logo',
  heroBackgroundUrl: 'Hero Background',
  cardStationName: 'Station Name on Cards',
  cardNextText: 'Coming Up Next Card',
  cardPreviousText: 'You Just Saw Card',
  cardCountdownText: 'Countdown Card',
}
const FIELDS = Object.keys(THEME_LABELS) as (keyof ThemeBody)[]

/** Whether a stored value is a draft that this release can read. */
export function isThemeDraft(value: unknown): value is ThemeDraftValue {
  if (typeof value !== 'object' || value === null || !('theme' in value) || !('base' in value)) return false
  const { theme, base } = value as { theme: unknown; base: Partial<VersionedTheme> | null }
  return isTheme(theme) && isTheme(base?.theme) && typeof base?.etag === 'string'
}

const isTheme = (value: unknown): value is ThemeBody =>
  typeof value === 'object' && value !== null && FIELDS.every((field) => field in value)

/** The settings in which two themes differ. */
export const changedFields = (before: ThemeBody, after: ThemeBody): (keyof ThemeBody)[] =>
  FIELDS.filter((field) => before[field] !== after[field])

/** Three-way merge: `theirs` with the settings that `mine` changes against `base`. */
export function mergeTheme(base: ThemeBody, mine: ThemeBody, theirs: ThemeBody): ThemeBody {
  const own = changedFields(base, mine).map((field) => [field, mine[field]])
  return { ...theirs, ...(Object.fromEntries(own) as Partial<ThemeBody>) }
}

/** The theme that another admin has saved since the draft was started; undefined if it equals the draft's base. */
export function themeConflict(
  draft: ThemeDraftValue | undefined,
  current: VersionedTheme | undefined,
): VersionedTheme | undefined {
  if (!draft || !current || draft.base.etag === current.etag) return undefined
  return isSameTheme(draft.base.theme, current.theme) ? undefined : current
}
