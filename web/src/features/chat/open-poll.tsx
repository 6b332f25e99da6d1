import type { Poll } from '@looptide/contracts/http/polls'
import { type KeyboardEvent, useId } from 'react'
import { Link } from 'react-router-dom'
import { api } from '../../lib/clients.ts'
import { useAction } from '../../lib/failures.ts'
import { AnswerBar } from '../../lib/polls/answer-bar.tsx'
import { votesText } from '../../lib/polls/poll-changes.ts'
import { useOpenPoll } from '../../lib/polls/use-open-poll.ts'
import { CreateAccountTo } from '../../lib/session/create-account-to.tsx'
import { useSignInPath } from '../../lib/session/next-page.ts'
import { useSession } from '../../lib/session/session.tsx'
import { useServerNow } from '../../lib/time/use-server-now.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { countdownText } from './composer-rules.ts'

/** The open poll of a channel above its chat: everyone sees the votes as they are counted; who may chat votes. */
export function OpenPoll({ channelId }: { channelId: string }) {
  const { poll, mayVote, ownAnswer, vote, change } = useOpenPoll(channelId)
  const { may } = useSession()
  const questionId = useId()
  return (
    <>
      {/* Said once; the votes change silently. */}
      <p role="status" className="sr-only">
        {poll && `Poll: ${poll.question}`}
      </p>
      {poll && (
        <section
          aria-label="Poll"
          className="max-h-1/2 shrink-0 overflow-y-auto border-b border-line bg-raised/40 px-4"
        >
          {/* Can be closed, because it leaves little room for messages on a phone. */}
          <details key={poll.id} open className="group pb-3">
            <summary className="flex min-h-11 cursor-pointer items-center gap-2 rounded-sm py-1">
              <h3 id={questionId} dir="auto" className="grow font-semibold wrap-anywhere">
                {poll.question}
              </h3>
              <Icon name="down" className="shrink-0 group-open:rotate-180" />
            </summary>
            <div className="grid gap-2">
              <Answers
                poll={poll}
                labelledBy={questionId}
                ownAnswer={ownAnswer}
                onVote={mayVote ? vote : undefined}
              />
              <div className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted tabular-nums">
                <span>{votesText(poll.votes)}</span>
                <TimeLeft closesAt={poll.closesAt} />
                {mayVote && <span>You can change your vote until then.</span>}
                {may('chat:moderate') && (
                  <Moderation poll={poll} onRemoved={() => change({ removedId: poll.id })} />
                )}
              </div>
              <HowToVote />
            </div>
          </details>
        </section>
      )}
    </>
  )
}

interface AnswersProps {
  poll: Poll
  labelledBy: string
  ownAnswer: number | null
  /** Undefined: the viewer may not vote. */
  onVote: ((answer: number) => void) | undefined
}

/** For the keyboard one stop: arrows move the focus, Enter or Space votes, so that moving through them casts no vote. */
function Answers({ poll, labelledBy, ownAnswer, onVote }: AnswersProps) {
  const { answers, votes } = poll
  if (onVote === undefined) {
    return (
      <ul aria-labelledby={labelledBy} className="grid gap-1">
        {answers.map((answer) => (
          <li key={answer.text} className="relative flex min-h-9 items-center rounded-sm px-3 py-1">
            <AnswerBar answer={answer} all={votes} />
          </li>
        ))}
      </ul>
    )
  }
  return (
    <div role="radiogroup" aria-labelledby={labelledBy} className="grid gap-1.5" onKeyDown={moveInGroup}>
      {answers.map((answer, index) => {
        const isChosen = index === ownAnswer
        return (
          // biome-ignore lint/a11y/useSemanticElements: arrow keys choose an input of type radio, which would vote.
          <button
            key={answer.text}
            type="button"
            role="radio"
            aria-checked={isChosen}
            tabIndex={index === (ownAnswer ?? 0) ? 0 : -1}
            onClick={() => onVote(index)}
            className={classNames(
              'relative flex min-h-11 items-center overflow-hidden rounded-sm border px-3 py-1.5',
              isChosen ? 'border-link font-semibold' : 'border-line hover:bg-raised',
            )}
          >
            <AnswerBar answer={answer} all={votes} />
          </button>
        )
      })}
    </div>
  )
}

const STEPS: Record<string, 1 | -1 | undefined> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

/** Moves the focus to the next or previous answer. Past the first and last, arrows move on as elsewhere. */
function moveInGroup(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key]
  if (step === undefined) return
  const radios = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="radio"]')]
  const next = radios[radios.indexOf(document.activeElement as HTMLElement) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

function TimeLeft({ closesAt }: { closesAt: string }) {
  const leftMs = Math.max(0, Date.parse(closesAt) - useServerNow(1_000))
  return <span>{countdownText(Math.ceil(leftMs / 1000))} left</span>
}

/** What a viewer without an account needs to vote. */
function HowToVote() {
  const { status, isAnonymous } = useSession()
  const signInPath = useSignInPath()
  if (isAnonymous) return <CreateAccountTo purpose="vote in polls" />
  if (status !== 'signed-out') return null
  return (
    <p className="text-sm text-muted">
      <Link to={signInPath} className="rounded-sm font-semibold text-link underline underline-offset-4">
        Please log in to vote
      </Link>
    </p>
  )
}

/** Ends the poll with its result, or deletes it without one. */
function Moderation({ poll: { id }, onRemoved }: { poll: Poll; onRemoved: () => void }) {
  const { isBusy, run } = useAction()
  const { confirm, confirmation } = useConfirm()
  const params = { params: { id } }
  const end = () => api.call('POST /api/polls/:id/end', params)
  const remove = async () => {
    await api.call('DELETE /api/polls/:id', params)
    onRemoved()
  }
  return (
    <span className="ml-auto flex gap-1">
      <Button
        tone="plain"
        isBusy={isBusy}
        onClick={() => void run(end, { title: 'The poll was not ended', text: 'Please try again.' })}
      >
        End now
      </Button>
      <Button
        tone="plain"
        isBusy={isBusy}
        onClick={() =>
          confirm({
            title: 'Delete this poll?',
            confirmLabel: 'Delete poll',
            text: 'Its votes are lost, and the chat keeps no result.',
            onConfirm: () => run(remove, { title: 'The poll was not deleted', text: 'Please try again.' }),
          })
        }
      >
        Delete
      </Button>
      {confirmation}
    </span>
  )
}
