import { topics } from '@looptide/contracts/realtime'
import { useEffect, useEffectEvent } from 'react'
import { realtime } from '../clients.ts'
import { readCommand, type TvCommand } from './tv-messages.ts'

/** A paired TV: its session, and its user. */
export interface PairedTv {
  tv: string
  userId: string
}

/** Calls back with what phones of the same account ask this TV to do; nothing while it is not paired. */
export function useTvCommands(paired: PairedTv | undefined, onCommand: (command: TvCommand) => void): void {
  const act = useEffectEvent(onCommand)
  const { tv, userId } = paired ?? {}
  useEffect(() => {
    if (tv === undefined || userId === undefined) return
    const answer = () => void subscription.send('tv_here', { tv })
    const subscription = realtime.subscribe('user', topics.user(userId), {
      pushes: {
        tv_hello: answer,
        tv_command: (message) => {
          const command = readCommand(message, tv)
          if (command === undefined) return
          answer()
          act(command)
        },
      },
      onState: (state) => {
        if (state === 'joined') answer()
      },
    })
    return () => subscription.leave()
  }, [tv, userId])
}
