import type { Poll, PollPage } from '@looptide/contracts/http/polls'
import { topics } from '@looptide/contracts/realtime'
import { useRef, useState } from 'react'
import { useCall } from '../api/use-call.ts'
import { useConfig } from '../api/use-config.ts'
import { usePushedChanges } from '../api/use-pushed-changes.ts'
import { api } from '../clients.ts'
import { showFailure } from '../failures.ts'
import { useTopic } from '../realtime/use-topic.ts'
import { useSession } from '../session/session.tsx'
import { type PollChange, withChanges } from './poll-changes.ts'

/** The open poll of a channel, with its votes, which are counted once a second; undefined if there is none. */
export function useOpenPoll(channelId: string) {
  const { requests } = useConfig()
  const input = requests ? { params: { id: channelId }, query: { limit: 1 } } : null
  const answer = useCall('GET /api/channels/:id/polls', input, { anonymous: true })
  const changes = usePushedChanges<PollPage, PollChange>(answer, { apply: withChanges, delayMs: 0 })
  // A poll that has just been asked has no vote of this viewer, which else is fetched: all viewers would do so at once.
  const justAsked = useRef<string>(undefined)
  useTopic(
    'chat',
    requests ? topics.chat(channelId) : null,
    {
      poll: ({ poll }) => {
        if (poll.version === 1) justAsked.current = poll.id
        changes.push({ poll })
      },
      poll_removed: ({ pollId }) => changes.push({ removedId: pollId }),
    },
    () => changes.reload(),
  )
  const newest = answer.data?.items[0]
  const poll = newest?.state === 'open' ? newest : undefined
  return { poll, ...useOwnAnswer(poll, poll?.id !== justAsked.current), change: changes.push }
}

/** The answer for which the viewer votes, and a function that votes. A press shows at once, and is undone if it is refused. */
function useOwnAnswer(poll: Poll | undefined, isFetched: boolean) {
  const { userId, isAnonymous } = useSession()
  const mayVote = userId !== undefined && !isAnonymous
  const id = poll?.id
  const input = id !== undefined && mayVote && isFetched ? { params: { id } } : null
  const { data } = useCall('GET /api/polls/:id', input, { userId, revalidateOnFocus: false })
  const [chosen, setChosen] = useState<{ id: string; answer: number | null }>()
  const stored = data?.id === id ? (data?.ownAnswer ?? null) : null
  const ownAnswer = chosen !== undefined && chosen.id === id ? chosen.answer : stored
  const vote = async (answer: number) => {
    if (id === undefined || answer === ownAnswer) return
    setChosen({ id, answer })
    try {
      await api.call('PUT /api/polls/:id/vote', { params: { id }, body: { answer } })
    } catch (failure) {
      setChosen({ id, answer: ownAnswer })
      showFailure(failure, { title: 'Your vote was not counted', text: 'Please try again.' })
    }
  }
  return { mayVote, ownAnswer, vote: (answer: number) => void vote(answer) }
}
