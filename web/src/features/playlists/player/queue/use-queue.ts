import { useEffect, useState } from 'react'
import { EMPTY_QUEUE } from './queue.ts'
import { readStored, type StoredQueue, writeStored } from './stored-queue.ts'

const NOTHING: StoredQueue = { queue: EMPTY_QUEUE, playlist: null }
const keyFor = (userId: string): string => `looptide-queue:${userId}`

/** A user's queue, stored in this browser. A visitor's queue lasts until the page is left. */
export function useQueue(userId: string | undefined) {
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
