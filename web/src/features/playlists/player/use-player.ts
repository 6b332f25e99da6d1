import type { Playlist, PlaylistItem } from '@looptide/contracts/http/playlists'
import type { Video } from '@looptide/contracts/http/videos'
import { useEffect, useEffectEvent, useState } from 'react'
import { randomId } from '../../../lib/browser/random-id.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { useSessionEnd } from '../../../lib/session/use-session-end.ts'
import { toast } from '../../../ui/toast.ts'
import { fetchPlaylistItems, playlistActions, usePlaylistItems } from '../api.ts'
import { LIKED_ID } from '../liked.ts'
import { useNewsOf } from './api.ts'
import {
  afterEnd,
  EMPTY_QUEUE,
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
import { type LoadedPlaylist, readStored, type StoredQueue, writeStored } from './queue/stored-queue.ts'

const LOOP_TOASTS = {
  off: 'Loop disabled',
  single: 'Loop single video',
  playlist: 'Loop playlist',
} as const

const toEntry = ({ id, video }: PlaylistItem): QueueEntry => ({ key: id, video })
/** Whether the user's changes of the queue are saved in the playlist. */
const isEditable = ({ id, userId: ownerId }: Playlist, userId: string | undefined): boolean =>
  ownerId === userId && id !== LIKED_ID
const settingsOf = ({ shuffleMode, loopMode, autoAdvance }: Playlist) => ({
  shuffle: shuffleMode,
  loop: loopMode,
  autoAdvance,
})

/**
 * The state of the player: its queue, whether it plays, and the loaded playlist. While a playlist of the user is
 * loaded, the queue follows its entries, and changes of the player's settings are saved in it.
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
    /** Events of the frame. */
    onPlaying: setPlaying,
    ...movesOf(parts),
    ...settingsControls(parts),
    ...contentsControls(parts),
  }
}

interface Parts {
  queue: Queue
  playlist: LoadedPlaylist | null
  userId: string | undefined
  isSignedIn: boolean
  change: (step: (stored: StoredQueue) => StoredQueue) => void
  setQueue: (step: (queue: Queue) => Queue) => void
  setPlaying: (isPlaying: boolean) => void
}

/** Updates the queue from the loaded playlist, and pending titles. */
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

/** The functions that move through the queue. */
function movesOf({ queue, setQueue, setPlaying }: Parts) {
  /** A move by the user, which also starts playing. */
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

/** Shuffle and loop mode, saved in the loaded playlist if it is the user's. */
function settingsControls({ queue, playlist, setQueue }: Parts) {
  const keep = (settings: { shuffleMode: boolean } | { loopMode: Queue['loop'] }) => {
    if (!playlist?.isOwn) return
    // The player applies them anyway; a failure to save is only logged (docs/product/admin.md §8).
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
    /** Call it when the settings of a playlist were changed elsewhere on the page. */
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

/** The functions that fill and empty the queue. */
function contentsControls({ queue, playlist, userId, isSignedIn, change, setPlaying }: Parts) {
  return {
    /** Loads a playlist with its settings and plays it. Returns whether it could be loaded. */
    play: async (wanted: Playlist): Promise<boolean> => {
      if (!isSignedIn) {
        askToSignIn()
        return false
      }
      try {
        const entries = (await fetchPlaylistItems(wanted.id)).map(toEntry)
        change(() => ({
          queue: loadQueue(entries, settingsOf(wanted), Math.random),
          playlist: { id: wanted.id, name: wanted.name, isOwn: isEditable(wanted, userId) },
        }))
        setPlaying(entries.length > 0)
        toast({ title: `Playing "${wanted.name}"` })
        return true
      } catch {
        toast({ title: 'Failed to load playlist videos', tone: 'error' })
        return false
      }
    },
    /** Call it when the playlist was deleted: its videos stay in the queue without a playlist. */
    forgetPlaylist: (id: string) =>
      change((stored) => (stored.playlist?.id === id ? { ...stored, playlist: null } : stored)),
    /** Adds videos to the loaded playlist if it is the user's, else only to the queue. Throws `ApiError` if refused. */
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
    /** Empties the queue, with an undo. */
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

const NOTHING: StoredQueue = { queue: EMPTY_QUEUE, playlist: null }
const keyFor = (userId: string): string => `looptide-queue:${userId}`

/** A user's queue, stored in this browser. A visitor's queue lasts until the page is left. */
function useQueue(userId: string | undefined) {
  const [held, setHeld] = useState<{ userId: string | undefined; stored: StoredQueue }>()
  const isTheirs = held !== undefined && held.userId === userId
  const stored = isTheirs ? held.stored : load(userId)
  if (!isTheirs) setHeld({ userId, stored })

  useEffect(() => {
    if (held) save(held.userId, held.stored)
  }, [held])

  const change = (step: (stored: StoredQueue) => StoredQueue) =>
    setHeld((known) => {
      const before = known && known.userId === userId ? known.stored : stored
      const after = step(before)
      return after === before ? known : { userId, stored: after }
    })
  return { ...stored, change }
}

function load(userId: string | undefined): StoredQueue {
  if (userId === undefined) return NOTHING
  try {
    return readStored(localStorage.getItem(keyFor(userId))) ?? NOTHING
  } catch {
    return NOTHING
  }
}

function save(userId: string | undefined, stored: StoredQueue): void {
  if (userId === undefined) return
  try {
    localStorage.setItem(keyFor(userId), writeStored(stored))
  } catch {
    // Without storage the queue lasts until the next page load.
  }
}
