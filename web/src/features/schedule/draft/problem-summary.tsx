import type { ScheduleDocument, ScheduleProblem } from '@looptide/contracts/schedule'
import { Button } from '../../../ui/button.tsx'
import { placeOf, type Tab } from '../model/problem-place.ts'

/** Lists why the draft cannot be published; each line opens the tab in which the problem can be fixed. */
export function ProblemSummary(props: {
  document: ScheduleDocument
  problems: readonly ScheduleProblem[]
  onOpen: (tab: Tab) => void
}) {
  const { document, problems } = props
  if (problems.length === 0) return null
  return (
    <section
      aria-labelledby="schedule-problems"
      className="grid gap-2 rounded-md border border-accent bg-panel px-4 py-3 text-sm"
    >
      <h2 id="schedule-problems" className="font-semibold">
        <span aria-hidden="true">⚠ </span>
        {problems.length === 1 ? '1 problem' : `${problems.length} problems`} to fix before publishing
      </h2>
      <ul className="grid gap-1">
        {problems.map((problem) => {
          const { tab, what } = placeOf(document, problem)
          return (
            <li key={`${problem.path} ${problem.message}`} className="flex flex-wrap items-center gap-x-3">
              <Button
                tone="plain"
                className="-ml-3 px-3 underline underline-offset-2"
                onClick={() => props.onOpen(tab)}
              >
                {what}
              </Button>
              <span className="min-w-0 flex-1 basis-60 break-words">{problem.message}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
