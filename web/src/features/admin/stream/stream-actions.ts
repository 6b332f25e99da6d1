import { useState } from 'react'
import { ApiError } from '../../../lib/api-error.ts'
import { toast } from '../../../ui/toast.ts'
import { tellFailure } from '../desk/tell-failure.ts'
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

/** Admin specification §8, "Stream". */
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

const REFUSED = [401, 403, 429]

function tellStreamFailure(action: StreamAction, variant: StreamVariant, failure: unknown): void {
  const isRefused = failure instanceof ApiError && REFUSED.includes(failure.status)
  if (isRefused || (action === 'start' && variant === 'manager')) {
    tellFailure(failure, { title: 'Sync Failed', text: 'Failed to sync videos to server' })
  } else if (action === 'reset') {
    toast({ title: 'Reset Error', description: 'Failed to reset stream.', tone: 'error' })
  } else toast({ title: 'Stream Error', description: 'Failed to toggle stream status.', tone: 'error' })
}
