import { useState } from 'react'
import { toast } from '../../../ui/toast.ts'
import { tellFailure, tellFailureAs } from '../desk/tell-failure.ts'
import { controlStream, type StreamAction } from './api.ts'

/** Whose words: the 24/7 Stream Manager speaks of a sync, the Channel and Stream Control of the stream itself. */
export type StreamVariant = 'manager' | 'control'

/** The deeds on one channel's stream; each tells how it went. One at a time. */
export function useStreamActions(channelId: string, variant: StreamVariant) {
  const [busyWith, setBusyWith] = useState<StreamAction | null>(null)
  const run = async (action: StreamAction) => {
    if (busyWith !== null) return
    setBusyWith(action)
    try {
      const { videosCount } = await controlStream(channelId, action)
      tellSuccess(action, variant, videosCount)
    } catch (failure) {
      tellStreamFailure(action, variant, failure)
    } finally {
      setBusyWith(null)
    }
  }
  return { busyWith, run }
}

/** docs/product/admin.md §8, "Stream". */
const DONE: Record<StreamAction, string> = {
  start: 'Stream Started',
  stop: 'Stream Stopped',
  reset: 'Stream Reset',
}

function tellSuccess(action: StreamAction, variant: StreamVariant, videosCount: number): void {
  if (action === 'start' && variant === 'manager') {
    toast({
      title: 'Stream Started Successfully!',
      description: `${videosCount} videos are now playing 24/7 on the live stream.`,
      tone: 'success',
    })
  } else toast({ title: DONE[action], tone: 'success' })
}

function tellStreamFailure(action: StreamAction, variant: StreamVariant, failure: unknown): void {
  if (action === 'start' && variant === 'manager') {
    tellFailure(failure, { title: 'Sync Failed', text: 'Failed to sync videos to server' })
  } else if (action === 'reset') {
    tellFailureAs(failure, { title: 'Reset Error', description: 'Failed to reset stream.' })
  } else tellFailureAs(failure, { title: 'Stream Error', description: 'Failed to toggle stream status.' })
}
