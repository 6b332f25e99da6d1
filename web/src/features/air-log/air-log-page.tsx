import type { Channel } from '@looptide/contracts/http/channels'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { useActiveChannels } from '../../lib/api/use-active-channels.ts'
import { useConfig } from '../../lib/api/use-config.ts'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { serverClock } from '../../lib/clients.ts'
import { liveChannelId } from '../../lib/live-channel.ts'
import { paths } from '../../lib/paths.ts'
import { clockTime } from '../../lib/time/date-locale.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AirLogList } from './air-log-list.tsx'
import { dayTitle, fromInputs, instantFrom, toInputs } from './air-log-time.ts'
import { useAirLog } from './api.ts'

type Keep = (video: { id: string; title: string }) => ReactNode

/** What was on: the air log of a channel, up to now or around an instant. `keep` renders the add-to-list button. */
export function AirLogPage({ keep }: { keep: Keep }) {
  usePageTitle('What was on')
  const { defaultChannelId } = useConfig()
  const [parameters, setParameters] = useSearchParams()
  const [openedMs] = useState(() => Math.floor(serverClock.nowMs()))
  const { data: known } = useActiveChannels()
  const channels = known ?? []
  const channelId = parameters.get('channel') ?? liveChannelId(defaultChannelId, known) ?? defaultChannelId
  const atMs = instantFrom(parameters.get('at'))
  const show = (channel: string, at: number | undefined) => {
    const { search } = new URL(
      paths.history({ channel, ...(at !== undefined && { at }) }),
      window.location.origin,
    )
    setParameters(search)
  }
  return (
    <main id="main" className="mx-auto grid max-w-5xl gap-8 px-4 py-8 sm:px-6">
      <header className="grid gap-5">
        <h1 className="text-3xl font-bold tracking-tight">What was on</h1>
        <WhenForm
          key={String(atMs)}
          channels={channels}
          channelId={channelId}
          atMs={atMs}
          nowMs={openedMs}
          onChannel={(channel) => show(channel, atMs)}
          onAt={(at) => show(channelId, at)}
        />
      </header>
      <Log key={`${channelId} ${atMs}`} channelId={channelId} atMs={atMs} openedMs={openedMs} keep={keep} />
    </main>
  )
}

function Log(props: { channelId: string; atMs: number | undefined; openedMs: number; keep: Keep }) {
  const { channelId, atMs, openedMs, keep } = props
  const log = useAirLog(channelId, Math.min(atMs ?? openedMs, openedMs))
  const { entries } = log
  if (!entries) {
    return log.error ? (
      <ErrorNotice text="The history could not be loaded." onRetry={log.retry} />
    ) : (
      <ListSkeleton />
    )
  }
  const nowMs = serverClock.nowMs()
  if (entries.length === 0) return <Nothing />
  const isFound = atMs === undefined || entries.some((e) => e.startedAtMs <= atMs && atMs < e.endedAtMs)
  return (
    <div className="grid gap-4">
      {!isFound && (
        <p role="status" className="rounded-md bg-panel px-4 py-3">
          Nothing was on at {clockTime(atMs)}, {dayTitle(atMs, nowMs)}. These are the closest programmes.
        </p>
      )}
      {log.hasLater && (
        <Button className="justify-self-center" onClick={log.loadLater}>
          Later
        </Button>
      )}
      <AirLogList entries={entries} atMs={atMs} nowMs={nowMs} keep={keep} />
      {log.hasEarlier ? (
        <Button className="justify-self-center" aria-disabled={log.isLoadingMore} onClick={log.loadEarlier}>
          {log.isLoadingMore ? 'Loading...' : 'Earlier'}
        </Button>
      ) : (
        <p className="py-4 text-center text-sm text-muted">Start of this channel’s history.</p>
      )}
    </div>
  )
}

function Nothing() {
  return (
    <EmptyNotice title="This channel has no history yet">
      <p>Choose another channel, or watch what is on now.</p>
      <Link to={paths.live()} className={buttonClass('primary')}>
        Watch Live TV
      </Link>
    </EmptyNotice>
  )
}

function ListSkeleton() {
  return (
    <div role="status" aria-label="Loading history" className="grid gap-2">
      <Skeleton className="mb-2 h-7 w-56" />
      {Array.from({ length: 10 }, (_, index) => (
        <Skeleton key={String(index)} className="h-18" />
      ))}
    </div>
  )
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The form to choose a channel and a time, with shortcuts. */
function WhenForm(props: {
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
        <Button type="submit" tone="primary" className="mt-7">
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
