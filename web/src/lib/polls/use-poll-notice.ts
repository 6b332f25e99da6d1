import { useEffect, useEffectEvent } from 'react'
import { type Toast, toast } from '../../ui/toast.ts'
import { useOpenPoll } from './use-open-poll.ts'

/** Says once that a poll is open on a channel, unless it is shown already. `how`: what to do to vote. */
export function usePollNotice(
  channelId: string,
  isShown: boolean,
  how: Pick<Toast, 'description' | 'action'>,
): void {
  const { poll } = useOpenPoll(channelId)
  const notify = useEffectEvent(() => {
    if (poll !== undefined && !isShown) toast({ title: `Poll: ${poll.question}`, ...how })
  })
  const id = poll?.id
  useEffect(() => {
    if (id !== undefined) notify()
  }, [id])
}
