import { useEffect, useEffectEvent, useState } from 'react'
import { useConfig } from '../../../lib/api/use-config.ts'
import { PLAYER_WAKE_LOCK, useWakeLock } from '../../../lib/browser/wake-lock.ts'
import { LikeAction } from '../../../lib/likes/like-action.tsx'
import type { PlayerTab } from '../../../lib/paths.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { EmptyNotice } from '../../../ui/notice.tsx'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import { countView } from '../../videos/api.ts'
import { canSkip, currentEntry, type QueueEntry } from './queue/queue.ts'
import { QueueScreen } from './queue-screen.tsx'
import type { PlayerState } from './use-player.ts'

/** How long the message about an unplayable video is shown before the next one begins. */
const SKIP_AFTER_MS = 5_000

/** The picture, its title, and the controls. Stays mounted when the tab changes. */
export function PlayerView(props: {
  player: PlayerState
  isSmall: boolean
  onTab: (tab: PlayerTab) => void
}) {
  const { player, isSmall } = props
  const { queue, playlist } = player
  const entry = currentEntry(queue)
  if (!entry) return <NothingToPlay hasPlaylist={playlist !== null} onTab={props.onTab} />
  return (
    <section
      aria-label="Player"
      className={classNames('grid content-start gap-4', isSmall && 'lg:sticky lg:top-20')}
    >
      <Screen player={player} entry={entry} />
      <div className="relative grid gap-4">
        <div className="min-w-0">
          <h2
            className={classNames('font-bold wrap-anywhere', isSmall ? 'line-clamp-2 text-lg' : 'text-2xl')}
          >
            {entry.video.title}
          </h2>
          <p className="mt-1 text-muted">
            {entry.video.artistName}
            <span aria-hidden="true"> · </span>
            <span className="whitespace-nowrap">
              Video {queue.current + 1} of {queue.entries.length}
            </span>
            <span aria-hidden="true"> · </span>
            <span className="tabular-nums">{entry.video.duration}</span>
          </p>
        </div>
        <div className="flex flex-wrap items-center justify-center gap-2 sm:justify-between">
          <PlayerControls player={player} />
          <LikeAction key={entry.video.id} video={entry.video} isCompact tone="plain" />
        </div>
      </div>
    </section>
  )
}

function NothingToPlay({ hasPlaylist, onTab }: { hasPlaylist: boolean; onTab: (tab: PlayerTab) => void }) {
  return (
    <section
      aria-label="Player"
      className="grid min-h-80 content-center rounded-lg border border-line/60 bg-panel lg:min-h-[28rem]"
    >
      <EmptyNotice title={hasPlaylist ? 'No videos in playlist' : 'No videos loaded'}>
        {!hasPlaylist && <p>Add some YouTube videos or select a playlist to start playing.</p>}
        <div className="flex flex-wrap justify-center gap-2">
          <Button tone="primary" icon="plus" onClick={() => onTab('add')}>
            Add some videos
          </Button>
          <Button icon="list" onClick={() => onTab('playlists')}>
            Select a playlist
          </Button>
        </div>
      </EmptyNotice>
    </section>
  )
}

/** A poster with a play button: nothing is loaded from YouTube before the user plays. */
function Screen({ player, entry }: { player: PlayerState; entry: QueueEntry }) {
  const { queue, isPlaying } = player
  const [hasBegun, setBegun] = useState(isPlaying)
  const [failedTurn, setFailedTurn] = useState<string>()
  const { youtubeBaseUrl, isSettled } = useConfig()
  const turn = `${entry.key} ${queue.turn}`
  const hasFailed = failedTurn === turn
  if (isPlaying && !hasBegun) setBegun(true)
  useWakeLock(PLAYER_WAKE_LOCK, isPlaying)
  useViewCount(entry, turn, isPlaying)

  return (
    <div className="dark-surface relative aspect-video min-h-50 w-full overflow-hidden rounded-lg bg-black shadow-lift">
      {!hasBegun ? (
        <>
          <Poster player={player} entry={entry} />
          <p className="pointer-events-none absolute inset-x-0 bottom-3 text-center text-sm font-semibold">
            Press Play to start
          </p>
        </>
      ) : (
        isSettled && (
          <QueueScreen
            entryKey={entry.key}
            video={entry.video}
            turn={turn}
            isPlaying={isPlaying}
            youtubeBaseUrl={youtubeBaseUrl}
            onPlaying={player.onPlaying}
            onEnded={player.onEnded}
            onFailed={() => setFailedTurn(turn)}
          />
        )
      )}
      {hasFailed && <Failed key={turn} player={player} />}
    </div>
  )
}

