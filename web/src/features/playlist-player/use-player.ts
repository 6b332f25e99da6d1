import type { Playlist, PlaylistItem } from '@looptide/contracts/http/playlists'
import type { Video } from '@looptide/contracts/http/videos'
import { useEffect, useEffectEvent, useState } from 'react'
import { randomId } from '../../lib/random-id.ts'
import { useSession } from '../../lib/session.tsx'
import { useSessionEnd } from '../../lib/use-session-end.ts'
import { toast } from '../../ui/toast.ts'
import { fetchPlaylistItems, playlistActions, usePlaylistItems } from '../playlists/api.ts'
import { useNewsOf } from './api.ts'
import {
  afterEnd,
  jumpTo,
  loadQueue,
  nextVideo,
  previousVideo,
  type Queue,
  type QueueEntry,
  withEntries,
  withNextLoop,
  withShuffle,
  withVideos,
} from './queue/queue.ts'
import type { LoadedPlaylist, StoredQueue } from './queue/stored-queue.ts'
import { useQueue } from './queue/use-queue.ts'

const LOOP_TOASTS = {
  off: 'Loop disabled',
  single: 'Loop single video',
  playlist: 'Loop playlist',
} as const

const toEntry = ({ id, video }: PlaylistItem): QueueEntry => ({ key: id, video })
const settingsOf = ({ shuffleMode, loopMode, autoAdvance }: Playlist) => ({
  shuffle: shuffleMode,
  loop: loopMode,
  autoAdvance,
})

/**
 * The player of the page: its queue, whether it plays, and the playlist it was loaded from. While one's own playlist
 * is loaded the queue follows its entries, and the player's settings are kept in it.
 */
export function usePlayer() {
  const { userId, status } = useSession()
  const { queue, playlist, change } = useQueue(userId)
  const [isPlaying, setPlaying] = useState(false)
  const isSignedIn = status === 'signed-in'
  useSessionEnd(() => setPlaying(false))

  const setQueue = (step: (queue: Queue) => Queue) =>
    change((stored) => {
      const next = step(stored.queue)
      return next === stored.queue ? stored : { ...stored, queue: next }
    })
  useFreshEntries(queue, playlist, setQueue)

  const parts: Parts = { queue, playlist, userId, isSignedIn, change, setQueue, setPlaying }
  return {
    queue,
    playlist,
    isPlaying,
    setPlaying: (wanted: boolean) => (wanted && !isSignedIn ? askToSignIn() : setPlaying(wanted)),
    /** What the frame says of itself. */
    onPlaying: setPlaying,
    ...movesOf(parts),
    ...settingsControls(parts),
    ...contentsControls(parts),
  }
}

type Parts = {
  queue: Queue
  playlist: LoadedPlaylist | null
  userId: string | undefined
  isSignedIn: boolean
  change: (step: (stored: StoredQueue) => StoredQueue) => void
  setQueue: (step: (queue: Queue) => Queue) => void
  setPlaying: (isPlaying: boolean) => void
}

/** Lets the queue follow the loaded playlist, and titles that are on their way arrive. */
function useFreshEntries(queue: Queue, playlist: LoadedPlaylist | null, setQueue: Parts['setQueue']): void {
  const { data: items } = usePlaylistItems(playlist?.id)
  const follow = useEffectEvent((loaded: readonly PlaylistItem[]) =>
    setQueue((known) => withEntries(known, loaded.map(toEntry), Math.random)),
  )
  useEffect(() => {
    if (items) follow(items)
  }, [items])
  useNewsOf(playlist ? [] : queue.entries.map(({ video }) => video), (videos) =>
    setQueue((known) => withVideos(known, videos)),
  )
}

/** The ways through the queue. */
function movesOf({ queue, setQueue, setPlaying }: Parts) {
  /** Somebody asked for it: what they want now is to see it play. */
  const playBy = (step: (queue: Queue) => Queue) => {
    setQueue(step)
    setPlaying(true)
  }
  return {
    next: () => playBy(nextVideo),
    previous: () => playBy(previousVideo),
    jumpTo: (index: number) => playBy((known) => jumpTo(known, index)),
    onEnded: () => {
      const after = afterEnd(queue)
      setPlaying(after !== queue)
      setQueue(() => after)
    },
  }
}

