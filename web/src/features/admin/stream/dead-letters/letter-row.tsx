import { useState } from 'react'
import { ApiError } from '../../../../lib/api-error.ts'
import { serverClock } from '../../../../lib/clients.ts'
import { dateLocale } from '../../../../lib/date-locale.ts'
import { timeAgo } from '../../../../lib/time-ago.ts'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { toast } from '../../../../ui/toast.ts'
import { tellFailure } from '../../desk/tell-failure.ts'
import { dropLetter, replayLetter, type ServiceLetter } from './api.ts'

/** One event that was given up: what it was, why, and what can be done about it. */
export function LetterRow({ letter, onChanged }: { letter: ServiceLetter; onChanged: () => void }) {
  const [isBusy, setBusy] = useState(false)
  const [asks, setAsks] = useState(false)

  const run = async (deed: () => Promise<unknown>, done: string, failed: { title: string; text: string }) => {
    setBusy(true)
    try {
      await deed()
      toast({ title: done, description: `${letter.subject} of ${letter.service}`, tone: 'success' })
      onChanged()
    } catch (failure) {
      // Another admin was faster: the list shows what became of it.
      if (failure instanceof ApiError && failure.code === 'not_found') onChanged()
      tellFailure(failure, failed)
    } finally {
      setBusy(false)
    }
  }
  const replay = () =>
    run(() => replayLetter(letter), 'Dead letter replayed', {
      title: 'Replay failed',
      text: 'The event could not be replayed. Please try again.',
    })
  const drop = () => {
    setAsks(false)
    return run(() => dropLetter(letter), 'Dead letter dropped', {
      title: 'Drop failed',
      text: 'The event could not be dropped. Please try again.',
    })
  }

  return (
    <li className="grid gap-2 p-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-medium [overflow-wrap:anywhere]">{letter.subject}</p>
          <p className="text-sm [overflow-wrap:anywhere]">⚠ {letter.error}</p>
          <p className="text-sm text-muted">
            {letter.service} • given up{' '}
            <time dateTime={letter.failedAt} title={new Date(letter.failedAt).toLocaleString(dateLocale)}>
              {timeAgo(letter.failedAt, serverClock.nowMs())}
            </time>
            {letter.replayedAt !== null && ` • replayed ${timeAgo(letter.replayedAt, serverClock.nowMs())}`}
          </p>
        </div>
        <div className="flex gap-2">
          <Button disabled={isBusy} onClick={() => void replay()}>
            Replay
          </Button>
          <Button disabled={isBusy} onClick={() => setAsks(true)}>
            Drop
          </Button>
        </div>
      </div>
      <details>
        <summary className="w-fit cursor-pointer rounded-sm py-2 text-sm font-medium">
          Look at the event
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
        <pre tabIndex={0} className="max-h-80 overflow-auto rounded-md bg-deep p-3 text-xs">
          {JSON.stringify(letter.envelope, null, 2)}
        </pre>
      </details>
      {asks && (
        <ConfirmDialog
          title="Drop this event?"
          confirmLabel="Drop"
          onConfirm={() => void drop()}
          onCancel={() => setAsks(false)}
        >
          <p>
            {letter.service} will never learn what {letter.subject} told. This cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </li>
  )
}