function Poster({ player, entry }: { player: PlayerState; entry: QueueEntry }) {
  return (
    <button
      type="button"
      aria-label={`Play ${entry.video.title}`}
      onClick={() => player.setPlaying(true)}
      className="absolute inset-0 grid size-full place-items-center focus-visible:-outline-offset-4"
    >
      <span className="absolute inset-0 opacity-55">
        <Thumbnail url={entry.video.thumbnailUrl} isEager className="size-full" />
      </span>
      <span className="relative grid size-20 place-items-center rounded-full bg-primary text-on-primary shadow-lift">
        <Icon name="play" className="size-9" />
      </span>
    </button>
  )
}

/** Counts a view each time a video begins. */
function useViewCount(entry: QueueEntry, turn: string, isPlaying: boolean): void {
  const count = useEffectEvent(() => countView(entry.video.id))
  const [countedTurn, setCountedTurn] = useState<string>()
  const isDue = isPlaying && countedTurn !== turn
  useEffect(() => {
    if (!isDue) return
    setCountedTurn(turn)
    count()
  }, [isDue, turn])
}

/** The message for a video that cannot be played. With auto-advance the queue continues. */
function Failed({ player }: { player: PlayerState }) {
  const { queue } = player
  const goesOn = queue.autoAdvance && canSkip(queue) && queue.loop !== 'single'
  const skip = useEffectEvent(() => player.onEnded())
  useEffect(() => {
    if (!goesOn) return
    const timer = setTimeout(() => skip(), SKIP_AFTER_MS)
    return () => clearTimeout(timer)
  }, [goesOn])
  return (
    <div
      role="alert"
      className="absolute inset-0 grid place-content-center justify-items-center gap-4 bg-black p-6 text-center"
    >
      <p className="text-lg font-semibold">This video cannot be played here.</p>
      {canSkip(queue) ? (
        <Button tone="primary" icon="next" onClick={player.next}>
          Play the next video
        </Button>
      ) : (
        <p className="text-muted">Add another video, or choose a playlist.</p>
      )}
    </div>
  )
}

const LOOP_NAMES = { off: 'Loop: off', single: 'Loop: single', playlist: 'Loop: playlist' } as const
const PRESSED = 'aria-pressed:text-accent aria-pressed:bg-raised'

/** The player's buttons: shuffle, previous, play or pause, next, loop. */
function PlayerControls({ player }: { player: PlayerState }) {
  const { queue, isPlaying } = player
  const isAlone = !canSkip(queue)
  return (
    <fieldset aria-label="Playback" className="flex items-center justify-center gap-2 sm:justify-start">
      <IconButton
        icon="shuffle"
        label="Shuffle"
        aria-pressed={queue.shuffle}
        className={PRESSED}
        onClick={player.toggleShuffle}
      />
      <IconButton icon="previous" label="Previous" disabled={isAlone} onClick={player.previous} />
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? 'Pause' : 'Play'}
        tone="primary"
        className="size-14 rounded-full"
        onClick={() => player.setPlaying(!isPlaying)}
      />
      <IconButton icon="next" label="Next" disabled={isAlone} onClick={player.next} />
      <span className="relative">
        <IconButton
          icon="loop"
          label={LOOP_NAMES[queue.loop]}
          aria-pressed={queue.loop !== 'off'}
          className={PRESSED}
          onClick={player.cycleLoop}
        />
        {queue.loop === 'single' && (
          <span className="pointer-events-none absolute top-1 right-1 grid size-4 place-items-center rounded-full bg-accent text-xs font-bold text-on-accent">
            1
          </span>
        )}
      </span>
    </fieldset>
  )
}
