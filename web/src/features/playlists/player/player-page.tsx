import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { usePageTitle } from '../../../lib/browser/use-page-title.ts'
import type { PlayerTab } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { ReviewNote } from '../../../ui/review-note.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { toast } from '../../../ui/toast.ts'
import { fetchPlaylist } from '../api.ts'
import { AddVideosPanel } from './add-videos-panel.tsx'
import { PlayerView } from './player-view.tsx'
import { PlaylistsPanel } from './playlists/playlists-panel.tsx'
import { currentEntry, type QueueEntry } from './queue/queue.ts'
import { readResume } from './resume.ts'
import { type PlayerState, usePlayer } from './use-player.ts'

const LAYOUTS = {
  /** The picture as large as possible with the controls on the screen, and the queue beside it. */
  wide: 'grid gap-6 lg:grid-cols-[minmax(0,max(24rem,calc((100dvh-22rem)*16/9)))_minmax(22rem,1fr)]',
  /** A small picture next to the other tabs, which continues to play. */
  aside: 'grid items-start gap-8 lg:grid-cols-[20rem_minmax(0,1fr)]',
  alone: '',
} as const

const tabOf = (text: string | null): PlayerTab => (text === 'add' || text === 'playlists' ? text : 'player')

/** The playlist player with three tabs: player, add videos, and the user's playlists. */
export function PlayerPage() {
  usePageTitle('Playlist Player')
  const player = usePlayer()
  const [query, setQuery] = useSearchParams()
  const tab = tabOf(query.get('tab'))
  const selectedId = query.get('playlist') ?? undefined
  const isEmpty = player.queue.entries.length === 0
  const show = (next: { tab: PlayerTab; playlist?: string | undefined }) =>
    setQuery(
      { ...(next.tab !== 'player' && { tab: next.tab }), ...(next.playlist && { playlist: next.playlist }) },
      { replace: true },
    )
  useLinkedPlaylist(player, {
    isPlayerShown: tab === 'player',
    play: query.get('play') ?? undefined,
    playlist: selectedId,
    show: (playlist) => show({ tab: 'player', playlist }),
  })

  return (
    <main id="main" className="mx-auto max-w-[110rem] px-4 py-6 sm:px-6">
      <h1 className="sr-only">Playlist Player</h1>
      <Tabs<PlayerTab>
        label="Playlist Player"
        value={tab}
        listClassName="sm:max-w-xl"
        onChange={(next) => show({ tab: next, playlist: selectedId })}
        beside={{
          className: tab === 'player' ? LAYOUTS.wide : isEmpty ? LAYOUTS.alone : LAYOUTS.aside,
          content:
            tab === 'player' || !isEmpty ? (
              <PlayerView
                player={player}
                isSmall={tab !== 'player'}
                onTab={(next) => show({ tab: next, playlist: selectedId })}
              />
            ) : null,
        }}
        tabs={[
          { id: 'player', label: 'Player', content: <QueueList player={player} /> },
          { id: 'add', label: 'Add Videos', content: <AddVideosPanel player={player} /> },
          {
            id: 'playlists',
            label: 'Playlists',
            content: (
              <PlaylistsPanel
                player={player}
                selectedId={selectedId}
                onSelect={(playlist) => show({ tab: 'playlists', playlist })}
                onPlaying={(playlist) => show({ tab: 'player', playlist })}
              />
            ),
          },
        ]}
      />
    </main>
  )
}

interface PlayerLink {
  isPlayerShown: boolean
  /** The playlist to start. */
  play: string | undefined
  /** The playlist of the Player tab: the one that is loaded. */
  playlist: string | undefined
  /** Replaces the URL by that of the Player tab with a playlist. */
  show: (playlist: string | undefined) => void
}

/**
 * Plays the playlist named in the URL when the page opens, and the stored queue if that is the playlist or none is named.
 * Afterwards the URL of the Player tab follows the loaded playlist. The session must be known; visitors are asked to sign
 * in.
 */
