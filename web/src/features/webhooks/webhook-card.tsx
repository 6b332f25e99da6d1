import type { Webhook } from '@looptide/contracts/http/webhooks'
import { serverClock } from '../../lib/clients.ts'
import { timeAgo } from '../../lib/time/time-ago.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useChannelName } from '../admin/use-channels.ts'
import { eventList, FORMATS, hostOf, stateOf } from './webhook-texts.ts'

/** A webhook of the list: where it goes, when it is sent, its state, and what can be done with it. */
export function WebhookCard(props: {
  webhook: Webhook
  onToggle: (isActive: boolean) => void
  onEdit: () => void
  onDeliveries: () => void
  onRotate: () => void
  onDelete: () => void
}) {
  const { webhook } = props
  const { url, format, events, isActive, disabled, failingSince } = webhook
  const { text, isProblem } = stateOf(webhook)
  const since = isActive ? failingSince : (disabled?.at ?? null)
  const host = hostOf(url)
  return (
    <li className="grid gap-3 rounded-lg border border-line/70 bg-panel p-4">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <h3 className="font-semibold [overflow-wrap:anywhere]">{host}</h3>
          <p className="text-sm">
            {FORMATS.find(({ id }) => id === format)?.label} • <Channels ids={webhook.channelIds} />
          </p>
          <p className="text-sm text-muted">{eventList(events)}</p>
          {isProblem && (
            <p className="mt-1 text-sm font-medium">
              <span aria-hidden="true">⚠ </span>
              {text}
              {since !== null && ` (${timeAgo(since, serverClock.nowMs())})`}
            </p>
          )}
        </div>
        <Switch label={isActive ? 'On' : 'Off'} isOn={isActive} onChange={props.onToggle} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be for fields of a form. */}
      <div role="group" aria-label={`Webhook to ${host}`} className="flex flex-wrap gap-2">
        <Button onClick={props.onDeliveries}>Deliveries and Test</Button>
        <Button onClick={props.onEdit}>Edit</Button>
        {format === 'standard' && <Button onClick={props.onRotate}>Rotate Secret</Button>}
        <Button tone="plain" onClick={props.onDelete}>
          Delete
        </Button>
      </div>
    </li>
  )
}

/** The names of the channels of a webhook. */
function Channels({ ids }: { ids: Webhook['channelIds'] }) {
  const channelName = useChannelName()
  if (ids === null) return 'All channels'
  return ids.map((id) => channelName(id) ?? id).join(', ')
}
