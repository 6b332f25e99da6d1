import type { ServerPushes } from '@looptide/contracts/realtime'
import { topics } from '@looptide/contracts/realtime'
import { useNavigate } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../ui/toast.ts'

type Decision = ServerPushes['user']['chat_decision']['decision']

const TITLES: Record<Decision, string> = {
  remove: 'A message of yours was removed',
  restrict: 'A message of yours was removed',
  uphold: 'Your appeal was declined',
  reverse: 'Your appeal was granted',
}

/** Shows a toast on any page when moderators have decided about a message or a report of the user. Renders nothing. */
export function ChatNews() {
  const { userId } = useSession()
  const navigate = useNavigate()
  const action = { label: 'Show', onPress: () => void navigate(paths.ownData()) }
  useTopic(
    'user',
    userId ? topics.user(userId) : null,
    {
      chat_decision: ({ decision }) => {
        toast({ title: TITLES[decision], description: 'Your data shows why.', action })
      },
      report_handled: () => {
        toast({ title: 'Your report was handled', description: 'Moderators have decided. Thank you.' })
      },
    },
    // Toasts are about what happens now; the lists of the profile catch up by themselves.
    null,
  )
  return null
}
