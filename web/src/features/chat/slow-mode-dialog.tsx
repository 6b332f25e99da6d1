import { useState } from 'react'
import { api } from '../../lib/clients.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { durationText } from './composer-rules.ts'

const CHOICES_S = [0, 5, 10, 30, 60, 120, 300]

/** A dialog to choose the minimum time between two messages of a viewer. */
export function SlowModeDialog(props: {
  channelId: string
  slowModeS: number
  onChanged: (slowModeS: number) => void
  onClose: () => void
}) {
  const { channelId, slowModeS, onChanged, onClose } = props
  const [wished, setWished] = useState<number | null>(null)
  const choices = [...new Set([...CHOICES_S, slowModeS])].toSorted((a, b) => a - b)

  const choose = async (seconds: number) => {
    setWished(seconds)
    try {
      const input = { params: { id: channelId }, body: { slowModeS: seconds } }
      onChanged((await api.call('PATCH /api/chat/channels/:id/settings', input)).slowModeS)
      onClose()
    } catch {
      toast({ title: 'Error', description: 'Failed to change slow mode.', tone: 'error' })
      setWished(null)
    }
  }

  return (
    <Dialog
      title="Slow mode"
      description="Minimum time between two messages of a viewer. Does not apply to moderators and admins."
      isOpen
      onClose={onClose}
      width="narrow"
    >
      <ul className="grid gap-2">
        {choices.map((seconds) => {
          const isCurrent = seconds === slowModeS
          return (
            <li key={seconds}>
              <Button
                aria-current={isCurrent ? 'true' : undefined}
                disabled={wished !== null}
                onClick={() => void choose(seconds)}
                className={classNames(
                  'w-full justify-start border',
                  isCurrent ? 'border-accent' : 'border-line',
                )}
              >
                {seconds === 0 ? 'Off' : durationText(seconds)}
                {isCurrent && <span className="ml-auto font-normal text-muted">now</span>}
              </Button>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
