import { useState } from 'react'
import { toast } from '../../ui/toast.ts'
import { showFailure, showFailureText } from '../admin/show-failure.ts'
import { videoCountText } from '../admin/video-texts.ts'
import { controlStream, type StreamAction } from './api.ts'

/** Selects the toast texts: those of the 24/7 Stream Manager or of the Channel and Stream Control. */
export type StreamVariant = 'manager' | 'control'

/** Starts, stops and resets a channel's stream, one action at a time, with a toast for each result. */
export function useStreamActions(channelId: string, variant: StreamVariant) {
  const [busyWith, setBusyWith] = useState<StreamAction | null>(null)
  const run = async (action: StreamAction) => {
    if (busyWith !== null) return
    setBusyWith(action)
    try {
      const { videosCount } = await controlStream(channelId, action)
      showSuccess(action, variant, videosCount)
    } catch (failure) {
      showStreamFailure(action, variant, failure)
    } finally {
      setBusyWith(null)
    }
  }
  return { busyWith, run }
}

/** Toast titles (docs/product/admin.md §8, "Stream"). */
const SUCCESS_TITLES: Record<StreamAction, string> = {
  start: 'Stream Started',
  stop: 'Stream Stopped',
  reset: 'Stream Reset',
}

function showSuccess(action: StreamAction, variant: StreamVariant, videosCount: number): void {
  if (action === 'start' && variant === 'manager') {
    toast({
      title: 'Stream Started Successfully!',
      description: `${videoCountText(videosCount)} ${videosCount === 1 ? 'is' : 'are'} now playing 24/7 on the live stream.`,
      tone: 'success',
    })
  } else toast({ title: SUCCESS_TITLES[action], tone: 'success' })
}

function showStreamFailure(action: StreamAction, variant: StreamVariant, failure: unknown): void {
  if (action === 'start' && variant === 'manager') {
    showFailure(failure, { title: 'Sync Failed', text: 'Failed to sync videos to server' })
  } else if (action === 'reset') {
    showFailureText(failure, { title: 'Reset Error', description: 'Failed to reset stream.' })
  } else showFailureText(failure, { title: 'Stream Error', description: 'Failed to toggle stream status.' })
}
