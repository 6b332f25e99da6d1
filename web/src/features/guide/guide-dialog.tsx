import type { Programme } from '@looptide/contracts/http/channels'
import { formatDuration } from '@looptide/playhead/duration'
import { useEffect, useId, useState } from 'react'
import { serverClock } from '../../lib/clients.ts'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useGuide } from './api.ts'
import { type GuideHour, groupByHour, namesOf } from './group-by-hour.ts'

const TICK_MS = 15_000

const clockTime = (epochMs: number): string =>
  new Date(epochMs).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })

/** What will play within the next 24 hours, hour by hour: the very rows that the player plays. */
export function GuideDialog({ channelId, onClose }: { channelId: string; onClose: () => void }) {
  return (
    <Dialog title="TV Guide" description="24/7 Live Stream" isOpen onClose={onClose} width="medium">
      <Hours channelId={channelId} />
    </Dialog>
  )
}

function Hours({ channelId }: { channelId: string }) {
  const { data, error, mutate } = useGuide(channelId)
  const nowMs = useServerNow()
  if (error && !data) return <ErrorNotice text="The guide cannot be loaded." onRetry={() => void mutate()} />
  if (!data) return <HoursSkeleton />
  const hours = groupByHour(data.programmes, nowMs)
  if (hours.length === 0) return <EmptyNotice title="Nothing is planned on this channel" />
  return (
    <div className="grid gap-1.5">
      {hours.map((hour, index) => (
        <Hour key={hour.startsAtMs} hour={hour} nowMs={nowMs} isFirst={index === 0} />
      ))}
    </div>
  )
}

/** An hour, named by its artists, that opens to the exact tracks; the current one is open. */
function Hour(props: { hour: GuideHour<Programme>; nowMs: number; isFirst: boolean }) {
  const { startsAtMs, programmes } = props.hour
  const [isOpen, setOpen] = useState(props.isFirst)
  const listId = useId()
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setOpen(!isOpen)}
        className="lift -mx-3 grid w-[calc(100%+1.5rem)] grid-cols-[4.5rem_minmax(0,1fr)_auto] items-baseline gap-3 rounded-md px-3 py-2.5 text-left hover:bg-raised"
      >
        <span className="text-sm font-semibold tabular-nums">{clockTime(startsAtMs)}</span>
        <span className="truncate text-sm text-muted">
          {namesOf(programmes.map(({ video }) => video.artistName))}
        </span>
        <span aria-hidden="true" className="text-muted">
          {isOpen ? '−' : '+'}
        </span>
      </button>
      <ol id={listId} hidden={!isOpen} className="pb-3">
        {isOpen &&
          programmes.map((programme) => <Row key={programme.id} programme={programme} nowMs={props.nowMs} />)}
      </ol>
    </div>
  )
}

function Row({ programme, nowMs }: { programme: Programme; nowMs: number }) {
  const isOn = programme.startsAtMs <= nowMs && nowMs < programme.endsAtMs
  return (
    <li
      aria-current={isOn ? 'true' : undefined}
      className={classNames(
        '-mx-3 grid grid-cols-[4.5rem_minmax(0,1fr)_auto] items-baseline gap-3 rounded-md px-3 py-1.5 [content-visibility:auto]',
        isOn && 'bg-raised',
      )}
    >
      <span className="text-sm text-muted tabular-nums">{clockTime(programme.startsAtMs)}</span>
      <span className="min-w-0">
        <span className="block truncate font-medium">{programme.video.title}</span>
        <span className="block truncate text-sm text-muted">
          {programme.video.artistName}
          {isOn && <span className="font-semibold text-text"> • On now</span>}
        </span>
      </span>
      <span className="text-sm text-muted tabular-nums">
        {formatDuration(programme.endsAtMs - programme.startsAtMs)}
      </span>
    </li>
  )
}

/** The server's time, looked at every 15 s: enough for a list by minutes. */
function useServerNow(): number {
  const [nowMs, setNowMs] = useState(serverClock.nowMs)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverClock.nowMs()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}

function HoursSkeleton() {
  return (
    <div role="status" aria-label="Loading the guide" className="grid gap-3">
      {Array.from({ length: 10 }, (_, index) => (
        <Skeleton key={String(index)} className="h-11" />
      ))}
    </div>
  )
}
