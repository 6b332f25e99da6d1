import { ChatNews } from '../features/chat/chat-news.tsx'
import { SubmissionNews } from '../features/playlists/submission-news.tsx'

/** What happens to the user's submissions, messages and reports, as toasts on any page. */
export function UserNews() {
  return (
    <>
      <SubmissionNews />
      <ChatNews />
    </>
  )
}
