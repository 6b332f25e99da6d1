import type { PushSubscriptionInfo } from '@looptide/contracts/http/reminders'
import { useState } from 'react'
import { useCall } from '../../lib/api/use-call.ts'
import { api } from '../../lib/clients.ts'
import { showFailure } from '../../lib/failures.ts'
import { timeAgo } from '../../lib/time/time-ago.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { useReminderSettings } from './delivery-section.tsx'
import { ownSubscription, type PushSupport, pushSupport, subscribe, unsubscribe } from './push-device.ts'

const DEVICES = 'GET /api/me/push-subscriptions'

const WHY_NOT: Readonly<Record<Exclude<PushSupport, 'yes'>, string>> = {
  denied:
    'Notifications of this site are blocked in this browser. Allow them in the settings of the site, then reload the page.',
  ios: 'On an iPhone or iPad, add this site to the home screen first (Share, then Add to Home Screen), and open it there.',
  no: 'This browser cannot receive notifications.',
}

/** The devices that receive reminders as notifications; this one can be added. */
export function PushSection() {
  const settings = useReminderSettings()
  const devices = useCall(DEVICES, {})
  const [support, setSupport] = useState(pushSupport)
  const [isBusy, setBusy] = useState(false)
  const pushKey = settings.data?.pushKey
  if ((!settings.data && settings.error) || (!devices.data && devices.error)) {
    return <ErrorNotice text="Your devices could not be loaded." onRetry={() => void devices.mutate()} />
  }
  if (!devices.data || !settings.data) return <Skeleton className="h-24" />
  const { items } = devices.data
  const own = items.find(({ id }) => id === ownSubscription())
  const add = async (key: string) => {
    setBusy(true)
    try {
      const isAllowed = await subscribe(key)
      setSupport(pushSupport())
      if (!isAllowed) return
      await devices.mutate()
      toast({
        title: 'Notifications are on',
        description: 'This device receives reminders.',
        tone: 'success',
      })
    } catch (failure) {
      showFailure(failure, {
        title: 'Not turned on',
        text: 'This browser could not be added. Please try again.',
      })
    } finally {
      setBusy(false)
    }
  }
  const remove = async ({ id }: PushSubscriptionInfo) => {
    try {
      await api.call('DELETE /api/me/push-subscriptions/:id', { params: { id } })
      if (id === own?.id) await unsubscribe()
      await devices.mutate()
      toast({ title: 'Device removed', description: 'It receives no more reminders.' })
    } catch (failure) {
      showFailure(failure, { title: 'Not removed', text: 'The device was not removed. Please try again.' })
    }
  }
  return (
    <div className="grid gap-4">
      {items.length > 0 && (
        <ul aria-label="Devices with notifications" className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {items.map((device) => (
            <Device
              key={device.id}
              device={device}
              isOwn={device === own}
              onRemove={() => void remove(device)}
            />
          ))}
        </ul>
      )}
      {pushKey === null ? (
        <p className="text-sm text-muted">This station sends no notifications.</p>
      ) : support === 'yes' ? (
        own === undefined &&
        pushKey !== undefined && (
          <Button
            icon="clock"
            className="justify-self-start"
            aria-disabled={isBusy}
            onClick={() => void (isBusy || add(pushKey))}
          >
            Turn On for This Device
          </Button>
        )
      ) : (
        <p className="text-sm text-muted">{WHY_NOT[support]}</p>
      )}
    </div>
  )
}

function Device(props: { device: PushSubscriptionInfo; isOwn: boolean; onRemove: () => void }) {
  const { deviceName, createdAt, lastUsedAt } = props.device
  const name = deviceName ?? 'Unknown device'
  const nowMs = Date.now()
  return (
    <li className="flex items-center gap-4 rounded-md border border-line/70 bg-panel px-4 py-3">
      <Icon name="tv" className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="text-sm text-muted">
          {props.isOwn && <span className="font-semibold text-link">This device · </span>}
          {lastUsedAt === null
            ? `Added ${timeAgo(createdAt, nowMs)}, not used yet`
            : `Last used ${timeAgo(lastUsedAt, nowMs)}`}
        </p>
      </div>
      <Button aria-label={`Remove ${name}`} onClick={props.onRemove}>
        Remove
      </Button>
    </li>
  )
}
