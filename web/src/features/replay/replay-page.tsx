import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useParams } from 'react-router-dom'
import { useConfig } from '../../lib/api/use-config.ts'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { PLAYER_WAKE_LOCK, useWakeLock } from '../../lib/browser/wake-lock.ts'
import type { Frame } from '../../lib/media/frame.ts'
import { VideoScreen } from '../../lib/media/video-screen.tsx'
import { paths } from '../../lib/paths.ts'
import { ReactionCounts } from '../../lib/reaction-counts.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { clockTime, dateLocale } from '../../lib/time/date-locale.ts'
import { Button, buttonClass, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useReactionPace, useReplay } from './api.ts'
import {
  airedRange,
  airTimeAt,
  indexAfterFailure,
  nextPlayable,
  REPLAY_MS,
  type ReplayItem,
  reactionsBy,
} from './replay.ts'

/** The chat of a channel in [fromMs, toMs), as it was at an instant. */
type Chat = (at: { channelId: string; fromMs: number; toMs: number; atMs: number }) => ReactNode

/** An hour of a channel, played again for this viewer alone, with the chat and the reactions at their original pace. */
export function ReplayPage({ chat }: { chat: Chat }) {
  usePageTitle('Play this hour again')
  const { channelId = '', at = '' } = useParams()
  const fromMs = Number(at)
  const { status } = useSession()
  const { items, error, retry } = useReplay(channelId, fromMs)
  const day = new Date(fromMs).toLocaleDateString(dateLocale, { dateStyle: 'full' })
  return (
    <main id="main" className="mx-auto grid max-w-[110rem] gap-5 px-4 py-6 sm:px-6">
      <header className="grid gap-1">
        <Link
          to={paths.airing(channelId, fromMs)}
          className={buttonClass('plain', '-ml-3 justify-self-start')}
        >
          <Icon name="back" />
          What was on
        </Link>
        <h1 className="text-2xl font-bold tracking-tight">Play this hour again</h1>
        <p className="text-muted tabular-nums">
          {day}, {clockTime(fromMs)} – {clockTime(fromMs + REPLAY_MS)}. It plays only for you.
        </p>
      </header>
      {status === 'signed-out' ? (
        <EmptyNotice title="Please sign in to watch videos">
          <Link
            to={paths.signIn(paths.airing(channelId, fromMs, '/again'))}
            className={buttonClass('primary')}
          >
            Sign In
          </Link>
        </EmptyNotice>
      ) : items ? (
        <Replay items={items} channelId={channelId} fromMs={fromMs} chat={chat} />
      ) : error ? (
        <ErrorNotice text="The hour could not be loaded." onRetry={retry} />
      ) : (
        <div role="status" aria-label="Loading the hour">
          <Skeleton className="aspect-video max-w-4xl" />
        </div>
      )}
    </main>
  )
}

function Replay(props: { items: readonly ReplayItem[]; channelId: string; fromMs: number; chat: Chat }) {
  const { items, channelId, fromMs } = props
  const player = useReplayPlayer(items)
  const { current } = player
  if (current === undefined)
    return (
      <EmptyNotice title="Nothing of this hour can be played again">
        <p>
          {items.length === 0
            ? 'Nothing was on.'
            : 'Its videos were deleted, are private, or may not be shown here.'}
        </p>
      </EmptyNotice>
    )
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,26rem)]">
      <section aria-label="Player" className="grid min-w-0 gap-4">
        <Screen player={player} />
        <NowPlaying player={player} channelId={channelId} />
      </section>
      <div className="grid min-w-0 gap-6">
        <section aria-labelledby="replay-chat" className="rounded-lg border border-line/60 bg-panel py-3">
          <h2 id="replay-chat" className="px-4 font-semibold">
            Chat at {clockTime(player.airTimeMs)}
          </h2>
          {props.chat({ channelId, fromMs, toMs: fromMs + REPLAY_MS, atMs: player.airTimeMs })}
        </section>
        <Programmes player={player} />
      </div>
    </div>
  )
}

/** Interval at which the player's position is read, in ms. */
const POSITION_MS = 500

