import type { Special } from '@looptide/contracts/schedule'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ProblemLines } from '../fields/problem-lines.tsx'
import { contentText } from '../model/sentences.ts'
import { startLabel } from '../model/specials.ts'
import { durationText } from '../model/times.ts'
import type { CalendarActions } from './calendar-actions.ts'

/** A special with its actions. */
export function SpecialRow(props: {
  special: Special
  problems: readonly string[]
  actions: CalendarActions
}) {
  const { special, actions } = props
  return (
    <li className="grid gap-1 rounded-md bg-raised/60 px-3 py-2">
      <p className="font-medium wrap-anywhere">{special.name}</p>
      <p className="text-sm text-muted tabular-nums">
        {startLabel(special)} · {durationText(special.durationMs)} · {contentText(special)}
        {special.start === 'hard' && ' · exact start'}
      </p>
      <ProblemLines problems={props.problems} />
      <div className="-mx-1 flex flex-wrap gap-1">
        <Button
          tone="plain"
          className="px-3"
          aria-label={`Edit ${special.name}`}
          onClick={() => actions.editSpecial(special)}
        >
          Edit
        </Button>
        <Button
          tone="plain"
          className="px-3"
          aria-label={`Repeat ${special.name}`}
          onClick={() => actions.repeatSpecial(special)}
        >
          Repeat
        </Button>
        <IconButton
          icon="remove"
          label={`Remove ${special.name}`}
          onClick={() => actions.removeSpecial(special)}
        />
      </div>
    </li>
  )
}
