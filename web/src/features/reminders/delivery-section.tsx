import type { QuietHours, ReminderSettings } from '@looptide/contracts/http/reminders'
import { useState } from 'react'
import { useCall } from '../../lib/api/use-call.ts'
import { api } from '../../lib/clients.ts'
import { useAction } from '../../lib/failures.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'

/** How the user is reminded. */
export const useReminderSettings = () => useCall('GET /api/me/reminders/settings', {})

const NIGHT = { from: '22:00', to: '07:00' }

/** Whether reminders are mailed, and the hours in which only open pages show them. `hasMail`: the account has an address. */
export function DeliverySection({ hasMail }: { hasMail: boolean }) {
  const { data, error, mutate } = useReminderSettings()
  const { run } = useAction()
  const change = (settings: Partial<Pick<ReminderSettings, 'mail' | 'quietHours'>>) =>
    run(
      () => mutate(api.call('PATCH /api/me/reminders/settings', { body: settings }), { revalidate: false }),
      { title: 'Not changed', text: 'The setting was not saved. Please try again.' },
    )
  if (!data && error) {
    return <ErrorNotice text="These settings could not be loaded." onRetry={() => void mutate()} />
  }
  if (!data) return <Skeleton className="h-24" />
  const { mail, quietHours } = data
  return (
    <div className="grid gap-2">
      {hasMail && (
        <Switch
          label="Email me if no device receives notifications"
          isOn={mail}
          onChange={(isOn) => void change({ mail: isOn })}
        />
      )}
      <Switch
        label="Quiet hours"
        isOn={quietHours !== null}
        onChange={(isOn) => void change({ quietHours: isOn ? { ...NIGHT, timeZone: ownTimeZone() } : null })}
      />
      {quietHours !== null && (
        <QuietHoursForm
          key={JSON.stringify(quietHours)}
          quietHours={quietHours}
          onSave={(hours) => void change({ quietHours: hours })}
        />
      )}
    </div>
  )
}

const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

function QuietHoursForm(props: { quietHours: QuietHours; onSave: (hours: QuietHours) => void }) {
  const [from, setFrom] = useState(props.quietHours.from)
  const [to, setTo] = useState(props.quietHours.to)
  const isSame = from === to
  const timeZone = ownTimeZone()
  const isChanged =
    from !== props.quietHours.from || to !== props.quietHours.to || timeZone !== props.quietHours.timeZone
  return (
    <form
      aria-label="Quiet hours"
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSame) props.onSave({ from, to, timeZone })
      }}
    >
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label="From"
          type="time"
          required
          value={from}
          onChange={(event) => setFrom(event.target.value)}
        />
        <TextField
          label="To"
          type="time"
          required
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
        {isChanged && <Button type="submit">Save</Button>}
      </div>
      <p className="text-sm text-muted">
        {isSame
          ? 'Choose another end.'
          : `In the time zone ${props.quietHours.timeZone}. In these hours only open pages show reminders.`}
      </p>
    </form>
  )
}
