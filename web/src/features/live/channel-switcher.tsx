import type { Channel } from '@looptide/contracts/http/channels'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'

/** A dialog to choose one of the active channels. */
export function ChannelSwitcher(props: {
  channels: readonly Channel[]
  currentId: string
  onSwitch: (channelId: string) => void
  onClose: () => void
}) {
  return (
    <Dialog title="Channels" isOpen onClose={props.onClose} width="narrow">
      <ul className="grid gap-2">
        {props.channels.map((channel) => {
          const isCurrent = channel.id === props.currentId
          return (
            <li key={channel.id}>
              <button
                type="button"
                aria-current={isCurrent ? 'true' : undefined}
                onClick={() => props.onSwitch(channel.id)}
                className={classNames(
                  'lift grid w-full gap-0.5 rounded-md border px-4 py-3 text-left hover:bg-raised',
                  isCurrent ? 'border-accent bg-raised' : 'border-line',
                )}
              >
                <span className="font-semibold">
                  {channel.name}
                  {isCurrent && <span className="ml-2 text-sm font-normal text-muted">watching</span>}
                </span>
                {channel.description && <span className="text-sm text-muted">{channel.description}</span>}
              </button>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
