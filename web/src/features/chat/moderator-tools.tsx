import { useState } from 'react'
import { useConfig } from '../../lib/api/use-config.ts'
import { dialogPart } from '../../lib/browser/part.tsx'
import { IconButton } from '../../ui/button.tsx'
import type { Chat } from './use-chat.ts'

const PollDialog = dialogPart(async () => (await import('./poll-dialog.tsx')).PollDialog)
const SlowModeDialog = dialogPart(async () => (await import('./slow-mode-dialog.tsx')).SlowModeDialog)

/** What moderators do with a whole chat: ask a poll, on stations that have them, and set slow mode. */
export function ModeratorTools({ channelId, chat }: { channelId: string; chat: Chat }) {
  const { requests } = useConfig()
  const [dialog, setDialog] = useState<'poll' | 'slow mode'>()
  const close = () => setDialog(undefined)
  return (
    <>
      {requests && <IconButton icon="list" label="Poll" onClick={() => setDialog('poll')} />}
      <IconButton icon="clock" label="Slow mode" onClick={() => setDialog('slow mode')} />
      {dialog === 'poll' && <PollDialog channelId={channelId} onClose={close} />}
      {dialog === 'slow mode' && (
        <SlowModeDialog
          channelId={channelId}
          slowModeS={chat.slowModeS}
          onChanged={chat.setSlowMode}
          onClose={close}
        />
      )}
    </>
  )
}
