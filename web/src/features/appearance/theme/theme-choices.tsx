import { THEME_PRESETS, type ThemeBody } from '@looptide/contracts/http/themes'
import { isSameTheme } from '../../../lib/theme/local-theme.ts'
import { dateLocale } from '../../../lib/time/date-locale.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useSavedThemes } from './api.ts'

/** The ten presets. A click applies one and keeps the current images and card texts. */
export function PresetsTab({ theme, onChoose }: { theme: ThemeBody; onChoose: (preset: Preset) => void }) {
  return (
    <ul className="grid gap-3 sm:grid-cols-2 2xl:grid-cols-3" aria-label="Presets">
      {THEME_PRESETS.map((preset) => {
        const isChosen = isSameTheme(withOwnParts(theme, preset.theme), theme)
        return (
          <li key={preset.name}>
            <button
              type="button"
              aria-pressed={isChosen}
              onClick={() => onChoose({ name: preset.name, theme: withOwnParts(theme, preset.theme) })}
              className={classNames(
                'lift flex w-full items-center gap-4 rounded-md border p-3 text-left hover:bg-raised',
                isChosen ? 'border-accent bg-raised' : 'border-line',
              )}
            >
              <Swatches theme={preset.theme} />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-semibold">{preset.name}</span>
                <span className="block truncate text-sm text-muted">{preset.theme.fontFamily}</span>
              </span>
              {isChosen && <Icon name="check" className="size-5 text-link" />}
            </button>
          </li>
        )
      })}
    </ul>
  )
}

export interface Preset {
  name: string
  theme: ThemeBody
}

/** The colours, font and shape of a preset with the own images and card texts. */
const withOwnParts = (own: ThemeBody, preset: ThemeBody): ThemeBody => ({
  ...preset,
  logoUrl: own.logoUrl,
  heroBackgroundUrl: own.heroBackgroundUrl,
  cardStationName: own.cardStationName,
  cardNextText: own.cardNextText,
  cardPreviousText: own.cardPreviousText,
  cardCountdownText: own.cardCountdownText,
})

/** The colors of a theme as bars on its background. Hidden from screen readers. */
function Swatches({ theme }: { theme: ThemeBody }) {
  const bars = [theme.primaryColor, theme.secondaryColor, theme.accentColor, theme.textColor]
  return (
    <svg viewBox="0 0 64 44" className="h-11 w-16 shrink-0 rounded-sm" aria-hidden="true">
      <rect width="64" height="44" fill={theme.backgroundColor} />
      {bars.map((color, index) => (
        <rect key={BAR_X[index]} x={BAR_X[index]} y="10" width="9" height="24" rx="2" fill={color} />
      ))}
    </svg>
  )
}

const BAR_X = [8, 21, 34, 47]

/** Lists recently saved themes, to apply one again. */
export function SavedThemes(props: { shown: ThemeBody; onChoose: (theme: ThemeBody) => void }) {
  const { data, error, mutate } = useSavedThemes()
  const saved = data?.items
  return (
    <section className="grid gap-3" aria-labelledby="saved-themes">
      <h3 id="saved-themes" className="font-semibold">
        Previously Saved
      </h3>
      {!saved && !error && <Skeleton className="h-16" />}
      {!saved && error !== undefined && (
        <ErrorNotice text="Failed to load saved themes." onRetry={() => void mutate()} />
      )}
      {saved?.length === 0 && (
        <p className="text-sm text-muted">Saved themes are listed here, so that you can use them again.</p>
      )}
      {saved && saved.length > 0 && (
        <ul className="grid max-h-96 gap-2 overflow-y-auto p-1 sm:grid-cols-2">
          {saved.map(({ id, theme, createdAt }) => {
            const time = new Date(createdAt).toLocaleString(dateLocale, {
              dateStyle: 'medium',
              timeStyle: 'short',
            })
            return (
              <li key={id} className="flex items-center gap-3 rounded-md border border-line p-2">
                <Swatches theme={theme} />
                <span className="min-w-0 flex-1 text-sm">
                  <span className="block truncate font-medium">{time}</span>
                  <span className="block truncate text-muted">{theme.fontFamily}</span>
                </span>
                {isSameTheme(theme, props.shown) ? (
                  <span className="px-3 text-sm text-muted">Current</span>
                ) : (
                  <Button aria-label={`Use Again: theme of ${time}`} onClick={() => props.onChoose(theme)}>
                    Use Again
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}
