import type { ServerPushes } from '@looptide/contracts/realtime'
import { topics } from '@looptide/contracts/realtime'
import { useNavigate } from 'react-router-dom'
import { mutate } from 'swr'
import { isKeyOf } from '../../lib/api/use-call.ts'
import { paths } from '../../lib/paths.ts'
import { useRandomDelay } from '../../lib/realtime/use-random-delay.ts'
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
        reload()
      },
      report_handled: () => {
        toast({ title: 'Your report was handled', description: 'Moderators have decided. Thank you.' })
        reload()
      },
    },
    useRandomDelay(reload),
  )
  return null
}

function reload(): void {
  void mutate(isKeyOf('GET /api/chat/reports'))
  void mutate(isKeyOf('GET /api/chat/decisions'))
}
