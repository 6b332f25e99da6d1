import { THEME_PRESETS, type ThemeBody } from '@looptide/contracts/http/admin'
import { isSameTheme } from '../../../lib/theme/local-theme.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Swatches } from './swatches.tsx'

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
