import type { Channel } from '@looptide/contracts/http/channels'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { fromInputs, toInputs } from './air-log-time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The form to choose a channel and a time, with shortcuts. */
export function WhenForm(props: {
  channels: readonly Channel[]
  channelId: string
  /** The instant looked at (epoch ms); undefined for now. */
  atMs: number | undefined
  nowMs: number
  onChannel: (channelId: string) => void
  onAt: (atMs: number | undefined) => void
}) {
  const { channels, channelId, atMs, nowMs, onChannel, onAt } = props
  const [inputs, setInputs] = useState(() => toInputs(atMs ?? nowMs))
  const [error, setError] = useState<string>()
  const go = (instant: number | undefined) => {
    setInputs(toInputs(instant ?? nowMs))
    setError(undefined)
    onAt(instant)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const instant = fromInputs(inputs)
    if (instant === undefined) setError('Choose a date and time')
    else if (instant > nowMs) setError('This time is in the future. See the TV Guide.')
    else go(instant)
  }
  return (
    <div className="grid gap-3">
      <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-3">
        <SelectField
          label="Channel"
          choices={channels.map(({ id, name }) => ({ value: id, label: name }))}
          value={channelId}
          onChange={onChannel}
        />
        <TextField
          label="Date"
          type="date"
          required
          max={toInputs(nowMs).date}
          value={inputs.date}
          error={error}
          onChange={(event) => setInputs({ ...inputs, date: event.target.value })}
        />
        <TextField
          label="Time"
          type="time"
          required
          value={inputs.time}
          onChange={(event) => setInputs({ ...inputs, time: event.target.value })}
        />
        <Button type="submit" tone="primary" className="sm:mt-7">
          Show
        </Button>
      </form>
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">Quick choices</legend>
        <Button
          tone="plain"
          aria-pressed={atMs === undefined}
          className="aria-pressed:bg-raised"
          onClick={() => go(undefined)}
        >
          Now
        </Button>
        <Button tone="plain" onClick={() => go(nowMs - HOUR_MS)}>
          An hour ago
        </Button>
        <Button tone="plain" onClick={() => go(nowMs - DAY_MS)}>
          This time yesterday
        </Button>
        <Button tone="plain" onClick={() => go((atMs ?? nowMs) - DAY_MS)}>
          One day earlier
        </Button>
      </fieldset>
    </div>
  )
}