/** What plays: the programme, whether it plays, and the time of the evening that its position is. */
function useReplayPlayer(items: readonly ReplayItem[]) {
  const [failed, setFailed] = useState<ReadonlySet<string>>(new Set())
  const [index, setIndex] = useState(() => nextPlayable(items, -1, failed))
  const [isPlaying, setPlaying] = useState(false)
  const [turn, setTurn] = useState(0)
  const [positionMs, setPositionMs] = useState<number>()
  const frame = useRef<Frame>(undefined)
  const item = index === undefined ? undefined : items[index]
  const video = item?.video
  const current = item && video && { entry: item.entry, video, range: airedRange(video, item.entry) }

  useEffect(() => {
    const timer = setInterval(() => {
      if (frame.current) setPositionMs(frame.current.positionS() * 1000)
    }, POSITION_MS)
    return () => clearInterval(timer)
  }, [])

  const goTo = (next: number | undefined) => {
    if (next === undefined) {
      setPlaying(false)
      return
    }
    setIndex(next)
    setTurn((known) => known + 1)
    setPositionMs(undefined)
    setPlaying(true)
  }
  const startMs = current?.range.startAtMs ?? 0
  return {
    items,
    failed,
    index,
    current,
    isPlaying,
    setPlaying,
    turn: `${index} ${turn}`,
    airTimeMs: current ? airTimeAt(current.entry, startMs, positionMs ?? startMs) : 0,
    next: index === undefined ? undefined : nextPlayable(items, index, failed),
    goTo,
    onFrame: (loaded: Frame | undefined) => {
      frame.current = loaded
    },
    onEnded: () => goTo(index === undefined ? undefined : nextPlayable(items, index, failed)),
    /** Marks the video and continues with the next one. After the last one it stops there. */
    onFailed: () => {
      if (item === undefined || index === undefined) return
      const known = new Set([...failed, item.entry.id])
      setFailed(known)
      const next = indexAfterFailure(items, index, known)
      if (next !== undefined && next !== index) return goTo(next)
      setIndex(next)
      setPlaying(false)
    },
  }
}

type ReplayPlayer = ReturnType<typeof useReplayPlayer>

/** The picture. Nothing is loaded before the viewer plays, and nothing is over it. */
function Screen({ player }: { player: ReplayPlayer }) {
  const { current, isPlaying, setPlaying } = player
  const { youtubeBaseUrl, isSettled } = useConfig()
  const [hasBegun, setBegun] = useState(false)
  useWakeLock(PLAYER_WAKE_LOCK, isPlaying)
  if (!current) return null
  if (isPlaying && !hasBegun) setBegun(true)
  return (
    <div className="dark-surface relative grid aspect-video min-h-50 w-full place-items-center overflow-hidden rounded-lg bg-black">
      {hasBegun ? (
        isSettled && (
          <VideoScreen
            video={current.video}
            range={current.range}
            turn={player.turn}
            isPlaying={isPlaying}
            youtubeBaseUrl={youtubeBaseUrl}
            onFrame={player.onFrame}
            onPlaying={setPlaying}
            onEnded={player.onEnded}
            onFailed={player.onFailed}
          />
        )
      ) : (
        <Button tone="primary" icon="play" className="px-6 text-base" onClick={() => setPlaying(true)}>
          Start
        </Button>
      )}
    </div>
  )
}

function NowPlaying({ player, channelId }: { player: ReplayPlayer; channelId: string }) {
  const { current, next, items } = player
  const pace = useReactionPace(channelId, current?.entry.id ?? '')
  if (!current) return null
  const { entry } = current
  const nextTitle = next === undefined ? undefined : items[next]?.entry.title
  return (
    <div className="grid gap-3">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-xl font-bold wrap-anywhere">{entry.title}</h2>
          <p className="text-muted">
            <bdi>{entry.artistName}</bdi>
          </p>
        </div>
        <IconButton
          icon={player.isPlaying ? 'pause' : 'play'}
          label={player.isPlaying ? 'Pause' : 'Play'}
          tone="primary"
          onClick={() => player.setPlaying(!player.isPlaying)}
        />
        <IconButton
          icon="next"
          label={nextTitle === undefined ? 'Next' : `Next: ${nextTitle}`}
          disabled={next === undefined}
          onClick={() => player.goTo(next)}
        />
      </div>
      <ReactionCounts counts={reactionsBy(pace, player.airTimeMs - entry.startedAtMs)} className="text-lg" />
    </div>
  )
}

/** The programmes of the hour; a press plays one. Those that cannot be played are marked. */
function Programmes({ player }: { player: ReplayPlayer }) {
  const { items, failed, index } = player
  return (
    <section aria-labelledby="replay-programmes" className="rounded-lg border border-line/60 bg-panel p-3">
      <h2 id="replay-programmes" className="px-2 pb-2 font-semibold">
        Programmes
      </h2>
      <ol className="max-h-96 overflow-y-auto overscroll-contain">
        {items.map(({ entry, video }, place) => {
          const isDead = video === undefined || failed.has(entry.id)
          return (
            <li key={entry.id}>
              <button
                type="button"
                aria-current={place === index}
                disabled={isDead}
                onClick={() => player.goTo(place)}
                className={classNames(
                  'flex min-h-11 w-full items-center gap-3 rounded-md px-2 py-1.5 text-left text-sm',
                  place === index ? 'bg-raised' : 'enabled:hover:bg-raised',
                )}
              >
                <span className="shrink-0 text-muted tabular-nums">{clockTime(entry.startedAtMs)}</span>
                <span className="min-w-0 flex-1 wrap-anywhere">
                  {entry.title}
                  {isDead && <span className="block text-muted">Cannot be played any longer</span>}
                </span>
              </button>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