/** Shuffle and loop; one's own loaded playlist keeps them. */
function settingsControls({ queue, playlist, setQueue }: Parts) {
  const keep = (settings: { shuffleMode: boolean } | { loopMode: Queue['loop'] }) => {
    if (!playlist?.isOwn) return
    // The player has them all the same; such a failure is logged only (docs/product/admin.md §8).
    playlistActions.update(playlist.id, settings).catch(() => performance.mark('playlist:settings-not-kept'))
  }
  return {
    toggleShuffle: () => {
      const shuffle = !queue.shuffle
      setQueue((known) => withShuffle(known, shuffle, Math.random))
      toast({ title: shuffle ? 'Shuffle enabled' : 'Shuffle disabled' })
      keep({ shuffleMode: shuffle })
    },
    cycleLoop: () => {
      const { loop } = withNextLoop(queue)
      setQueue((known) => ({ ...known, loop }))
      toast({ title: LOOP_TOASTS[loop] })
      keep({ loopMode: loop })
    },
    /** The settings of a playlist were changed elsewhere on the page. */
    takeSettings: (changed: Playlist) => {
      if (playlist?.id !== changed.id) return
      const { shuffle, ...others } = settingsOf(changed)
      setQueue((known) => ({
        ...(known.shuffle === shuffle ? known : withShuffle(known, shuffle, Math.random)),
        ...others,
      }))
    },
  }
}

/** What fills the queue and empties it. */
function contentsControls({ queue, playlist, userId, isSignedIn, change, setPlaying }: Parts) {
  return {
    /** Loads a playlist with its settings and plays it; true when it is there. */
    play: async (wanted: Playlist): Promise<boolean> => {
      if (!isSignedIn) {
        askToSignIn()
        return false
      }
      try {
        const entries = (await fetchPlaylistItems(wanted.id)).map(toEntry)
        change(() => ({
          queue: loadQueue(entries, settingsOf(wanted), Math.random),
          playlist: { id: wanted.id, name: wanted.name, isOwn: wanted.userId === userId },
        }))
        setPlaying(entries.length > 0)
        toast({ title: `Playing "${wanted.name}"` })
        return true
      } catch {
        toast({ title: 'Failed to load playlist videos', tone: 'error' })
        return false
      }
    },
    /** The playlist is gone: its videos stay in the queue, which is nobody's list any more. */
    forgetPlaylist: (id: string) =>
      change((stored) => (stored.playlist?.id === id ? { ...stored, playlist: null } : stored)),
    /**
     * Adds videos to one's own loaded playlist, or else to the queue alone. Throws ApiError when the playlist does
     * not take them.
     */
    add: async (videos: readonly Video[]): Promise<'playlist' | 'queue'> => {
      if (playlist?.isOwn) {
        await playlistActions.addAll(
          playlist.id,
          videos.map(({ id }) => id),
        )
        return 'playlist'
      }
      const entries = videos.map((video) => ({ key: randomId(), video }))
      change((stored) => ({
        queue: withEntries(stored.queue, [...stored.queue.entries, ...entries], Math.random),
        playlist: null,
      }))
      return 'queue'
    },
    /** Empties the queue; what it held can be put back. */
    clear: () => {
      const before = { queue, playlist }
      change(({ queue: known }) => ({ queue: withEntries(known, [], Math.random), playlist: null }))
      setPlaying(false)
      toast({ title: 'Queue cleared', action: { label: 'Undo', onPress: () => change(() => before) } })
    },
  }
}

export type PlayerState = ReturnType<typeof usePlayer>

function askToSignIn(): void {
  toast({ title: 'Sign In Required', description: 'Please sign in to watch videos', tone: 'error' })
}
