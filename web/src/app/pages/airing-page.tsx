import { Suspense } from 'react'
import { useParams } from 'react-router-dom'
import { AiringPage as Airing } from '../../features/air-log/airing-page.tsx'
import { PastChat, ReplayedChat } from '../../features/chat/past-chat.tsx'
import { AddToListButton } from '../../features/playlists/add-to-list-button.tsx'
import { part } from '../../lib/browser/part.tsx'
import { NotFoundPage } from './not-found-page.tsx'

const Replay = part(async () => (await import('../../features/replay/replay-page.tsx')).ReplayPage)

/** One programme that was on, with the chat of its minutes and an add-to-list button; or its hour, played again. */
export function AiringPage() {
  const { again } = useParams()
  if (again === undefined)
    return (
      <Airing
        chat={(range) => <PastChat {...range} />}
        keep={(video) => <AddToListButton video={video} tone="quiet" />}
      />
    )
  if (again !== 'again') return <NotFoundPage />
  return (
    <Suspense>
      <Replay chat={(at) => <ReplayedChat {...at} />} />
    </Suspense>
  )
}
