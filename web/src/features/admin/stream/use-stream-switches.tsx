import type { Channel, StreamStatus } from '@looptide/contracts/http/channels'
import { useState } from 'react'
import { type StreamVariant, useStreamActions } from './stream-actions.ts'
import { StreamQuestion, type StreamQuestionKind } from './stream-question.tsx'

/** The switches of one channel's stream; `question` stands on the page while one of them is being thought over. */
export function useStreamSwitches(channel: Channel, variant: StreamVariant) {
  const { busyWith, run } = useStreamActions(channel.id, variant)
  const [asks, setAsks] = useState<StreamQuestionKind | null>(null)
  const status: StreamStatus = busyWith === 'start' ? 'syncing' : channel.status
  return {
    /** As far as it is known here: a start that was pressed is on its way before the station says so. */
    status,
    isBusy: busyWith !== null || channel.status === 'syncing',
    /** Starts the channel, or asks first if that restarts what is on the air. */
    start: () => (channel.status === 'live' ? setAsks('restart') : void run('start')),
    askToStop: () => setAsks('stop'),
    askToReset: () => setAsks('reset'),
    question: asks && (
      <StreamQuestion
        action={asks}
        channelName={channel.name}
        onNo={() => setAsks(null)}
        onYes={() => {
          setAsks(null)
          void run(asks === 'restart' ? 'start' : asks)
        }}
      />
    ),
  }
}
