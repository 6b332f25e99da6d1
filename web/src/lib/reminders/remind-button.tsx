import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { showFailure } from '../failures.ts'
import { useSession } from '../session/session.tsx'
import { useAskToSignIn } from '../session/use-ask-to-sign-in.ts'
import { isAbout, type ReminderTarget, removeReminder, setReminder, useReminders } from './reminder-api.ts'

/** Sets a reminder, or removes it. `label`: what the button is called where several are beside each other. */
export function RemindButton({ target, label = 'Remind Me' }: { target: ReminderTarget; label?: string }) {
  const { status } = useSession()
  const askToSignIn = useAskToSignIn('Please sign in to be reminded')
  const { data } = useReminders()
  const [isBusy, setBusy] = useState(false)
  const isSet = data?.items.some((reminder) => isAbout(reminder, target)) ?? false
  const press = async () => {
    if (status !== 'signed-in') return askToSignIn()
    // Until the reminders are known, a press could remove one unintentionally.
    if (data === undefined || isBusy) return
    setBusy(true)
    try {
      await (isSet ? removeReminder(target) : setReminder(target))
      toast(
        isSet
          ? { title: 'Reminder removed', description: target.title }
          : { title: 'Reminder set', description: textOf(target), tone: 'success' },
      )
    } catch (failure) {
      const title = isSet ? 'Could not remove the reminder' : 'Could not set the reminder'
      showFailure(failure, { title, text: 'Please try again.' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon="clock" aria-pressed={isSet} onClick={() => void press()}>
      {label}
    </Button>
  )
}

function textOf({ kind, title }: ReminderTarget): string {
  if (kind === 'artist') return `You are reminded when ${title} is on this channel.`
  if (kind === 'block') return `You are reminded each time that ${title} starts.`
  return `You are reminded before ${title} starts.`
}
