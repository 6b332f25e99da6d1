import type { ServerPushes } from '@looptide/contracts/realtime'
import { topics } from '@looptide/contracts/realtime'
import { mutate } from 'swr'
import { useBatches } from '../../lib/api/use-batches.ts'
import { useRandomDelay } from '../../lib/realtime/use-random-delay.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../ui/toast.ts'

type Decision = ServerPushes['user']['submission']

/** Lists that show the state of the person's own submitted videos. */
const LISTS: readonly unknown[] = ['/api/playlist/items', '/api/videos/lookup']
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

/** Reloads those of {@link LISTS} that the page shows. */
const reloadLists = () => void mutate((key) => Array.isArray(key) && LISTS.includes(key[0]))

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
