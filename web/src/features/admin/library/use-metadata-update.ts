import { useRef, useState } from 'react'
import { toast } from '../../../ui/toast.ts'
import { tellFailure } from '../desk/tell-failure.ts'
import { updateMetadata } from './api.ts'

/** A round of look-ups that an admin asked for: how many, and what has become of those that have ended. */
export type MetadataRound = { wanted: number; found: number; failed: number }

/**
 * Update Metadata: asks YouTube about all videos that still wait for their title (or about some), follows how the
 * worker gets on (`settle`), and tells when the last one has ended.
 */
export function useMetadataUpdate() {
  const [round, setRound] = useState<MetadataRound | null>(null)
  const [isAsking, setAsking] = useState(false)
  // Several may end between two drawings.
  const current = useRef<MetadataRound | null>(null)

  const follow = (next: MetadataRound | null) => {
    const hasEnded = next !== null && next.found + next.failed >= next.wanted
    if (hasEnded) tellEnd(next)
    current.current = hasEnded ? null : next
    setRound(current.current)
  }

  const start = async (ids?: string[]) => {
    setAsking(true)
    // What ends before the answer is here counts as well.
    follow({ wanted: Number.POSITIVE_INFINITY, found: 0, failed: 0 })
    try {
      const wanted = await updateMetadata(ids)
      if (wanted === 0) {
        follow(null)
        toast({ title: 'No videos to update', description: 'All videos already have metadata' })
      } else follow(current.current && { ...current.current, wanted })
    } catch (failure) {
      follow(null)
      tellFailure(failure, { title: 'Failed to update metadata', text: 'Please try again.' })
    } finally {
      setAsking(false)
    }
  }

  const settle = (state: 'done' | 'failed') => {
    const known = current.current
    if (known === null) return
    follow(state === 'done' ? { ...known, found: known.found + 1 } : { ...known, failed: known.failed + 1 })
  }

  return { round, isAsking, start, settle }
}

function tellEnd({ found, failed }: MetadataRound): void {
  const description = `${found} found${failed > 0 ? `, ${failed} failed: see the reason on the row` : ''}.`
  if (found === 0 && failed > 0) toast({ title: 'Metadata not updated', description, tone: 'error' })
  else toast({ title: 'Metadata updated', description, tone: 'success' })
}
