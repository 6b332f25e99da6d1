import { Suspense, useState } from 'react'
import { useParams } from 'react-router-dom'
import { AiringPage as Airing } from '../../features/air-log/airing-page.tsx'
import { PastChat, ReplayedChat } from '../../features/chat/past-chat.tsx'
import { AddToListButton } from '../../features/playlists/add-to-list-button.tsx'
import { dialogPart, part } from '../../lib/browser/part.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { NotFoundPage } from './not-found-page.tsx'

const Replay = part(async () => (await import('../../features/replay/replay-page.tsx')).ReplayPage)

const EveningDialog = dialogPart(
  async () => (await import('../../features/schedule/evening/evening-dialog.tsx')).EveningDialog,
)

/** One programme that was on, with the chat of its minutes and an add-to-list button; or its hour, played again. */
export function AiringPage() {
  const { again } = useParams()
  if (again === undefined)
    return (
      <Airing
        chat={(range) => <PastChat {...range} />}
        keep={(video) => <AddToListButton video={video} tone="quiet" />}
        staff={(entry) => <WatchTogetherAgain {...entry} />}
      />
    )
  if (again !== 'again') return <NotFoundPage />
  return (
    <Suspense>
      <Replay chat={(at) => <ReplayedChat {...at} />} />
    </Suspense>
  )
}

/** Airs the evening of a programme again for everyone; for those who edit schedules. */
function WatchTogetherAgain({ channelId, startedAtMs }: { channelId: string; startedAtMs: number }) {
  const { may } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (!may('schedules:edit')) return null
  return (
    <>
      <Button icon="tv" onClick={() => setOpen(true)}>
        Watch together again
      </Button>
      {isOpen && (
        <EveningDialog channelId={channelId} startedAtMs={startedAtMs} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
