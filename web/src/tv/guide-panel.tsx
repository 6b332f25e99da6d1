import type { Channel } from '@looptide/contracts/http/channels'
import type { GuideRow } from '@looptide/contracts/http/guide'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useGuideRows } from '../features/live/api.ts'
import { nowAndNextOf } from '../features/live/channel-switcher.tsx'
import { clockTime } from '../lib/time/date-locale.ts'
import { useServerNow } from '../lib/time/use-server-now.ts'
import { Progress, VideoName } from './parts.tsx'
import { ChannelMark } from './strips.tsx'
import type { Tv } from './use-tv.ts'

/** Channels that are shown at once: who looks for one far away types its number. */
const ROWS = 5
/** How often what is on now and next is determined again, in ms. */
const TICK_MS = 5_000

/** The channels with what is on each now and next. The list turns pages; it does not scroll. */
export function GuidePanel({ tv }: { tv: Tv }) {
  const { channels } = tv
  const [index, setIndex] = useState(() =>
    Math.max(
      0,
      channels.findIndex(({ id }) => id === tv.channelId),
    ),
  )
  const first = Math.floor(index / ROWS) * ROWS
  const list = useRef<HTMLOListElement>(null)
  const rows = useGuideRows()
  const nowMs = useServerNow(TICK_MS)
  useEffect(() => {
    list.current?.querySelectorAll('button')[index - first]?.focus()
  }, [index, first])

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    setIndex(Math.min(channels.length - 1, Math.max(0, index + step)))
  }
  const watch = (id: string) => {
    tv.setPanel(undefined)
    tv.watch(id)
  }
  const pages = Math.ceil(channels.length / ROWS)
  return (
    <>
      <div className="tv-main">
        <h2 className="tv-heading">Guide</h2>
        <ol ref={list} className="tv-list" start={first + 1} onKeyDown={onKeyDown}>
          {channels.slice(first, first + ROWS).map((channel, place) => (
            <li key={channel.id}>
              <button type="button" className="tv-item" onClick={() => watch(channel.id)}>
                <span className="tv-number">{first + place + 1}</span>
                <ChannelMark channel={channel} />
                <GuideLines
                  channel={channel}
                  row={rows?.find(({ channelId }) => channelId === channel.id)}
                  isWatched={channel.id === tv.channelId}
                  nowMs={nowMs}
                />
              </button>
            </li>
          ))}
        </ol>
      </div>
      <div className="tv-aside">
        <p className="tv-title">{clockTime(nowMs)}</p>
        <p>{channels[index]?.description}</p>
        {pages > 1 && (
          <p className="tv-muted">
            Channels {first + 1} to {Math.min(first + ROWS, channels.length)} of {channels.length}
          </p>
        )}
      </div>
    </>
  )
}

function GuideLines(props: {
  channel: Channel
  row: GuideRow | undefined
  isWatched: boolean
  nowMs: number
}) {
  const { channel, row, isWatched, nowMs } = props
  const { now, next } = row ? nowAndNextOf(row, nowMs) : {}
  return (
    <span className="tv-lines">
      <span className="tv-strong tv-name">
        <bdi>{channel.name}</bdi>
        {isWatched && <span className="tv-muted"> · watching</span>}
      </span>
      <span className="tv-line">
        {row?.status === 'idle' && 'Off the air'}
        {now && (
          <span className="tv-name">
            <VideoName {...now} />
          </span>
        )}
      </span>
      {now && <Progress key={now.startsAtMs} {...now} />}
      {next && (
        <span className="tv-line tv-muted">
          <span className="tv-when">{clockTime(next.startsAtMs)}</span>
          <span className="tv-name">
            <bdi>{next.title}</bdi>
          </span>
        </span>
      )}
    </span>
  )
}
