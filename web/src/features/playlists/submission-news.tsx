import type { ServerPushes } from '@looptide/contracts/realtime'
import { topics } from '@looptide/contracts/realtime'
import { mutate } from 'swr'
import { useBatches } from '../../lib/api/use-batches.ts'
import { isKeyOf } from '../../lib/api/use-call.ts'
import { useRandomDelay } from '../../lib/realtime/use-random-delay.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../ui/toast.ts'

type Decision = ServerPushes['user']['submission']

/** Decisions that arrive within this time are shown as one message (ms). */
const GATHER_MS = 500

/** Shows a toast on any page when the user's submitted videos are accepted or rejected. Renders nothing. */
export function SubmissionNews() {
  const { userId } = useSession()
  const onDecision = useBatches<Decision>((decisions) => {
    showDecisions(decisions)
    reloadLists()
  }, GATHER_MS)
  useTopic(
    'user',
    userId ? topics.user(userId) : null,
    { submission: onDecision },
    useRandomDelay(reloadLists),
  )
  return null
}

/** Reloads the shown lists with the state of the person's own submitted videos. */
function reloadLists(): void {
  void mutate(isKeyOf('GET /api/playlists/:id/items'))
  void mutate(isKeyOf('GET /api/videos/lookup'))
}

function showDecisions(decisions: readonly Decision[]): void {
  const accepted = decisions.filter(({ state }) => state === 'accepted').length
  const rejected = decisions.filter(({ state }) => state === 'rejected')
  if (accepted === 1)
    toast({
      title: 'Video accepted',
      description: 'A video you added is now visible to everyone.',
      tone: 'success',
    })
  else if (accepted > 1)
    toast({
      title: `${accepted} videos accepted`,
      description: 'Videos you added are now visible to everyone.',
      tone: 'success',
    })
  const [first] = rejected
  if (first)
    toast({
      title: rejected.length === 1 ? 'Video not accepted' : `${rejected.length} videos not accepted`,
      ...(first.reason !== null && { description: first.reason }),
    })
}
