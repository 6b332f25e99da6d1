import { EMPTY_QUEUE, type Queue, type QueueEntry } from './queue.ts'

/** The playlist loaded in the player. */
export interface LoadedPlaylist {
  id: string
  name: string
  isOwn: boolean
}
export interface StoredQueue {
  queue: Queue
  playlist: LoadedPlaylist | null
}

/** Changed with the stored format: queues of other versions are ignored. */
const VERSION = 1

/** The text of a queue for the browser's storage, with the version that {@link readStored} checks. */
export const writeStored = (stored: StoredQueue): string => JSON.stringify({ version: VERSION, ...stored })

/** Parses a stored queue; undefined unless it is a valid queue of this version. */
export function readStored(text: string | null): StoredQueue | undefined {
  if (text === null) return undefined
  const value = parse(text)
  if (!isRecord(value) || value.version !== VERSION || !isQueue(value.queue)) return undefined
  const entries = value.queue.entries.map(withTrimPoints)
  return { queue: { ...value.queue, entries }, playlist: isPlaylist(value.playlist) ? value.playlist : null }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** A queue stored before videos had tags, trim points and likes lacks them. */
const withTrimPoints = (entry: QueueEntry): QueueEntry => ({
  ...entry,
  video: Object.assign({ tags: [], startAtMs: 0, endAtMs: null, likeCount: 0 }, entry.video),
})

const isPlaylist = (value: unknown): value is LoadedPlaylist =>
  isRecord(value) &&
  typeof value.id === 'string' &&
  typeof value.name === 'string' &&
  typeof value.isOwn === 'boolean'

const isEntry = (value: unknown): value is QueueEntry =>
  isRecord(value) &&
  typeof value.key === 'string' &&
  isRecord(value.video) &&
  ['id', 'title', 'artistName', 'duration', 'videoUrl'].every(
    (field) => isRecord(value.video) && typeof value.video[field] === 'string',
  )

function isQueue(value: unknown): value is Queue {
  if (!isRecord(value) || !Array.isArray(value.entries) || !value.entries.every(isEntry)) return false
  const count = value.entries.length
  const { order, played } = value
  const isIndex = (index: unknown) => Number.isInteger(index) && Number(index) >= 0 && Number(index) < count
  const isIndices = (list: unknown): list is number[] =>
    Array.isArray(list) && list.every(isIndex) && new Set(list).size === list.length
  return (
    (count === 0 ? value.current === EMPTY_QUEUE.current : isIndex(value.current)) &&
    isIndices(order) &&
    isIndices(played) &&
    order.length === (value.shuffle === true ? count : 0) &&
    typeof value.shuffle === 'boolean' &&
    typeof value.autoAdvance === 'boolean' &&
    (value.loop === 'off' || value.loop === 'single' || value.loop === 'playlist') &&
    Number.isInteger(value.turn)
  )
}