function useLinkedPlaylist(player: PlayerState, link: PlayerLink): void {
  const { status, userId } = useSession()
  const [openedWith, setOpenedWith] = useState(link.isPlayerShown ? link.playlist : undefined)
  const loadedId = player.playlist?.id
  if (openedWith !== undefined && openedWith === loadedId) setOpenedWith(undefined)
  const wanted = link.play ?? openedWith
  useAutoplay(player, wanted === undefined, link.isPlayerShown)

  const start = useEffectEvent(async (id: string) => {
    const playlist = await fetchPlaylist(id, userId).catch(() => undefined)
    if (playlist) await player.play(playlist)
    else toast({ title: 'Failed to load playlists', tone: 'error' })
    if (status === 'signed-in') setOpenedWith(undefined)
    link.show(playlist && id)
  })
  useEffect(() => {
    if (wanted !== undefined && status !== 'unknown') void start(wanted)
  }, [wanted, status])

  const isStale = link.isPlayerShown && wanted === undefined && link.playlist !== loadedId
  const follow = useEffectEvent(() => link.show(loadedId))
  useEffect(() => {
    if (isStale && status === 'signed-in') follow()
  }, [isStale, status])
}

/**
 * Plays the stored queue as soon as the session is known: after a reload if it was playing before, otherwise if the
 * Player tab is open. The browser may require a user gesture.
 */
function useAutoplay(player: PlayerState, keepsQueue: boolean, isPlayerShown: boolean): void {
  const { status } = useSession()
  const start = useEffectEvent(() => {
    const entry = currentEntry(player.queue)
    if (keepsQueue && entry && (readResume(entry.key)?.isPlaying ?? isPlayerShown)) player.setPlaying(true)
  })
  useEffect(() => {
    if (status === 'signed-in') start()
  }, [status])
}

/** The queue; a press on an entry plays it. */
function QueueList({ player }: { player: PlayerState }) {
  const { queue, playlist } = player
  const hasEntries = queue.entries.length > 0
  return (
    <section aria-label="Queue" className="rounded-lg border border-line/60 bg-panel">
      <header className="flex min-h-14 items-center gap-3 border-b border-line/60 py-1.5 pr-2 pl-4">
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold">Queue</h2>
          {playlist && <p className="truncate text-sm text-muted">{playlist.name}</p>}
        </div>
        {hasEntries && (
          <Button tone="plain" onClick={player.clear}>
            Clear
          </Button>
        )}
      </header>
      {hasEntries ? (
        <ol className="max-h-96 overflow-y-auto overscroll-contain p-2 lg:max-h-[min(24rem,60dvh)]">
          {queue.entries.map((entry, index) => (
            <QueueLine
              key={entry.key}
              entry={entry}
              number={index + 1}
              isCurrent={index === queue.current}
              onPlay={() => player.jumpTo(index)}
            />
          ))}
        </ol>
      ) : (
        <p className="px-4 py-8 text-center text-sm text-muted">Videos you add appear here.</p>
      )}
    </section>
  )
}

function QueueLine(props: { entry: QueueEntry; number: number; isCurrent: boolean; onPlay: () => void }) {
  const { entry, number, isCurrent, onPlay } = props
  const { title, artistName, duration, metadataStatus } = entry.video
  const line = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isCurrent) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    <li ref={line}>
      <button
        type="button"
        aria-current={isCurrent}
        onClick={onPlay}
        className={classNames(
          'lift flex min-h-13 w-full items-center gap-3 rounded-md px-2 py-1.5 text-left hover:bg-raised',
          isCurrent && 'bg-raised',
        )}
      >
        <span
          className={classNames(
            'w-7 shrink-0 text-right text-sm tabular-nums',
            isCurrent ? 'font-bold text-accent' : 'text-muted',
          )}
        >
          {number}
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate text-sm font-medium">{title}</span>
          <span className="block truncate text-sm text-muted">
            {metadataStatus === 'unavailable' ? 'Unavailable' : artistName}
          </span>
          <ReviewNote video={entry.video} />
        </span>
        <span className="text-sm text-muted tabular-nums">{duration}</span>
      </button>
    </li>
  )
}
