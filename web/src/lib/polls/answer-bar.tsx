import type { Poll } from '@looptide/contracts/http/polls'
import { percentOf } from './poll-changes.ts'

/** An answer of a poll with its share as a bar behind it. The bar grows with new votes, except with reduced motion. */
export function AnswerBar({ answer, all }: { answer: Poll['answers'][number]; all: number }) {
  const percent = percentOf(answer.votes, all)
  return (
    <>
      <span
        aria-hidden="true"
        className="absolute inset-y-0 left-0 rounded-sm bg-link/25 transition-[width] duration-500"
        style={{ width: `${percent}%` }}
      />
      <span className="relative flex w-full min-w-0 items-baseline gap-3 text-left">
        <bdi className="min-w-0 flex-1 wrap-anywhere">{answer.text}</bdi>
        <span className="shrink-0 text-sm tabular-nums">{percent} %</span>
      </span>
    </>
  )
}
