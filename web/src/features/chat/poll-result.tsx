import type { PollResult as Result } from '@looptide/contracts/http/polls'
import { AnswerBar } from '../../lib/polls/answer-bar.tsx'
import { votesText } from '../../lib/polls/poll-changes.ts'

/** The result of a poll, as a message of the chat. */
export function PollResult({ poll: { question, answers, votes } }: { poll: Result }) {
  return (
    <figure className="my-1 grid gap-2 rounded-md border border-line p-3">
      <figcaption>
        <p className="text-xs font-semibold text-muted">Poll result</p>
        <p dir="auto" className="font-semibold wrap-anywhere">
          {question}
        </p>
      </figcaption>
      <ul className="grid gap-1">
        {answers.map((answer) => (
          <li key={answer.text} className="relative px-2 py-1">
            <AnswerBar answer={answer} all={votes} />
          </li>
        ))}
      </ul>
      <p className="text-xs text-muted tabular-nums">{votesText(votes)}</p>
    </figure>
  )
}
