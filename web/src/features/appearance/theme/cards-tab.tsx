import type { ThemeBody } from '@looptide/contracts/http/themes'
import type { CSSProperties, ReactNode } from 'react'
import { useBrand } from '../../../lib/api/use-config.ts'
import { cardTextsOf } from '../../../lib/theme/card-texts.ts'
import { themeVariables } from '../../../lib/theme/theme-variables.ts'
import { TextField } from '../../../ui/field.tsx'
import { CountdownCard, StationCard, VideosCard } from '../../../ui/programme-cards.tsx'

const MAX_LENGTH = 60

const SAMPLES = [
  { id: '1', title: 'The next video', artistName: 'Its artist', thumbnailUrl: null },
  { id: '2', title: 'The video after it', artistName: 'Another artist', thumbnailUrl: null },
  { id: '3', title: 'A third one', artistName: 'Another artist', thumbnailUrl: null },
]

const LAST = { id: '0', title: 'The last video', artistName: 'Its artist', thumbnailUrl: null }

/** The texts of the cards between videos, with a preview of each card. */
export function CardsTab(props: { theme: ThemeBody; onChange: (part: Partial<ThemeBody>) => void }) {
  const { theme, onChange } = props
  const { name } = useBrand()
  const texts = cardTextsOf(theme, name)
  return (
    <div className="grid gap-5">
      <p className="max-w-prose text-sm text-muted">
        Schedules show these cards between two videos. The station card also shows the logo from Assets.
      </p>
      <div className="grid gap-6 lg:grid-cols-2">
        <CardSetting
          theme={theme}
          preview={<StationCard name={texts.cardStationName} logoUrl={theme.logoUrl} />}
          field={
            <TextField
              label="Station name"
              hint={`Empty: ${name}`}
              maxLength={MAX_LENGTH}
              value={theme.cardStationName}
              onChange={({ target }) => onChange({ cardStationName: target.value })}
            />
          }
        />
        <CardSetting
          theme={theme}
          preview={<VideosCard heading={texts.cardNextText} videos={SAMPLES} />}
          field={
            <RequiredField
              label="Heading of the next videos"
              value={theme.cardNextText}
              onChange={(cardNextText) => onChange({ cardNextText })}
            />
          }
        />
        <CardSetting
          theme={theme}
          preview={<VideosCard heading={texts.cardPreviousText} videos={[LAST]} />}
          field={
            <RequiredField
              label="Heading of the last video"
              value={theme.cardPreviousText}
              onChange={(cardPreviousText) => onChange({ cardPreviousText })}
            />
          }
        />
        <CardSetting
          theme={theme}
          preview={
            <CountdownCard heading={texts.cardCountdownText} name="Friday Night Gold" secondsLeft={12} />
          }
          field={
            <RequiredField
              label="Heading of the countdown"
              value={theme.cardCountdownText}
              onChange={(cardCountdownText) => onChange({ cardCountdownText })}
            />
          }
        />
      </div>
    </div>
  )
}

/** The card above its text. It is hidden from screen readers, because its seconds and videos are samples. */
function CardSetting(props: { theme: ThemeBody; preview: ReactNode; field: ReactNode }) {
  return (
    <div className="grid content-start gap-3">
      <div aria-hidden="true" style={themeVariables(props.theme) as CSSProperties}>
        <div className="dark-surface relative aspect-video overflow-hidden rounded-md border border-line font-sans">
          {props.preview}
        </div>
      </div>
      {props.field}
    </div>
  )
}

function RequiredField(props: { label: string; value: string; onChange: (value: string) => void }) {
  const { label, value, onChange } = props
  const error = value.trim() === '' ? 'Enter a text.' : undefined
  return (
    <TextField
      label={label}
      error={error}
      maxLength={MAX_LENGTH}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
