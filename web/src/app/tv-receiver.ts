import { useNavigate } from 'react-router-dom'
import { paths } from '../lib/paths.ts'
import { pageActions } from '../lib/remote/remote-actions.ts'
import { type PairedTv, useTvCommands } from '../lib/remote/use-tv-commands.ts'

/** Lets phones of the same account control the pages of a paired TV. Renders nothing. */
export function TvReceiver(paired: PairedTv) {
  const navigate = useNavigate()
  useTvCommands(paired, (command) => {
    if (command.kind === 'search') return void navigate(paths.search({ q: command.text }))
    const page = pageActions()
    if (!page) return void navigate(paths.live())
    if (command.kind === 'channel') page.channel?.(command.step)
    else page[command.kind]?.()
  })
  return null
}
