import type { Reminder } from '@looptide/contracts/http/reminders'
import { useActiveChannels } from '../../lib/api/use-active-channels.ts'
import { showFailure } from '../../lib/failures.ts'
import { removeReminder, setReminder, useReminders } from '../../lib/reminders/reminder-api.ts'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'

const MINUTES = [0, 5, 10, 15, 30, 60, 120] as const

/** The reminders of the user, each with its time; one can be removed, which can be undone. */
export function RemindersSection() {
  const { data, error, mutate } = useReminders()
  const channels = useActiveChannels().data
  if (!data && error) {
    return <ErrorNotice text="Your reminders could not be loaded." onRetry={() => void mutate()} />
  }
  if (!data) return <Skeleton className="h-40" />
  if (data.items.length === 0) {
    return (
      <EmptyNotice title="No reminders">
        <p>Choose a programme in the TV guide and press “Remind Me”.</p>
      </EmptyNotice>
    )
  }
  return (
    <ul aria-label="Reminders" className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line/60">
      {data.items.map((reminder) => (
        <Row
          key={reminder.id}
          reminder={reminder}
          channelName={channels?.find(({ id }) => id === reminder.channelId)?.name}
        />
      ))}
    </ul>
  )
}

function Row({ reminder, channelName }: { reminder: Reminder; channelName: string | undefined }) {
  const { title, minutesBefore, isRemoved } = reminder
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-sm">
      <p className="min-w-0 flex-1 basis-48 wrap-anywhere">
        <bdi className="font-medium">{title}</bdi>
        <span className="block text-muted tabular-nums">
          {whenText(reminder)}
          {channelName !== undefined && (
            <>
              {' · '}
              <bdi>{channelName}</bdi>
            </>
          )}
        </span>
      </p>
      {!isRemoved && (
        <SelectField
          label={`When to remind of ${title}`}
          isLabelHidden
          className="w-44"
          choices={choicesWith(minutesBefore)}
          value={String(minutesBefore)}
          onChange={(minutes) => void change(reminder, Number(minutes))}
        />
      )}
      <Button aria-label={`Remove the reminder of ${title}`} onClick={() => void remove(reminder)}>
        Remove
      </Button>
    </li>
  )
}

const choicesWith = (minutesBefore: number) =>
  [...new Set([...MINUTES, minutesBefore])]
    .toSorted((a, b) => a - b)
    .map((minutes) => ({
      value: String(minutes),
      label: minutes === 0 ? 'At the start' : `${minutes} min before`,
    }))

function whenText({ kind, startsAtMs, isRemoved }: Reminder): string {
  if (isRemoved) return 'No longer in the guide'
  if (startsAtMs === null) return kind === 'artist' ? 'When a video is planned' : 'When it is on next'
  const at = new Date(startsAtMs).toLocaleString(dateLocale, {
    ...{ weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  })
  return kind === 'block' || kind === 'artist' ? `Next: ${at}` : at
}

async function change(reminder: Reminder, minutesBefore: number): Promise<void> {
  try {
    await setReminder(reminder, minutesBefore)
  } catch (failure) {
    showFailure(failure, { title: 'Not changed', text: 'The reminder was not changed. Please try again.' })
  }
}

/** Removes a reminder, with the offer to set it again. */
async function remove(reminder: Reminder): Promise<void> {
  const { title, minutesBefore, isRemoved } = reminder
  const undo = async () => {
    try {
      await setReminder(reminder, minutesBefore)
    } catch (failure) {
      showFailure(failure, { title: 'Not restored', text: 'Please set the reminder again in the guide.' })
    }
  }
  try {
    await removeReminder(reminder)
    const action = { label: 'Undo', onPress: () => void undo() }
    toast({ title: 'Reminder removed', description: title, ...(!isRemoved && { action }) })
  } catch (failure) {
    showFailure(failure, { title: 'Not removed', text: 'The reminder was not removed. Please try again.' })
  }
}
