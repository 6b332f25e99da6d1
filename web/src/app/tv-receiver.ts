import { topics } from '@looptide/contracts/realtime'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { realtime } from '../lib/clients.ts'
import { paths } from '../lib/paths.ts'
import { pageActions } from '../lib/remote/remote-actions.ts'
import { readCommand, type TvCommand } from '../lib/remote/tv-messages.ts'

/** Lets phones of the same account control the pages of a paired TV. `tv`: its session. Renders nothing. */
export function TvReceiver({ tv, userId }: { tv: string; userId: string }) {
  const navigate = useNavigate()

  const act = useEffectEvent((command: TvCommand) => {
    if (command.kind === 'search') return void navigate(paths.search({ q: command.text }))
    const page = pageActions()
    if (!page) return void navigate(paths.live())
    if (command.kind === 'channel') page.channel?.(command.step)
    else page[command.kind]?.()
  })

  useEffect(() => {
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
  return null
}
