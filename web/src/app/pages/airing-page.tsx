import { AiringPage as Page } from '../../features/air-log/airing-page.tsx'
import { PastChat } from '../../features/chat/past-chat.tsx'
import { AddToListButton } from '../../features/playlists/add-to-list-button.tsx'

/** One programme that was on, with the chat of its minutes and an add-to-list button. */
export function AiringPage() {
  return (
    <Page
      chat={(range) => <PastChat {...range} />}
      keep={(video) => <AddToListButton video={video} tone="quiet" />}
    />
  )
}
