import type { AiringDetails } from '@looptide/contracts/http/airing-details'
import type { AirLogEntry } from '@looptide/contracts/http/channels'
import { type ReactNode, Suspense } from 'react'
import { Link, useParams } from 'react-router-dom'
import { AgainFrom } from '../../lib/again-from.tsx'
import { useActiveChannels } from '../../lib/api/use-active-channels.ts'
import { useConfig } from '../../lib/api/use-config.ts'
import { part } from '../../lib/browser/part.tsx'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { serverClock } from '../../lib/clients.ts'
import { paths } from '../../lib/paths.ts'
import { ReactionCounts } from '../../lib/reaction-counts.tsx'
import { clockTime, dateLocale } from '../../lib/time/date-locale.ts'
import { whyText } from '../../lib/why-text.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { dayTitle, instantFrom } from './air-log-time.ts'
import { useAiring, useAirLogEntry } from './api.ts'

const AiredRequest = part(async () => (await import('../../lib/requests/aired-request.tsx')).AiredRequest)

interface AiringSlots {
  /** The chat of a channel in [fromMs, toMs). */
  chat: (range: { channelId: string; fromMs: number; toMs: number }) => ReactNode
  /** The add-to-list button. */
  keep: (video: { id: string; title: string }) => ReactNode
  /** What staff can do with the programme. */
  staff: (entry: { channelId: string; startedAtMs: number }) => ReactNode
}

/** One programme that was on: what it was, why it was on, and what viewers did meanwhile. */
export function AiringPage(slots: AiringSlots) {
  const { channelId = '', at = '' } = useParams()
  const atMs = instantFrom(at)
  const { data: entry, error, mutate } = useAirLogEntry(channelId, atMs)
  usePageTitle(entry ? `${entry.title} – ${entry.artistName}` : 'What was on')
  return (
    <main id="main" className="mx-auto grid max-w-6xl gap-6 px-4 py-8 sm:px-6">
      <Link
        to={paths.history({ channel: channelId, ...(atMs !== undefined && { at: atMs }) })}
        className={buttonClass('plain', 'justify-self-start -ml-3')}
      >
        <Icon name="back" />
        What was on
      </Link>
      {entry ? (
        <Airing key={entry.id} entry={entry} slots={slots} />
      ) : entry === null || atMs === undefined ? (
        <EmptyNotice title="Nothing was on at this time" heading="h1">
          <p>Programmes are kept for a time only. Choose another one in the history of the channel.</p>
        </EmptyNotice>
      ) : error ? (
        <ErrorNotice text="The programme could not be loaded." onRetry={() => void mutate()} />
      ) : (
        <div role="status" aria-label="Loading programme" className="grid gap-4">
          <Skeleton className="aspect-video max-w-xl" />
          <Skeleton className="h-9 w-2/3" />
        </div>
      )}
    </main>
  )
}

function Airing({ entry, slots }: { entry: AirLogEntry; slots: AiringSlots }) {
  const { channelId, startedAtMs, endedAtMs, videoId, title, artistName } = entry
  const { requests } = useConfig()
  const { data: airing } = useAiring(requests ? entry : null)
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,26rem)]">
      <article className="grid min-w-0 gap-5" aria-label={title}>
        <Thumbnail url={entry.thumbnailUrl} isEager className="max-h-[60dvh] w-full rounded-lg" />
        <div className="grid gap-1">
          <h1 className="text-3xl font-bold tracking-tight wrap-anywhere">{title}</h1>
          <p className="text-lg text-muted wrap-anywhere">
            <bdi>{artistName}</bdi>
          </p>
        </div>
        <When entry={entry} />
        <div className="flex flex-wrap items-center gap-2">
          {entry.isListed && (
            <>
              <Link to={paths.live()} state={{ videoId }} className={buttonClass('primary')}>
                <Icon name="play" />
                Play
              </Link>
              {slots.keep({ id: videoId, title })}
            </>
          )}
          <Link to={paths.airing(channelId, startedAtMs, '/again')} className={buttonClass('quiet')}>
            <Icon name="again" />
            Play this hour again
          </Link>
          {slots.staff({ channelId, startedAtMs })}
        </div>
        {!entry.isListed && <p className="text-muted">This video is not in the library.</p>}
        {airing && <Facts airing={airing} />}
        {airing && (
          <Suspense>
            <AiredRequest channelId={channelId} programmeId={airing.id} />
          </Suspense>
        )}
      </article>
      <section
        aria-labelledby="airing-chat"
        className="grid min-w-0 content-start gap-2 rounded-lg border border-line/60 bg-panel py-4"
      >
        <h2 id="airing-chat" className="px-4 text-lg font-semibold">
          Chat of these minutes
        </h2>
        {slots.chat({ channelId, fromMs: startedAtMs, toMs: endedAtMs })}
      </section>
    </div>
  )
}

function When({ entry }: { entry: AirLogEntry }) {
  const { startedAtMs, endedAtMs } = entry
  const { data: channels } = useActiveChannels()
  const channel = channels?.find(({ id }) => id === entry.channelId)
  const why = entry.reason && whyText({ block: null, reason: entry.reason })
  return (
    <div className="grid gap-1">
      <p className="tabular-nums">
        {dayTitle(startedAtMs, serverClock.nowMs())}, {clockTime(startedAtMs)} – {clockTime(endedAtMs)}
        {channel && ` on ${channel.name}`}
      </p>
      <p className="text-muted wrap-anywhere">
        {why ? `${why}.` : 'It was the next one in the list of the channel, which had no schedule.'}
      </p>
      {entry.reason?.again && <AgainFrom {...entry.reason.again} />}
    </div>
  )
}

const numbers = new Intl.NumberFormat(dateLocale)

function Facts({ airing }: { airing: AiringDetails }) {
  const { reactions, likes, messages, viewersAtStart, viewersAtEnd } = airing
  const isOn = airing.programme.endedAtMs > serverClock.nowMs()
  return (
    <section aria-labelledby="airing-facts" className="grid gap-3 border-t border-line/60 pt-4">
      <h2 id="airing-facts" className="text-lg font-semibold">
        {isOn ? 'So far' : 'What viewers did'}
      </h2>
      <ReactionCounts counts={reactions} className="text-lg" />
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
        <Fact name="Viewers at the start" value={viewersAtStart} />
        <Fact name="Viewers at the end" value={viewersAtEnd} />
        <Fact name="Likes" value={likes} />
        <Fact name="Messages" value={messages} />
      </dl>
    </section>
  )
}

function Fact({ name, value }: { name: string; value: number | null }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className={value === null ? 'text-muted' : 'text-xl font-semibold tabular-nums'}>
        {value === null ? 'Not counted' : numbers.format(value)}
      </dd>
    </div>
  )
}
