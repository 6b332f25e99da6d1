import { Suspense, useState } from 'react'
import { part } from '../../lib/browser/part.tsx'
import { PartBoundary } from '../../lib/browser/part-boundary.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { useAskToSignIn } from '../../lib/session/use-ask-to-sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { useRequestChannels } from './api.ts'

const RequestDialog = part(async () => (await import('./request-dialog.tsx')).RequestDialog)

/**
 * Requests a video. Shown only where a channel takes requests. `channelId`: the channel that is watched, which is offered
 * first.
 */
export function RequestButton(props: { video: { id: string; title: string }; channelId?: string }) {
  const channels = useRequestChannels()
  const { status } = useSession()
  const askToSignIn = useAskToSignIn('Please sign in to request videos')
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  if (channels.length === 0) return null
  return (
    <>
      <Button
        icon="send"
        aria-haspopup="dialog"
        onClick={() => (status === 'signed-in' ? setOpen(true) : askToSignIn())}
      >
        Request
      </Button>
      {isOpen && (
        <PartBoundary onFailure={close}>
          <Suspense>
            <RequestDialog {...props} channels={channels} onClose={close} />
          </Suspense>
        </PartBoundary>
      )}
    </>
  )
}
