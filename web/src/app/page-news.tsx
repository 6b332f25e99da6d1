import { ChatNews } from '../features/chat/chat-news.tsx'
import { SubmissionNews } from '../features/playlists/submission-news.tsx'
import { ReminderNews } from '../features/reminders/reminder-news.tsx'

/** What any page tells the signed-in user when it happens. Renders nothing. */
export function PageNews() {
  return (
    <>
      <SubmissionNews />
      <ReminderNews />
      <ChatNews />
    </>
  )
}
