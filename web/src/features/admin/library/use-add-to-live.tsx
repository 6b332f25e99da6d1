import type { Simulation } from '@looptide/contracts/http/simulation'
import { type ReactNode, useState } from 'react'
import { useConfig } from '../../../lib/use-config.ts'
import { toast } from '../../../ui/toast.ts'
import { countedVideos } from '../desk/counted-videos.ts'
import { tellFailure } from '../desk/tell-failure.ts'
import { AddToLiveDialog } from './add-to-live-dialog.tsx'
import { addToLive, removeFromPlaylist, simulateAdding } from './api.ts'

/** Time in which Undo is offered (ms). */
const UNDO_MS = 15_000

type Asked = { ids: readonly string[]; loop: Simulation['loop'] }

/**
 * Add to Live in two steps: asks the station what the change would bring, and adds the videos once the admin has
 * confirmed that. Adding them can be undone.
 */
export function useAddToLive(
  selected: ReadonlySet<string>,
  onDone: () => void,
): { isBusy: boolean; ask: () => Promise<void>; dialog: ReactNode } {
  const { defaultChannelId } = useConfig()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [isBusy, setBusy] = useState(false)

  const run = async (work: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    try {
      await work()
    } catch (error) {
      setAsked(null)
      tellFailure(error, {
        title: 'Error adding to live playlist',
        text: 'Failed to add videos to live playlist. Please try again.',
      })
    } finally {
      setBusy(false)
    }
  }
  const ask = () =>
    run(async () => {
      const ids = [...selected]
      if (ids.length === 0) return
      const { loop } = await simulateAdding(defaultChannelId, ids)
      setAsked({ ids, loop })
    })
  const add = ({ ids }: Asked) =>
    run(async () => {
      const itemIds = await addToLive(defaultChannelId, ids)
      setAsked(null)
      onDone()
      toast({
        title: 'Added to live playlist',
        description: `${countedVideos(itemIds.length)} added to the live playlist.`,
        tone: 'success',
        durationMs: UNDO_MS,
        action: { label: 'Undo', onPress: () => void undo(defaultChannelId, itemIds) },
      })
    })

  return {
    isBusy,
    ask,
    dialog: asked && (
      <AddToLiveDialog
        selectedCount={asked.ids.length}
        loop={asked.loop}
        isBusy={isBusy}
        onConfirm={() => void add(asked)}
        onCancel={() => setAsked(null)}
      />
    ),
  }
}

async function undo(channelId: string, itemIds: readonly string[]): Promise<void> {
  try {
    const count = await removeFromPlaylist(channelId, itemIds)
    const description = `${countedVideos(count)} removed from the live playlist.`
    toast({ title: 'Add to Live undone', description, tone: 'success' })
  } catch (error) {
    tellFailure(error, {
      title: 'Error removing from live playlist',
      text: 'The videos are still on the live playlist. Please try again.',
    })
  }
}
