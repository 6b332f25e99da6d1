import type { Channel, StreamStatus } from '@looptide/contracts/http/channels'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { type StreamVariant, useStreamActions } from './stream-actions.ts'

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
