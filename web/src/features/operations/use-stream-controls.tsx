import type { Channel, StreamStatus } from '@looptide/contracts/http/channels'
import { useState } from 'react'
import { showFailure, showFailureText } from '../../lib/failures.ts'
import { toast } from '../../ui/toast.ts'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { videoCountText } from '../admin/video-texts.ts'
import { controlStream, type StreamAction } from './api.ts'

type ConfirmedAction = 'restart' | 'stop' | 'reset'

const TEXTS: Record<ConfirmedAction, { verb: string; consequence: string }> = {
  restart: {
    verb: 'Restart',
    consequence:
      'The current video plays to its end. Everything scheduled after it is replaced, and the playlist starts again.',
  },
  stop: { verb: 'Stop', consequence: 'Viewers of this channel will see it go off the air.' },
  reset: {
    verb: 'Reset',
    consequence: 'The current video is cut off, and the whole programme is rescheduled.',
  },
}

/** Controls of a channel's stream. Render `confirmation`: viewers notice these actions, so they are confirmed. */
export function useStreamControls(channel: Channel, variant: StreamVariant) {
  const { busyWith, run } = useStreamActions(channel.id, variant)
  const { confirm, confirmation } = useConfirm()
  const status: StreamStatus = busyWith === 'start' ? 'syncing' : channel.status
  const ask = (action: ConfirmedAction) => {
    const { verb, consequence } = TEXTS[action]
    confirm({
      title: `${verb} ${channel.name}?`,
      confirmLabel: `Yes, ${verb.toLowerCase()}`,
      text: <p>{consequence}</p>,
      onConfirm: () => run(action === 'restart' ? 'start' : action),
    })
  }
  return {
    /** Shows "syncing" as soon as a start is requested, before the server reports it. */
    status,
    isBusy: busyWith !== null || channel.status === 'syncing',
    /** Starts the channel; asks for confirmation first if it is live. */
    start: () => (channel.status === 'live' ? ask('restart') : void run('start')),
    confirmStop: () => ask('stop'),
    confirmReset: () => ask('reset'),
    confirmation,
  }
}

/** Selects the toast texts: those of the 24/7 Stream Manager or of the Channel and Stream Control. */
type StreamVariant = 'manager' | 'control'

/** Starts, stops and resets a channel's stream, one action at a time, with a toast for each result. */
function useStreamActions(channelId: string, variant: StreamVariant) {
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
    showFailureText(failure, { title: 'Reset Error', text: 'Failed to reset stream.' })
  } else showFailureText(failure, { title: 'Stream Error', text: 'Failed to toggle stream status.' })
}
