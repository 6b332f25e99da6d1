import type { Poll } from '@looptide/contracts/http/polls'
import { percentOf, votesText } from '../lib/polls/poll-changes.ts'
import { useOpenPoll } from '../lib/polls/use-open-poll.ts'
import { toast } from '../ui/toast.ts'
import { TvButton } from './parts.tsx'
import type { Tv } from './use-tv.ts'

/** The button that opens the poll of the channel, while there is one. */
export function PollButton({ tv }: { tv: Tv }) {
  const { poll } = useOpenPoll(tv.channelId)
  return poll && <TvButton onPress={() => tv.setPanel('poll')}>Poll</TvButton>
}

/** The open poll with its votes; OK votes for an answer. */
export function PollPanel({ tv }: { tv: Tv }) {
  const { poll, mayVote, ownAnswer, vote } = useOpenPoll(tv.channelId)
  const choose = (answer: number) => {
    if (mayVote) vote(answer)
    else toast({ title: 'Sign in on this TV to vote' })
  }
  return (
    <>
      <div className="tv-main">
        <h2 className="tv-heading">{poll ? <bdi>{poll.question}</bdi> : 'Poll'}</h2>
        {!poll && <p>The poll is closed. Its result is in the chat.</p>}
        {poll && (
          <ol className="tv-list" aria-label="Answers">
            {poll.answers.map((answer, index) => (
              <li key={answer.text}>
                <TvButton isFirst={index === 0} className="tv-item" onPress={() => choose(index)}>
                  <Answer answer={answer} all={poll.votes} isChosen={index === ownAnswer} />
                </TvButton>
              </li>
            ))}
          </ol>
        )}
        <div className="tv-row">
          <TvButton isFirst onPress={() => tv.setPanel('info')}>
            Close
          </TvButton>
        </div>
      </div>
      <div className="tv-aside">
        {poll && <p>{votesText(poll.votes)}. You can change your vote until the poll closes.</p>}
      </div>
    </>
  )
}

function Answer(props: { answer: Poll['answers'][number]; all: number; isChosen: boolean }) {
  const { answer, all, isChosen } = props
  const percent = percentOf(answer.votes, all)
  return (
    <span className="tv-lines">
      <span className="tv-line">
        <span className="tv-name">
          <bdi>{answer.text}</bdi>
        </span>
        <span className="tv-left">
          {isChosen && 'Your vote · '}
          {percent} %
        </span>
      </span>
      <span className="tv-progress" aria-hidden="true">
        {/* The property `scale` came after Chromium 87. */}
        <span style={{ transform: `scaleX(${percent / 100})` }} />
      </span>
    </span>
  )
}
