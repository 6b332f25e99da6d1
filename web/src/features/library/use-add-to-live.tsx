import type { Simulation } from '@looptide/contracts/http/simulation'
import { type ReactNode, useState } from 'react'
import { useConfig } from '../../lib/api/use-config.ts'
import { showFailure, useAction } from '../../lib/failures.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { removeFromPlaylist } from '../admin/remove-from-playlist.ts'
import { ShortLoopWarning } from '../admin/short-loops.tsx'
import { videoCountText } from '../admin/video-texts.ts'
import { addToLive, simulateAdding } from './api.ts'
import { liveChangeText, scheduledChangeText, unplayableText } from './live-playlist-text.ts'

/** How long the toast offers Undo, in ms. */
const UNDO_MS = 15_000

const FAILED = {
  title: 'Error adding to live playlist',
  text: 'Failed to add videos to live playlist. Please try again.',
}

interface Preview {
  ids: readonly string[]
  simulation: Simulation
}

/** Add to Live in two steps: simulates the change, and adds the videos after confirmation. Adding can be undone. */
export function useAddToLive(
  selected: ReadonlySet<string>,
  onDone: () => void,
): { isBusy: boolean; preview: () => Promise<void>; dialog: ReactNode } {
  const { defaultChannelId } = useConfig()
  const [previewed, setPreviewed] = useState<Preview | null>(null)
  const { isBusy, run } = useAction()

  const preview = async () => {
    const ids = [...selected]
    if (ids.length === 0) return
    await run(async () => {
      setPreviewed({ ids, simulation: await simulateAdding(defaultChannelId, ids) })
    }, FAILED)
  }
  const add = async ({ ids }: Preview) => {
    await run(async () => {
      const itemIds = await addToLive(defaultChannelId, ids)
      onDone()
      toast({
        title: 'Added to live playlist',
        description: `${videoCountText(itemIds.length)} added to the live playlist.`,
        tone: 'success',
        durationMs: UNDO_MS,
        action: { label: 'Undo', onPress: () => void undo(defaultChannelId, itemIds) },
      })
    }, FAILED)
    setPreviewed(null)
  }

  return {
    isBusy,
    preview,
    dialog: previewed && (
      <AddToLiveDialog
        selectedCount={previewed.ids.length}
        simulation={previewed.simulation}
        isBusy={isBusy}
        onConfirm={() => void add(previewed)}
        onCancel={() => setPreviewed(null)}
      />
    ),
  }
}

async function undo(channelId: string, itemIds: readonly string[]): Promise<void> {
  try {
    const count = await removeFromPlaylist(channelId, itemIds)
    const description = `${videoCountText(count)} removed from the live playlist.`
    toast({ title: 'Add to Live undone', description, tone: 'success' })
  } catch (error) {
    showFailure(error, {
      title: 'Error removing from live playlist',
      text: 'The videos are still on the live playlist. Please try again.',
    })
  }
}

/** Confirms adding videos to the live playlist and explains what viewers will see. */
function AddToLiveDialog(props: {
  selectedCount: number
  simulation: Simulation
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
}) {
  const { selectedCount } = props
  const { loop, schedule } = props.simulation
  const unplayable = unplayableText(loop, selectedCount)
  return (
    <ConfirmDialog
      title={`Add ${videoCountText(selectedCount)} to Live?`}
      confirmLabel="Add to Live"
      tone="primary"
      isBusy={props.isBusy}
      onConfirm={props.onConfirm}
      onCancel={props.onCancel}
    >
      <p className="text-text">
        {schedule ? scheduledChangeText('The live channel', selectedCount, schedule) : liveChangeText(loop)}
      </p>
      {unplayable && <p>{unplayable}</p>}
      {!schedule && <ShortLoopWarning loop={loop.after} />}
    </ConfirmDialog>
  )
}
