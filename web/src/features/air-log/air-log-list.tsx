import type { AirLogEntry } from '@looptide/contracts/http/channels'
import { formatDuration } from '@looptide/playhead/duration'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { ReactionCounts } from '../../lib/reaction-counts.tsx'
import { clockTime } from '../../lib/time/date-locale.ts'
import { buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { LiveBadge } from '../../ui/live-badge.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { dayTitle, groupByDay } from './air-log-time.ts'
import { useAiringFacts } from './api.ts'

interface ListProps {
  entries: readonly AirLogEntry[]
  /** The selected instant: its programme is marked and scrolled into view. */
  atMs: number | undefined
  nowMs: number
  keep: (video: { id: string; title: string }) => ReactNode
}

const wasOn = ({ startedAtMs, endedAtMs }: AirLogEntry, atMs: number): boolean =>
  startedAtMs <= atMs && atMs < endedAtMs

/** The programmes, newest first, grouped by day. */
export function AirLogList({ entries, atMs, nowMs, keep }: ListProps) {
  const found = atMs === undefined ? undefined : entries.find((entry) => wasOn(entry, atMs))
  return (
    <div className="grid gap-8">
      {groupByDay(entries).map((group) => (
        <section key={group.day} aria-label={dayTitle(group.startsAtMs, nowMs)}>
          <h2 className="sticky top-16 z-10 -mx-2 bg-canvas/90 px-2 py-2 text-lg font-semibold backdrop-blur-sm">
            {dayTitle(group.startsAtMs, nowMs)}
          </h2>
          <ol className="grid">
            {group.entries.map((entry) => (
              <Entry
                key={entry.id}
                entry={entry}
                isFound={entry === found}
                isOn={wasOn(entry, nowMs)}
                keep={keep}
              />
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

function Entry(props: { entry: AirLogEntry; isFound: boolean; isOn: boolean; keep: ListProps['keep'] }) {
  const { entry, isFound, isOn, keep } = props
  const { title, artistName, startedAtMs, endedAtMs, videoId, isListed, thumbnailUrl } = entry
  const line = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isFound) line.current?.scrollIntoView({ block: 'center' })
  }, [isFound])
  return (
    <li
      ref={line}
      aria-current={isFound ? 'true' : undefined}
      className={classNames(
        'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 rounded-md border px-2 py-2 sm:grid-cols-[5rem_7rem_minmax(0,1fr)_auto] sm:gap-4',
        isFound ? 'border-accent bg-raised' : 'border-transparent hover:bg-panel',
      )}
    >
      <time
        dateTime={new Date(startedAtMs).toISOString()}
        className="text-sm text-muted tabular-nums max-sm:col-span-2"
      >
        {clockTime(startedAtMs)}
      </time>
      <Thumbnail url={thumbnailUrl} className="hidden rounded-sm sm:block" />
      <div className="min-w-0">
        <p className="flex items-center gap-2">
          <Link
            to={paths.airing(entry.channelId, startedAtMs)}
            className="line-clamp-2 rounded-sm font-medium wrap-anywhere hover:underline"
          >
            {title}
          </Link>
          {isOn && <LiveBadge className="shrink-0" />}
        </p>
        <p className="truncate text-sm text-muted">
          <bdi>{artistName}</bdi> <span aria-hidden="true">·</span>{' '}
          <span className="tabular-nums">{formatDuration(endedAtMs - startedAtMs)}</span>
          {isFound && <span className="font-semibold text-text"> · on at the selected time</span>}
        </p>
        <Facts entry={entry} />
      </div>
      {isListed && (
        <div className="flex items-center gap-1">
          <Link
            to={paths.live()}
            state={{ videoId }}
            aria-label={`Play: ${title}`}
            title="Play"
            className={buttonClass('plain', 'button-icon')}
          >
            <Icon name="play" />
          </Link>
          {keep({ id: videoId, title })}
        </div>
      )}
    </li>
  )
}

/** Who requested a programme, and what viewers thought of it, if anything is known. */
function Facts({ entry }: { entry: AirLogEntry }) {
  const facts = useAiringFacts(entry)
  if (facts === undefined) return null
  const { reactions, likes, requestedBy } = facts
  if (requestedBy === null && likes === 0 && Object.keys(reactions).length === 0) return null
  return (
    <div className="flex flex-wrap gap-x-3 text-sm text-muted">
      {requestedBy && (
        <span className="wrap-anywhere">
          {requestedBy.handle === null ? 'Requested by a viewer' : `Requested by @${requestedBy.handle}`}
        </span>
      )}
      <ReactionCounts counts={reactions} />
      {likes > 0 && <span className="tabular-nums">{likes === 1 ? '1 like' : `${likes} likes`}</span>}
    </div>
  )
}
