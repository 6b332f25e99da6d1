import { type DueReminder, topics } from '@looptide/contracts/realtime'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { mutate } from 'swr'
import { isKeyOf } from '../../lib/api/use-call.ts'
import { paths } from '../../lib/paths.ts'
import { useRandomDelay } from '../../lib/realtime/use-random-delay.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { useSession } from '../../lib/session/session.tsx'
import { clockTime } from '../../lib/time/date-locale.ts'
import { toast } from '../../ui/toast.ts'
import { ownSubscription, unsubscribe } from './push-device.ts'

/** A reminder stays for a minute, unless it is closed before, in ms. */
const SHOWN_MS = 60_000

/**
 * Shows due reminders on any page, unless the devices of the account receive them by push. One that was due while the page
 * was not connected is not shown later: it was mailed. Renders nothing.
 */
export function ReminderNews() {
  const { userId } = useSession()
  const navigate = useNavigate()
  const onReminder = (reminder: DueReminder) => {
    reloadReminders()
    if (reminder.via === 'push') return
    const { channelId, phase } = reminder
    const watch = { label: 'Watch', onPress: () => void navigate(paths.live({ channel: channelId })) }
    toast({ ...textOf(reminder), durationMs: SHOWN_MS, ...(phase !== 'removed' && { action: watch }) })
  }
  useTopic(
    'user',
    userId ? topics.user(userId) : null,
    { reminder: onReminder },
    useRandomDelay(reloadReminders),
  )
  useUnsubscribeAfter(userId)
  return null
}

/** Lets this browser receive no more pushes when a user has signed out, or another one has signed in. */
function useUnsubscribeAfter(userId: string | undefined): void {
  const before = useRef(userId)
  useEffect(() => {
    const hasLeft = before.current !== undefined && before.current !== userId
    before.current = userId
    // If the browser refuses, it receives none either: the server has forgotten the browsers of an ended session.
    if (hasLeft && ownSubscription() !== null) unsubscribe().catch(() => undefined)
  }, [userId])
}

/** Reads the shown reminders again. */
const reloadReminders = (): void => void mutate(isKeyOf('GET /api/me/reminders'))

function textOf({ phase, title, channelName, startsAtMs }: DueReminder) {
  if (phase === 'removed') {
    return { title: `No longer planned: ${title}`, description: `It is not in the guide of ${channelName}.` }
  }
  const at = phase === 'start' ? 'Starts now' : `Starts at ${clockTime(startsAtMs)}`
  return { title, description: `${at} on ${channelName}.` }
}
